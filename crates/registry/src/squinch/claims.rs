//! The designer's claims about Squinch: nothing repeats, and one player always has a move.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{Acyclic, Game, Indexed, Notation as _, Slot};
use marquis_engine::game::{ClaimId, ClaimSource, Evidence, Finding, LookedAt, Shelf, Tabled as _};
use marquis_engine::{Control, EngineError, Progress};
use marquis_games::squinch::Squinch;
use marquis_games::squinch::{Move, Position};
use rayon::prelude::*;

use super::Squinch as Adapter;

/// Play ends because every move but a pass makes progress.
const PROGRESS: ClaimId =
    ClaimId::OfDesigner { words: "nothing repeats: every move but a pass makes progress", ends_play: true };
const ALWAYS_A_MOVE: ClaimId =
    ClaimId::OfDesigner { words: "one player always has a move", ends_play: false };

/// Slots between two checks of the stop flag.
const BATCH: u64 = 1 << 14;

/// The first counterexamples found.
struct SquinchClaims {
    game: Squinch,
    repeats: OnceLock<String>,
    both_stuck: OnceLock<String>,
}

impl SquinchClaims {
    const fn new(game: Squinch) -> Self {
        Self { game, repeats: OnceLock::new(), both_stuck: OnceLock::new() }
    }

    /// Checks a position of an unfinished game.
    ///
    /// * `moves`: a scratch buffer; it is cleared.
    fn look_at(&self, position: &Position, moves: &mut Vec<Move>) {
        let game = self.game;
        moves.clear();
        game.moves(position, moves);
        if *moves == [Move::Pass] {
            let after = game.play(position, Move::Pass);
            moves.clear();
            game.moves(&after, moves);
            if *moves == [Move::Pass] {
                self.both_stuck.get_or_init(|| game.position_text(position));
            }
            return;
        }
        let before = game.progress(position);
        for &mv in moves.iter() {
            if game.progress(&game.play(position, mv)) <= before {
                self.repeats.get_or_init(|| game.position_text(position));
            }
        }
    }

    fn verdicts(self, looked_at: &LookedAt) -> Vec<Finding> {
        vec![
            Finding::among(PROGRESS, looked_at, self.repeats.into_inner()),
            Finding::among(ALWAYS_A_MOVE, looked_at, self.both_stuck.into_inner()),
        ]
    }
}

/// Checks the designer's claims on solved positions or on tables.
///
/// # Errors
/// An interruption.
pub(super) fn claims(
    game: Squinch,
    evidence: Evidence<'_, Adapter>,
    control: &Control<'_>,
) -> Result<Vec<Finding>, EngineError> {
    let claims = SquinchClaims::new(game);
    match evidence.source {
        ClaimSource::Reachable(solved) => {
            let mut moves = Vec::new();
            for (position, _) in solved.iter().filter(|(position, _)| game.over(position).is_none()) {
                claims.look_at(position, &mut moves);
            }
        }
        ClaimSource::Tables(shelf) => look_at_tables(&claims, shelf, control)?,
    }
    Ok(claims.verdicts(evidence.looked_at))
}

/// Checks every position of the layers in files.
///
/// # Errors
/// An interruption.
fn look_at_tables(
    claims: &SquinchClaims,
    shelf: &Shelf<Adapter>,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    let index = shelf.index();
    for layer in shelf.layers().filter(|layer| layer.mover.min(layer.opponent) > 0) {
        let slots = index.slots(layer);
        let done = AtomicU64::new(0);
        (0..slots.div_ceil(BATCH)).into_par_iter().try_for_each_init(Vec::new, |moves, batch| {
            if control.stopped() {
                return Err(EngineError::Interrupted);
            }
            let numbers = batch * BATCH..slots.min((batch + 1) * BATCH);
            let phase = format!("moves of {}", Adapter::layer_name(layer));
            let done = done.fetch_add(numbers.end - numbers.start, Relaxed);
            control.tell(&Progress { phase, done, total: Some(slots), bounds: None });
            for position in numbers.filter_map(|slot| index.position(layer, Slot(slot))) {
                claims.look_at(&position, moves);
            }
            Ok(())
        })?;
    }
    Ok(())
}
