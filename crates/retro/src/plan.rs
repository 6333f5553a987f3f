//! The layers that a build solves, their order, and the memory that they take.

use std::collections::{BTreeMap, BTreeSet};

use marquis_core::Indexed;

/// Layers that are solved together, because play can go to and fro between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle<L> {
    /// The layers, in rising order.
    pub layers: Vec<L>,
    /// Slots of each layer, in the same order.
    pub slots: Vec<u64>,
    /// The layers that must be finished first.
    pub below: Vec<L>,
}

impl<L> Bundle<L> {
    /// Slots of all its layers.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.slots.iter().sum()
    }
}

/// Bundles in an order in which each one follows all that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundlePlan<L> {
    /// The bundles, the first one to solve first.
    pub bundles: Vec<Bundle<L>>,
}

/// The layers that layers lead to.
struct LayerGraph<'a, L> {
    component: &'a dyn Fn(L) -> Vec<L>,
    below: &'a dyn Fn(L) -> Vec<L>,
    slots: &'a dyn Fn(L) -> u64,
}

impl<L: Copy + Ord> LayerGraph<'_, L> {
    fn add(&self, layer: L, planned: &mut BTreeSet<L>, bundles: &mut Vec<Bundle<L>>) {
        if planned.contains(&layer) {
            return;
        }
        let layers = (self.component)(layer);
        planned.extend(layers.iter().copied());
        let below = (self.below)(layer);
        for &lower in &below {
            self.add(lower, planned, bundles);
        }
        let slots = layers.iter().map(|&layer| (self.slots)(layer)).collect();
        bundles.push(Bundle { layers, slots, below });
    }
}

impl<L: Copy + Ord> BundlePlan<L> {
    /// The plan for some layers and everything below them.
    #[must_use]
    pub fn new<G: Indexed<Layer = L>>(game: &G, wanted: impl IntoIterator<Item = L>) -> Self {
        Self::of(wanted, &|layer| game.component(layer), &|layer| game.child_layers(layer), &|layer| {
            game.slots(layer)
        })
    }

    /// The same, with given functions for the layers that layers lead to.
    ///
    /// * `component`, `child_layers`, `slots`: as those of [`Indexed`].
    #[must_use]
    pub fn of(
        wanted: impl IntoIterator<Item = L>,
        component: &dyn Fn(L) -> Vec<L>,
        below: &dyn Fn(L) -> Vec<L>,
        slots: &dyn Fn(L) -> u64,
    ) -> Self {
        let mut planned = BTreeSet::new();
        let mut bundles = Vec::new();
        let shape = LayerGraph { component, below, slots };
        for layer in wanted {
            shape.add(layer, &mut planned, &mut bundles);
        }
        Self { bundles }
    }

    /// All layers, in the order of solving.
    pub fn layers(&self) -> impl Iterator<Item = L> {
        self.bundles.iter().flat_map(|bundle| bundle.layers.iter().copied())
    }

    /// The bundles in waves: those of one wave lead to earlier waves only, so they can be solved at the same time.
    #[must_use]
    pub fn waves(&self) -> Vec<Vec<&Bundle<L>>> {
        let mut waves: Vec<Vec<&Bundle<L>>> = Vec::new();
        let mut wave_of: BTreeMap<L, usize> = BTreeMap::new();
        for bundle in &self.bundles {
            let wave = bundle.below.iter().map(|lower| wave_of[lower] + 1).max().unwrap_or(0);
            wave_of.extend(bundle.layers.iter().map(|&layer| (layer, wave)));
            waves.resize_with(waves.len().max(wave + 1), Vec::new);
            waves[wave].push(bundle);
        }
        waves
    }

    /// Slots of all layers.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.bundles.iter().map(Bundle::slots).sum()
    }
}
