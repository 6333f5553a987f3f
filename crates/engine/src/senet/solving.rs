//! The bounds of a layer and of its colour swap, on the finished layers with a piece less.

use std::collections::HashMap;

use marquis_chance::grid::{Cell, Grids, Half, Layout, Plane, Swept};
use marquis_core::{ByPlayer, Player};
use marquis_games::senet::{Layer, Position};

use super::file::LoadedLayer;
use super::layout::{Enemies, Placements, SenetLayout};

/// Placements and what they mean to the opponent, by the number of pieces.
pub(crate) struct Sides {
    placements: Vec<Placements>,
    enemies: Vec<Enemies>,
}

impl Sides {
    /// Those of up to so many pieces.
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

    pub(crate) fn layout(&self, layer: Layer) -> SenetLayout<'_> {
        let (rows, fewer) = (self.placements(layer.mover), self.placements(layer.mover - 1));
        SenetLayout::new(layer, rows, fewer, self.enemies(layer.waiter))
    }
}

/// What other layers need of a finished one: the rows from which a piece may be borne off.
pub(crate) struct Edge {
    /// The chance of the player of the rows, who is to throw.
    again: Plane<u64>,
    /// The same when the opponent is to throw.
    turned: Plane<u64>,
}

/// The edges of finished layers.
pub(crate) type Edges = HashMap<Layer, Edge>;

/// A layer with its colour swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    /// The one in which the player to throw has no fewer pieces.
    pub(crate) layer: Layer,
}

pub(crate) const fn swapped(layer: Layer) -> Layer {
    Layer { mover: layer.waiter, waiter: layer.mover }
}

impl Bundle {
    /// The one or two layers.
    pub(crate) fn layers(self) -> Vec<Layer> {
        let other = swapped(self.layer);
        if other == self.layer { vec![self.layer] } else { vec![self.layer, other] }
    }

    pub(crate) fn slots(self) -> u64 {
        self.layers().into_iter().map(Layer::slots).sum()
    }

    /// Cells of the rectangles of all halves, positions or not.
    pub(crate) fn cells(self) -> u64 {
        let rows = |layer: Layer| layer.rows();
        rows(self.layer) * rows(swapped(self.layer)) * self.layers().len() as u64
    }
}

/// The layouts of a bundle, which its halves refer to.
pub(crate) fn layouts(sides: &Sides, bundle: Bundle) -> Vec<SenetLayout<'_>> {
    bundle.layers().into_iter().map(|layer| sides.layout(layer)).collect()
}

/// The halves of a bundle, of which nothing is known yet.
///
/// Panics when the layers with a piece less are not among the edges.
pub(crate) fn grids<'a, C: Cell>(
    sides: &Sides,
    layouts: &'a [SenetLayout<'a>],
    bundle: Bundle,
    edges: &Edges,
) -> Grids<'a, C> {
    let mut halves = bundle.layers().into_iter().zip(layouts).map(|(layer, layout)| {
        let below = Layer::new(layer.mover - 1, layer.waiter);
        let (again, turned) = below.map_or_else(
            || {
                // The last piece is off.
                let won = Plane::won(1, &sides.enemies(layer.waiter).columns().bands());
                (won.clone(), won)
            },
            |below| (edges[&below].again.to(), edges[&below].turned.to()),
        );
        let layout: &dyn Layout = layout;
        Half::new(layout, again, turned)
    });
    match (halves.next(), halves.next()) {
        (Some(half), Some(other)) => Grids::pair(half, other),
        (Some(half), None) => Grids::own(half),
        _ => unreachable!("a bundle has one or two layers"),
    }
}

/// What other layers need of a solved bundle.
pub(crate) fn edges<C: Cell>(sides: &Sides, bundle: Bundle, grids: &Grids<'_, C>) -> Edges {
    let edge = |(layer, half): (Layer, &Half<'_, C>)| {
        let homes: Vec<usize> = sides.placements(layer.mover).homes().collect();
        (layer, Edge { again: half.again().pick(&homes), turned: half.turned().pick(&homes) })
    };
    bundle.layers().into_iter().zip(grids.halves()).map(edge).collect()
}

