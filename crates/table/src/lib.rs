//! The file format of Marquis tables, and directories of such files.
//!
//! A file holds one layer of one game: named *streams* of fixed-width cells, one cell a slot, packed in small blocks
//! that can be read one by one. The crate knows no game and no solver: the writer defines the meaning of the cells,
//! and the reader names the rules that it expects. `tablebases/FORMAT.md` describes every byte.
//!
//! * [`write_table`] and [`Table`] are the format; they work on [`std::io::Write`] and [`ReadAt`] and open no file.
//! * [`mod@file`] creates, opens and repacks files; [`store`] is a directory of them; [`container`] holds proofs and
//!   checkpoints.
//!
//! Bad input never gives a wrong answer: a file that is truncated, damaged, of another version or of other rules is
//! an [`Error`] that names the file, what was expected, what was found and what to do.
#![forbid(unsafe_code)]

mod atomic;
mod block;
pub mod cache;
mod codec;
pub mod container;
mod content;
pub mod elsewhere;
pub mod error;
mod far;
pub mod file;
mod fill;
pub mod header;
mod layout;
pub mod manifest;
mod ordered;
mod origin;
mod pack;
mod pieces;
pub mod plan;
pub mod press;
mod pressed;
pub mod read;
pub mod source;
pub mod store;
mod sums;
mod verify;
pub mod write;

pub use atomic::{write_whole, write_whole_by};
pub use block::{Codec, MAX_BLOCK_BYTES};
pub use cache::BlockCache;
pub use container::{
    Container, ContainerHead, Limit, container_head, read_container, read_container_from, write_container,
    write_container_of_parts,
};
pub use elsewhere::{Elsewhere, Found};
pub use error::Error;
pub use far::{FarFigures, FarFile, FarFolder, without_waiting};
pub use fill::FILL_UNIT;
pub use header::{ContentHash, Fingerprint, Identity, StreamHeader, TableHeader, Width};
pub use layout::FORMAT_VERSION;
pub use manifest::Manifest;
pub use origin::Origin;
pub use pack::Packing;
pub use pieces::Pieces;
pub use plan::{LayerPlan, StreamPlan, Unused};
pub use press::{pack_part, write_table_of_parts};
pub use pressed::TablePart;
pub use read::{StreamId, Table, TableFile};
pub use source::{CellSource, ReadAt, SlotFacts};
pub use store::Store;
pub use write::write_table;
