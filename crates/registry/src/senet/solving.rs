//! The bounds of a layer and of its colour swap, on the finished layers with one piece fewer.

use std::collections::HashMap;

use marquis_chance::grid::{BackupOrder, BoundsPlane, ChanceCell, Grids, Half, Layout, Plane};
use marquis_core::{ByPlayer, Player};
use marquis_engine::chance::LoadedLayer;
use marquis_games::senet::{Position, SenetLayer};

use super::layout::{Enemies, Placements, SenetLayout};

/// Placements and their effect on the opponent, by the number of pieces.
pub(crate) struct PlacementTables {
    placements: Vec<Placements>,
    enemies: Vec<Enemies>,
}

impl PlacementTables {
    /// The placements of up to `most` pieces.
    pub(crate) fn new(most: u8) -> Self {
        let placements: Vec<Placements> = (0..=most).map(Placements::new).collect();
        let enemies = placements.iter().map(Enemies::new).collect();
        Self { placements, enemies }
    }

    pub(crate) fn placements(&self, pieces: u8) -> &Placements {
        &self.placements[usize::from(pieces)]
    }

    fn enemies(&self, pieces: u8) -> &Enemies {
        &self.enemies[usize::from(pieces)]
    }

    pub(crate) fn layout(&self, layer: SenetLayer) -> SenetLayout<'_> {
        let (rows, fewer) = (self.placements(layer.mover), self.placements(layer.mover - 1));
        SenetLayout::new(layer, rows, fewer, self.enemies(layer.opponent))
    }
}

/// The data of a finished layer that other layers need: the rows from which a piece may be borne off.
pub(crate) struct Edge {
    /// The chance of the player of the rows, who is to throw.
    again: BoundsPlane<u64>,
    /// The same when the opponent is to throw.
    turned: BoundsPlane<u64>,
    /// The largest gap between bounds.
    gap: f64,
    /// A text that identifies its source.
    content: String,
}

#[cfg(any(test, feature = "measure"))]
impl Edge {
    /// The edge of a layer about which nothing is known.
    pub(crate) fn unknown(sides: &PlacementTables, layer: SenetLayer) -> Self {
        let rows = sides.placements(layer.mover).homes().count();
        let plane = || BoundsPlane::unknown(rows, &sides.enemies(layer.opponent).columns().bands());
        Self { again: plane(), turned: plane(), gap: 1.0, content: "unknown".to_owned() }
    }
}

/// The edges of finished layers; the bounds are those of their files, whichever build wrote them.
pub(crate) type Edges = HashMap<SenetLayer, Edge>;

/// A layer with its colour swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SwapPair {
    /// The layer in which the player to throw has at least as many pieces as the opponent.
    pub(crate) layer: SenetLayer,
}

pub(crate) const fn swapped(layer: SenetLayer) -> SenetLayer {
    SenetLayer { mover: layer.opponent, opponent: layer.mover }
}

impl SwapPair {
    /// The one or two layers.
    pub(crate) fn layers(self) -> Vec<SenetLayer> {
        let other = swapped(self.layer);
        if other == self.layer { vec![self.layer] } else { vec![self.layer, other] }
    }

    /// The cells of the rectangles of all halves, including those without a position.
    pub(crate) fn cells(self) -> u64 {
        let rows = |layer: SenetLayer| layer.rows();
        rows(self.layer) * rows(swapped(self.layer)) * self.layers().len() as u64
    }
}

/// The layouts of a bundle, which its halves refer to.
pub(crate) fn layouts(sides: &PlacementTables, bundle: SwapPair) -> Vec<SenetLayout<'_>> {
    bundle.layers().into_iter().map(|layer| sides.layout(layer)).collect()
}

/// The halves of a bundle with unknown values, on the bounds of the layers below.
///
/// Panics if the layers with one piece fewer are not among the edges.
pub(crate) fn bound_grids<'a, C: ChanceCell>(
    sides: &PlacementTables,
    layouts: &'a [SenetLayout<'a>],
    bundle: SwapPair,
    edges: &Edges,
    order: BackupOrder,
) -> Grids<'a, C, 2> {
    grids(sides, layouts, bundle, edges, order, &BoundsPlane::to)
}

/// The halves of a bundle for estimates, on the middles of the bounds of the layers below.
///
/// Panics if the layers with one piece fewer are not among the edges.
pub(crate) fn estimate_grids<'a, C: ChanceCell>(
    sides: &PlacementTables,
    layouts: &'a [SenetLayout<'a>],
    bundle: SwapPair,
    edges: &Edges,
    order: BackupOrder,
) -> Grids<'a, C, 1> {
    grids(sides, layouts, bundle, edges, order, &|plane| plane.to::<C>().middle())
}

