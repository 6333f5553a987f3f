//! The designer's claims about Squinch: nothing repeats, and one player always has a move.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{Acyclic, Game, Indexed, Slot};
use marquis_games::Squinch;
use marquis_games::squinch::{Move, Position, SquinchIndex};
use rayon::prelude::*;

use super::claim;
use crate::reports::Claim;
use crate::tabled::Tabled;
use crate::tables::Shelf;
use crate::{Control, EngineError, Progress};

/// Every move but a pass makes progress.
pub(super) const PROGRESS: &str = "nothing repeats: every move but a pass makes progress";

/// Slots between two looks at the stop flag.
const BATCH: u64 = 1 << 14;

/// The first counterexamples that were met.
pub(super) struct Claims {
    game: Squinch,
    repeats: OnceLock<String>,
    both_stuck: OnceLock<String>,
}

impl Claims {
    pub(super) const fn new(game: Squinch) -> Self {
        Self { game, repeats: OnceLock::new(), both_stuck: OnceLock::new() }
    }

    /// Looks at a position in which the game goes on.
    ///
    /// * `moves`: anything; it is emptied.
    pub(super) fn look_at(&self, position: &Position, moves: &mut Vec<Move>) {
        let game = self.game;
        moves.clear();
        game.moves(position, moves);
        if *moves == [Move::Pass] {
            let after = game.play(position, Move::Pass);
            moves.clear();
            game.moves(&after, moves);
            if *moves == [Move::Pass] {
                self.both_stuck.get_or_init(|| game.text(position));
            }
            return;
        }
        let before = game.progress(position);
        for &mv in moves.iter() {
            if game.progress(&game.play(position, mv)) <= before {
                self.repeats.get_or_init(|| game.text(position));
            }
        }
    }

    pub(super) fn verdicts(self) -> Vec<Claim> {
        vec![
            claim(PROGRESS, self.repeats.into_inner()),
            claim("one player always has a move", self.both_stuck.into_inner()),
        ]
    }
}

/// The claims checked on every position of the layers in files.
///
/// # Errors
/// An interruption.
pub(super) fn of_tables(
    shelf: &Shelf<SquinchIndex>,
    control: &Control<'_>,
) -> Result<Vec<Claim>, EngineError> {
    let index = shelf.index();
    let claims = Claims::new(*index.game());
    for layer in shelf.layers().filter(|layer| layer.mover.min(layer.waiter) > 0) {
        let slots = index.slots(layer);
        let done = AtomicU64::new(0);
        (0..slots.div_ceil(BATCH)).into_par_iter().try_for_each_init(Vec::new, |moves, batch| {
            if control.stopped() {
                return Err(EngineError::Interrupted);
            }
            let numbers = batch * BATCH..slots.min((batch + 1) * BATCH);
            let phase = format!("moves of {}", index.layer_name(layer));
            let done = done.fetch_add(numbers.end - numbers.start, Relaxed);
            control.tell(&Progress { phase, done, total: Some(slots), bounds: None });
            for position in numbers.filter_map(|slot| index.position(layer, Slot(slot))) {
                claims.look_at(&position, moves);
            }
            Ok(())
        })?;
    }
    Ok(claims.verdicts())
}