/// Takes over the bounds of an iteration in other numbers, rounded outward.
pub(crate) fn refine<C: Cell, D: Cell>(from: &Grids<'_, C>, to: &mut Grids<'_, D>) {
    for (number, half) in from.halves().iter().enumerate() {
        let plane = half.again().to::<D>();
        for band in 0..plane.bands().count() {
            to.restore(number, band, plane.cells(band).to_vec());
        }
    }
}

/// Takes what other layers need from the files of a layer and of its colour swap.
pub(crate) fn edge_of_files(sides: &Sides, own: &LoadedLayer, swap: &LoadedLayer) -> Edge {
    let (rows, columns) = (sides.placements(own.layer.mover), sides.placements(own.layer.waiter));
    let homes: Vec<usize> = rows.homes().collect();
    let bands = sides.enemies(own.layer.waiter).columns().bands();
    let plane = |turn: Player, file: &LoadedLayer| {
        let mut plane = Plane::<u64>::unknown(homes.len(), &bands);
        plane.set(|row, column| {
            let pieces = ByPlayer::new(rows.sets()[homes[row]], columns.sets()[column]);
            let Some(position) = Position::new(pieces, turn) else { return (0, u64::ONE) };
            let between = file.between(file.layer.slot(&position));
            let between = if turn == Player::First { between } else { between.for_opponent() };
            (units(between.lower.next_down()), units(between.upper.next_up()))
        });
        plane
    };
    Edge { again: plane(Player::First, own), turned: plane(Player::Second, swap) }
}

fn units(chance: f64) -> u64 {
    ((chance.clamp(0.0, 1.0) * u64::ONE as f64) as u64).min(u64::ONE)
}

/// How a bundle ended.
pub(crate) enum Ending {
    /// The bounds are no farther apart than this.
    Met(f64),
    /// Somebody asked to stop.
    Stopped,
}

/// Sweeps until the bounds are close enough, or cannot come closer.
///
/// * `after`: called after each sweep with its number and the gap; asks to stop when it is false.
pub(crate) fn iterate<C: Cell>(
    grids: &mut Grids<'_, C>,
    goal: f64,
    stop: &std::sync::atomic::AtomicBool,
    mut after: impl FnMut(&Grids<'_, C>, usize, f64) -> bool,
) -> Ending {
    let (mut last, mut stalled) = (f64::INFINITY, 0);
    for sweep in 1.. {
        let Swept::All(gap) = grids.sweep(stop) else { return Ending::Stopped };
        let gap = gap.to_f64();
        // At first nothing changes in the position that is farthest from the end.
        stalled = if gap < last || gap > STALL_BELOW { 0 } else { stalled + 1 };
        last = gap;
        if gap <= goal || stalled == STALLED {
            return Ending::Met(gap);
        }
        if !after(grids, sweep, gap) {
            return Ending::Stopped;
        }
    }
    Ending::Stopped
}

/// So many sweeps without progress mean that rounding allows none.
const STALLED: usize = 4;
/// Bounds farther apart than this are still on their way.
const STALL_BELOW: f64 = 1e-3;

impl Bundle {
    /// How far the bounds may stay apart: a share of what the largest layer may have, since the gaps of the layers
    /// below are part of it.
    pub(crate) fn goal(self) -> f64 {
        let pieces = f64::from(self.layer.mover + self.layer.waiter);
        match self.precision() {
            Precision::Fine => 1.5e-9 * (pieces - 1.0) / 5.0,
            Precision::Coarse => 1.8e-6 * (pieces - 1.0) / 9.0,
        }
    }

    /// In which numbers it is solved.
    pub(crate) const fn precision(self) -> Precision {
        if self.layer.mover <= 3 { Precision::Fine } else { Precision::Coarse }
    }
}

/// How precise the numbers of an iteration are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Eight bytes, for errors down to 10⁻⁹ and beyond.
    Fine,
    /// Four bytes, for errors down to 10⁻⁶.
    Coarse,
}
