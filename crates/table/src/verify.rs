//! Verification: reading everything again and comparing it with its checksums.

use crate::Error;
use crate::content::Subtree;
use crate::header::ContentHash;
use crate::ordered::in_order;
use crate::read::{StreamId, Table};
use crate::source::{CellSource, ReadAt};

/// Cells that are decoded at once by one thread; whole blocks.
const SPAN_CELLS: u64 = 1 << 16;
/// Spans that are decoded before they are hashed.
const BATCH_SPANS: u64 = 32;

impl<R: ReadAt> Table<R> {
    /// Reads the whole file: the checksum of every block, the index, the models and the hash of the cells of every
    /// stream [in the file](Self::is_ahead).
    ///
    /// * `progress`: called with the number of cells checked since the last call; the sum is slots × streams.
    ///
    /// # Errors
    /// The first damage that is found, or an error in reading the file.
    pub fn verify_checksums(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), Error> {
        for number in 0..self.header().streams.len() {
            let stream = StreamId(number);
            self.check_index(stream)?;
            if self.is_ahead(stream) {
                progress(self.header().slots);
                continue;
            }
            let expected = self.stream_header(stream).content;
            let found = self.content_hash(stream, progress)?;
            if found != expected {
                let place = format!("the cells of the stream \"{}\"", self.stream_header(stream).name);
                return Err(Error::damaged(self.name(), place, expected, found));
            }
        }
        Ok(())
    }

    fn content_hash(&self, stream: StreamId, progress: &(dyn Fn(u64) + Sync)) -> Result<ContentHash, Error> {
        let slots = self.header().slots;
        let bytes = self.stream_header(stream).width.bytes() as u64;
        let mut subtrees = Vec::new();
        in_order(
            slots.div_ceil(SPAN_CELLS),
            BATCH_SPANS,
            |span| {
                let first = span * SPAN_CELLS;
                let count = SPAN_CELLS.min(slots - first);
                let mut cells = vec![0; (count * bytes) as usize];
                self.cells(stream, first, &mut cells)?;
                Ok((Subtree::of(&cells, first * bytes, slots * bytes), count))
            },
            |(subtree, cells)| {
                subtrees.push(subtree);
                progress(cells);
                Ok(())
            },
        )?;
        Ok(Subtree::root(&subtrees))
    }

    /// The cells of a stream, for repacking.
    #[must_use]
    pub fn source(&self, stream: StreamId) -> impl CellSource + '_ {
        StreamCells { table: self, stream }
    }
}

struct StreamCells<'a, R> {
    table: &'a Table<R>,
    stream: StreamId,
}

impl<R: ReadAt> CellSource for StreamCells<'_, R> {
    fn fill(&self, first_slot: u64, out: &mut [u8]) -> Result<(), Error> {
        self.table.cells(self.stream, first_slot, out)
    }
}
