//! A proof that may take days: the tree and its jobs in `marquis_study`, kept on disk.

mod ask;
mod status;
mod store;

pub(crate) use ask::{Asked, study};
pub use status::study_status;
