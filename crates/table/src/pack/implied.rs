//! A stream whose cells follow from those of another: a short table and no blocks.

use super::Malformed;

/// The cell that follows from each given cell that occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Implication(pub(crate) Vec<Option<u8>>);

/// A given cell that occurs with two different cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ambiguous {
    pub(crate) given: u8,
    pub(crate) cells: [u8; 2],
}

impl Implication {
    /// The implication in these bytes: a cell for each given cell from 0 on.
    pub(super) fn load(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > 256 {
            return Err(Malformed("a table of more cells than a byte can number"));
        }
        Ok(Self(bytes.iter().copied().map(Some).collect()))
    }

    /// The bytes that [`load`](Self::load) reads; given cells that do not occur get the cell 0.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().map(|cell| cell.unwrap_or(0)).collect()
    }

    /// The implication of these given cells and cells.
    pub(crate) fn of(given: &[u8], cells: &[u8]) -> Result<Self, Ambiguous> {
        let mut found = Self::default();
        for (&given, &cell) in given.iter().zip(cells) {
            if found.0.get(usize::from(given)) != Some(&Some(cell)) {
                found.add(given, cell)?;
            }
        }
        Ok(found)
    }

    /// Adds the implication of another part of the stream.
    pub(crate) fn join(&mut self, other: &Self) -> Result<(), Ambiguous> {
        let known = (0..=u8::MAX).zip(&other.0).filter_map(|(given, cell)| Some((given, (*cell)?)));
        known.into_iter().try_for_each(|(given, cell)| self.add(given, cell))
    }

    fn add(&mut self, given: u8, cell: u8) -> Result<(), Ambiguous> {
        let place = usize::from(given);
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        match self.0[place].replace(cell) {
            Some(other) if other != cell => Err(Ambiguous { given, cells: [other, cell] }),
            _ => Ok(()),
        }
    }

    /// The cell that follows from a given cell.
    pub(crate) fn cell(&self, given: u8) -> Result<u8, Malformed> {
        let implied = self.0.get(usize::from(given)).copied().flatten();
        implied.ok_or(Malformed("a given cell from which nothing follows"))
    }
}
