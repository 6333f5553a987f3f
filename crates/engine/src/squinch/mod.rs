//! Tables of Squinch: what layers are called, and solving them in one pass.

use marquis_core::{Indexed, Plies, Score};
use marquis_games::Squinch;
use marquis_games::catalogue::{GameId, Notation};
use marquis_games::squinch::index::camp::{Camp as Numbered, Level};
use marquis_games::squinch::{Checkers, Position, SquinchIndex};
use marquis_retro::camps::{self, Below, Camp, Placement, Sides, Stretch};
use marquis_retro::layered::Layer;
use marquis_retro::{Cells, Entry, Layers, Stopped};

use crate::EngineError;
use crate::tabled::{MOST_INDEX_BYTES, Reopen, Tabled, Work};

/// Bytes that a placement takes while its layer is solved, its moves among them.
const BYTES_PER_PLACEMENT: u64 = 120;

/// The index of a board for so many checkers a side, if it is not too large.
///
/// # Errors
/// The index is too large.
pub(crate) fn squinch_index(game: Squinch, most: u8) -> Result<SquinchIndex, EngineError> {
    let needed = SquinchIndex::bytes(game, most);
    if needed > MOST_INDEX_BYTES {
        let what = format!("numbering {most} checkers a side of squinch on {}", variant(game));
        return Err(EngineError::TooLarge { what, needed, limit: MOST_INDEX_BYTES });
    }
    Ok(SquinchIndex::new(game, most))
}

fn variant(game: Squinch) -> String {
    format!("files={} ranks={}", game.files(), game.ranks())
}

/// The board of a variant such as `files=4 ranks=4`.
fn board_of(text: &str) -> Option<Squinch> {
    let (files, ranks) = text.strip_prefix("files=")?.split_once(" ranks=")?;
    let game = Squinch::new(files.parse().ok()?, ranks.parse().ok()?)?;
    (variant(game) == text).then_some(game)
}

/// The layer of a name such as `03v04`.
fn checkers(name: &str) -> Option<Checkers> {
    let (mover, waiter) = name.split_once('v')?;
    Some(Checkers { mover: mover.parse().ok()?, waiter: waiter.parse().ok()? })
}

impl Tabled for SquinchIndex {
    type Rules = Squinch;

    fn game_name(&self) -> &'static str {
        GameId::Squinch.name()
    }

    fn variant(&self) -> String {
        variant(*self.game())
    }

    fn numbering(&self) -> u32 {
        Self::VERSION
    }

    fn folder(&self) -> String {
        format!("squinch-{}x{}", self.game().files(), self.game().ranks())
    }

    fn layer_name(&self, layer: Checkers) -> String {
        format!("{:02}v{:02}", layer.mover, layer.waiter)
    }

    fn layer_named(&self, name: &str) -> Option<Checkers> {
        checkers(name).filter(|layer| layer.mover.max(layer.waiter) <= self.most_checkers())
    }

    fn text(&self, position: &Position) -> String {
        self.game().position_text(position)
    }

    fn locate(&self, rules: &Squinch, position: &Position) -> Option<(Checkers, Position)> {
        let here = rules == self.game() && self.covers(position);
        here.then(|| (Self::layer(position), *position))
    }

    fn same_rules(&self, rules: &Squinch, _: &Position) -> bool {
        rules == self.game()
    }

    fn bytes(&self) -> u64 {
        Self::bytes(*self.game(), self.most_checkers())
    }

    fn solve(&self, layer: Checkers, work: Work<'_, Checkers>) -> Result<Vec<Layer<Checkers>>, Stopped> {
        if layer.mover.min(layer.waiter) == 0 {
            return Ok(finished(self, layer));
        }
        let (more, fewer) = (layer.mover.max(layer.waiter), layer.mover.min(layer.waiter));
        let camp = |checkers| camp(self, checkers);
        let (rows, fewer_columns) = (camp(more), camp(fewer - 1));
        // Where the numbers of checkers are the same, the camps are.
        let other = (more != fewer).then(|| (camp(fewer), camp(more - 1)));
        let (columns, fewer_rows) = match &other {
            Some((columns, fewer_rows)) => (columns, fewer_rows),
            None => (&rows, &fewer_columns),
        };
        let own = Checkers { mover: more, waiter: fewer };
        let column_off = below(work.lower, Checkers { mover: more, waiter: fewer - 1 });
        let below = match other {
            Some(_) => Below::Uneven {
                row_off: below(work.lower, Checkers { mover: fewer, waiter: more - 1 }),
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

    /// Each cell, the layer below turned where both sides have as many checkers, and what the moves take.
    fn solving_bytes(&self, layers: &[Checkers]) -> u64 {
        let slots: u64 = layers.iter().map(|&layer| self.slots(layer)).sum();
        let even =
            layers.iter().filter(|layer| layer.mover == layer.waiter).filter_map(|layer| layer.borne_off());
        let turned: u64 = even.map(|layer| self.slots(layer)).sum();
        let placements =
            layers.iter().map(|layer| Numbered::placements(*self.game(), layer.mover)).sum::<u64>();
        slots + turned + placements * BYTES_PER_PLACEMENT
    }
}

/// The layers in which a side has borne off everything: who has no checker has won, the one who moved last if both.
fn finished(index: &SquinchIndex, layer: Checkers) -> Vec<Layer<Checkers>> {
    let solved = |layer: Checkers| {
        let score = if layer.waiter == 0 { Score::Loss(Plies::ZERO) } else { Score::Win(Plies::ZERO) };
        let code = Entry::Score(score).code() as u8;
        Layer { layer, cells: Cells::Narrow(vec![code; index.slots(layer) as usize]) }
    };
    index.peers(layer).into_iter().map(solved).collect()
}

/// A finished layer. The plan of a build has it ready.
fn below(lower: &Layers<Checkers>, layer: Checkers) -> &Cells {
    lower.get(layer).expect("every layer below is finished")
}

/// All placements of so many checkers, with their moves.
fn camp(index: &SquinchIndex, checkers: u8) -> Camp {
    let stretch =
        |level: &Level| Stretch { start: level.start, chosen: level.chosen, symmetric: level.symmetric };
    let stretches = index.camp(checkers).levels().iter().map(stretch).collect();
    Camp::new(stretches, |number| {
        let (covers, faces) = index.covered(checkers, number);
        let (steps, offs) = index.led_to(checkers, number);
        Placement { covers, faces, steps, offs }
    })
}

impl Reopen for SquinchIndex {
    const GAME: GameId = GameId::Squinch;
    const NUMBERING: u32 = Self::VERSION;

    fn reopen(variant: &str, layers: &[&str]) -> Result<Self, String> {
        let game = board_of(variant);
        let game = game.ok_or_else(|| format!("expected such as files=4 ranks=4, found {variant}"))?;
        let named = layers.iter().filter_map(|name| checkers(name));
        let most = named.map(|layer| layer.mover.max(layer.waiter)).max().unwrap_or(0);
        squinch_index(game, most).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod asked;
#[cfg(test)]
mod tests;