fn grids<'a, C: ChanceCell, const N: usize>(
    sides: &PlacementTables,
    layouts: &'a [SenetLayout<'a>],
    bundle: SwapPair,
    edges: &Edges,
    order: BackupOrder,
    finished: &dyn Fn(&BoundsPlane<u64>) -> Plane<C, N>,
) -> Grids<'a, C, N> {
    let mut halves = bundle.layers().into_iter().zip(layouts).map(|(layer, layout)| {
        let below = SenetLayer::new(layer.mover - 1, layer.opponent);
        let (again, turned) = below.map_or_else(
            || {
                // The last piece is off.
                let won = Plane::won(1, &sides.enemies(layer.opponent).columns().bands());
                (won.clone(), won)
            },
            |below| (finished(&edges[&below].again), finished(&edges[&below].turned)),
        );
        let layout: &dyn Layout = layout;
        Half::new(layout, again, turned)
    });
    match (halves.next(), halves.next()) {
        (Some(half), Some(other)) => Grids::pair(half, other, order),
        (Some(half), None) => Grids::own(half, order),
        _ => unreachable!("a bundle has one or two layers"),
    }
}

/// The layers that the moves of a bundle lead to; their colour swaps are needed too.
pub(crate) fn layers_below(bundle: SwapPair) -> Vec<SenetLayer> {
    bundle.layers().into_iter().filter_map(|layer| SenetLayer::new(layer.mover - 1, layer.opponent)).collect()
}

/// A text that identifies the sources of the edges below a bundle.
pub(crate) fn content_below(bundle: SwapPair, edges: &Edges) -> String {
    layers_below(bundle).iter().map(|layer| edges[layer].content.as_str()).collect::<Vec<_>>().join("; ")
}

/// The largest gap between bounds in the layers below a bundle.
pub(crate) fn gap_below(bundle: SwapPair, edges: &Edges) -> f64 {
    layers_below(bundle).iter().map(|layer| edges[layer].gap).fold(0.0, f64::max)
}

/// Extracts the edge from the files of a layer and of its colour swap.
pub(crate) fn edge_of_files(
    sides: &PlacementTables,
    own: &LoadedLayer<SenetLayer>,
    swap: &LoadedLayer<SenetLayer>,
) -> Edge {
    let (rows, columns) = (sides.placements(own.layer().mover), sides.placements(own.layer().opponent));
    let homes: Vec<usize> = rows.homes().collect();
    let bands = sides.enemies(own.layer().opponent).columns().bands();
    let plane = |turn: Player, file: &LoadedLayer<SenetLayer>| {
        let mut plane = BoundsPlane::<u64>::unknown(homes.len(), &bands);
        let bounds = |row: usize, column: usize| {
            let pieces = ByPlayer::new(rows.sets()[homes[row]], columns.sets()[column]);
            let [lower, upper] = file.bounds(file.layer().slot(&Position::new(pieces, turn)?));
            Some(if turn == Player::First {
                [lower, upper]
            } else {
                [upper.complement(), lower.complement()]
            })
        };
        plane.set(|row, column| bounds(row, column).unwrap_or([0, u64::ONE]));
        let cells = (0..homes.len()).flat_map(|row| (0..columns.count()).map(move |column| (row, column)));
        let gaps = cells.filter_map(|(row, column)| bounds(row, column)).map(|[lower, upper]| upper - lower);
        let gap = gaps.max().unwrap_or(0);
        (plane, gap)
    };
    let ((again, own_gap), (turned, swap_gap)) = (plane(Player::First, own), plane(Player::Second, swap));
    let content = format!("{}, {}", own.content(), swap.content());
    Edge { again, turned, gap: own_gap.max(swap_gap).to_f64(), content }
}

impl SwapPair {
    /// The largest gap between the bounds. It is a fraction of the largest layer's, because the gaps of the layers
    /// below are part of it. Layers with five pieces may have more, so that those with four have 10⁻⁶ to themselves.
    pub(crate) fn goal(self) -> f64 {
        let pieces = f64::from(self.layer.mover + self.layer.opponent);
        match (self.precision(), self.layer.mover) {
            (Precision::Fine, _) => 1.5e-9 * (pieces - 1.0) / 5.0,
            (Precision::Coarse, ..5) => 1.98e-6 * (pieces - 1.0) / 7.0,
            (Precision::Coarse, _) => 3.96e-6 * (pieces - 1.0) / 9.0,
        }
    }

    /// The order of its backups. The layers that may not fit into memory are swept in strips on any storage, because
    /// their bytes depend on the order. For others that would only mean more sweeps.
    pub(crate) const fn order(self) -> BackupOrder {
        if self.layer.mover + self.layer.opponent >= 9 { BackupOrder::Strips } else { BackupOrder::Tiles }
    }

    /// Positions of all layers.
    pub(crate) fn slots(self) -> u64 {
        self.layers().into_iter().map(SenetLayer::slots).sum()
    }

    /// The precision of the numbers with which it is solved.
    pub(crate) const fn precision(self) -> Precision {
        if self.layer.mover <= 3 { Precision::Fine } else { Precision::Coarse }
    }
}

/// The precision of the numbers of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Eight bytes, for errors down to 10⁻⁹ and beyond.
    Fine,
    /// Four bytes, for errors down to 10⁻⁶.
    Coarse,
}
