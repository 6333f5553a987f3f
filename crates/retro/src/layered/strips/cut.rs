//! Where the strips of a bundle begin and end.

use std::ops::Range;

use marquis_core::Slot;

/// The number of a layer in its bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerNumber(pub usize);

/// The number of a strip in its bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StripNumber(pub usize);

/// The rows of a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Their layer.
    pub layer: LayerNumber,
    /// The rows.
    pub rows: Range<u64>,
    /// Their slots.
    pub slots: Range<u64>,
}

/// A bundle in strips, which are numbered layer by layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripCut {
    layers: Vec<CutLayer>,
}

/// A layer in strips.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CutLayer {
    /// The number of the first strip.
    first: usize,
    rows: u64,
    /// Slots of a row.
    columns: u64,
    /// Rows of each strip but the last one.
    each: u64,
}

impl CutLayer {
    fn strips(&self) -> usize {
        self.rows.div_ceil(self.each) as usize
    }
}

impl StripCut {
    /// * `layers`: the number of rows, and of slots in each row.
    /// * `most`: the most slots of a strip, unless a single row has more.
    pub(super) fn new(layers: impl Iterator<Item = (u64, u64)>, most: u64) -> Self {
        let mut first = 0;
        let layer = |(rows, columns): (u64, u64)| {
            let each = (most / columns.max(1)).max(1);
            let layer = CutLayer { first, rows, columns, each };
            first += layer.strips();
            layer
        };
        Self { layers: layers.map(layer).collect() }
    }

    /// The number of strips.
    #[must_use]
    pub fn count(&self) -> usize {
        self.layers.last().map_or(0, |last| last.first + last.strips())
    }

    /// All strips, in their order.
    pub fn strips(&self) -> impl Iterator<Item = StripNumber> + use<> {
        (0..self.count()).map(StripNumber)
    }

    /// The rows of a strip. Panics past the last one.
    #[must_use]
    pub fn extent(&self, StripNumber(strip): StripNumber) -> Extent {
        let after = self.layers.partition_point(|layer| layer.first <= strip);
        // Layers without rows begin where the next one does; the strip is in the last of these.
        let number = after.checked_sub(1).expect("the first strip is of the first layer with rows");
        let layer = &self.layers[number];
        let first = (strip - layer.first) as u64 * layer.each;
        assert!(first < layer.rows, "strip {strip} of {}", self.count());
        let rows = first..layer.rows.min(first + layer.each);
        Extent {
            layer: LayerNumber(number),
            slots: rows.start * layer.columns..rows.end * layer.columns,
            rows,
        }
    }

    /// The strip in which a slot is.
    #[inline]
    #[must_use]
    pub fn strip_of(&self, LayerNumber(layer): LayerNumber, Slot(slot): Slot) -> StripNumber {
        let layer = &self.layers[layer];
        StripNumber(layer.first + (slot / (layer.columns * layer.each)) as usize)
    }

    /// The strip in which a slot is, and how many slots come before it there.
    #[inline]
    pub(super) fn place_of(&self, LayerNumber(layer): LayerNumber, Slot(slot): Slot) -> (StripNumber, u64) {
        let layer = &self.layers[layer];
        let size = layer.columns * layer.each;
        // Narrow numbers are divided several times as fast.
        let (strip, offset) = match (u32::try_from(slot), u32::try_from(size)) {
            (Ok(slot), Ok(size)) => ((slot / size).into(), (slot % size).into()),
            _ => (slot / size, slot % size),
        };
        (StripNumber(layer.first + strip as usize), offset)
    }

    /// The strips of a layer.
    pub(super) fn strips_of(&self, LayerNumber(layer): LayerNumber) -> Range<usize> {
        let layer = &self.layers[layer];
        layer.first..layer.first + layer.strips()
    }

    /// Slots of a layer.
    pub(super) fn slots_of(&self, LayerNumber(layer): LayerNumber) -> u64 {
        self.layers[layer].rows * self.layers[layer].columns
    }

    /// Slots of the layers before one.
    pub(super) fn slots_before(&self, LayerNumber(layer): LayerNumber) -> u64 {
        (0..layer).map(|layer| self.slots_of(LayerNumber(layer))).sum()
    }

    /// Slots of all layers.
    pub(super) fn slots(&self) -> u64 {
        self.slots_before(LayerNumber(self.layers.len()))
    }

    /// Slots of the largest strip.
    #[must_use]
    pub fn most_slots(&self) -> u64 {
        self.layers.iter().map(|layer| layer.each.min(layer.rows) * layer.columns).max().unwrap_or(0)
    }
}
