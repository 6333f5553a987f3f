//! A layer of Squinch and its swap, solved in one pass.

use marquis_core::{Indexed as _, Plies, Score};
use marquis_engine::game::{LayerSolver, Method, MethodCost, Work};
use marquis_games::squinch::index::camp::CampLevel;
use marquis_games::squinch::{Checkers, SquinchIndex};
use marquis_retro::camps::{self, Below, Camp, Placement, Sides, Stretch};
use marquis_retro::layered::Layer;
use marquis_retro::{Entry, LayerCells, Layers, Stopped};

/// Bytes of a placement while its layer is solved, including its moves.
const BYTES_PER_PLACEMENT: u64 = 120;

/// Solves layers camp against camp.
pub(super) struct ByCamps<'a>(pub(super) &'a SquinchIndex);

impl LayerSolver<Checkers> for ByCamps<'_> {
    fn methods(&self, layer: Checkers, _: u64) -> Vec<MethodCost> {
        vec![MethodCost::in_memory(Method::Camps, bytes(self.0, &self.0.component(layer)))]
    }

    fn solve(
        &self,
        _: Method,
        layer: Checkers,
        work: Work<'_, Checkers>,
    ) -> Result<Vec<Layer<Checkers>>, Stopped> {
        layers(self.0, layer, &work)
    }
}

/// The scores of a layer and its swap.
fn layers(
    index: &SquinchIndex,
    layer: Checkers,
    work: &Work<'_, Checkers>,
) -> Result<Vec<Layer<Checkers>>, Stopped> {
    if layer.mover.min(layer.opponent) == 0 {
        return Ok(finished(index, layer));
    }
    let (more, fewer) = (layer.mover.max(layer.opponent), layer.mover.min(layer.opponent));
    let camp = |checkers| camp(index, checkers);
    let (rows, fewer_columns) = (camp(more), camp(fewer - 1));
    // With equal numbers of checkers the camps are the same.
    let other = (more != fewer).then(|| (camp(fewer), camp(more - 1)));
    let (columns, fewer_rows) = match &other {
        Some((columns, fewer_rows)) => (columns, fewer_rows),
        None => (&rows, &fewer_columns),
    };
    let own = Checkers { mover: more, opponent: fewer };
    let column_off = below(work.lower, Checkers { mover: more, opponent: fewer - 1 });
    let below = match other {
        Some(_) => Below::Uneven {
            row_off: below(work.lower, Checkers { mover: fewer, opponent: more - 1 }),
            column_off,
        },
        None => Below::Even { off: column_off },
    };
    let sides = Sides { rows: &rows, columns, fewer_rows, fewer_columns: &fewer_columns };
    let solved = camps::solve(sides, below, work.limits, work.progress)?;
    let other = Layer { layer: own.swapped(), cells: solved.other };
    let own = solved.own.map(|cells| Layer { layer: own, cells });
    Ok([Some(other), own].into_iter().flatten().collect())
}

/// The bytes of each cell, of the turned layer below if both sides have the same number of checkers, and of the
/// moves.
fn bytes(index: &SquinchIndex, layers: &[Checkers]) -> u64 {
    let slots: u64 = layers.iter().map(|&layer| index.slots(layer)).sum();
    let even =
        layers.iter().filter(|layer| layer.mover == layer.opponent).filter_map(|layer| layer.borne_off());
    let turned: u64 = even.map(|layer| index.slots(layer)).sum();
    let placements: u64 = layers.iter().map(|layer| u64::from(index.camp(layer.mover).count())).sum();
    slots + turned + placements * BYTES_PER_PLACEMENT
}

/// The layers in which a side has borne off everything: a player without checkers has won, or the one who moved last
/// if both have none.
fn finished(index: &SquinchIndex, layer: Checkers) -> Vec<Layer<Checkers>> {
    let solved = |layer: Checkers| {
        let score = if layer.opponent == 0 { Score::Loss(Plies::ZERO) } else { Score::Win(Plies::ZERO) };
        let code = Entry::Score(score).code() as u8;
        Layer { layer, cells: LayerCells::Narrow(vec![code; index.slots(layer) as usize]) }
    };
    index.component(layer).into_iter().map(solved).collect()
}

/// A finished layer, which the plan of a build has solved before.
fn below(lower: &Layers<Checkers>, layer: Checkers) -> &LayerCells {
    lower.get(layer).expect("every layer below is finished")
}

/// All placements of `checkers` checkers, with their moves.
fn camp(index: &SquinchIndex, checkers: u8) -> Camp {
    let stretch =
        |level: &CampLevel| Stretch { start: level.start, chosen: level.chosen, symmetric: level.symmetric };
    let stretches = index.camp(checkers).levels().iter().map(stretch).collect();
    Camp::new(stretches, |number| {
        let (covers, faces) = index.covered(checkers, number);
        let (steps, offs) = index.led_to(checkers, number);
        Placement { covers, faces, steps, offs }
    })
}
