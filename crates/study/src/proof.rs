//! The strategies of a study put together to one, and replayed.

use marquis_core::{Game, Player};
use marquis_proof::checker::{Grounds, Refusal};
use marquis_proof::{Kind, Strategy, Union};

use crate::event::{Foreign, Id, Journal};
use crate::tree::{By, Ground, Tree, head};

/// Why there is no proof of what the tree says.
#[derive(Debug, thiserror::Error)]
pub enum Unassembled<E> {
    /// The tree does not say so.
    #[error("expected a first position of which this is known, found one that is open")]
    Open,
    /// A strategy that was kept, or the whole of them, is refused by the checker.
    #[error("expected strategies that replay by the rules, found one that is refused: {0}")]
    Refused(#[from] Refusal),
    /// The job has no such strategy.
    #[error("expected a strategy of job {job} for this player, found none")]
    Missing {
        /// The number of the event.
        job: u32,
    },
    /// A strategy begins with no head of one.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// The journal cannot be read.
    #[error("what was kept cannot be read")]
    Journal(#[source] E),
}

/// The strategy from the first position with which the player keeps his promise, which the checker has replayed by the
/// rules alone.
///
/// Strategies of jobs are taken in the order in which they were found, and so are the moves of the tree: each position
/// plays what was found for it first, so that every line leads to what was found earlier, and ends, or goes round where
/// no more is promised.
///
/// * `stop`: asked now and then whether to give up.
///
/// # Errors
/// Nothing of the kind is known, the journal cannot be read, or the checker refuses.
pub fn assemble<G: Game, J: Journal>(
    tree: &Tree<'_, G>,
    journal: &J,
    (holder, kind): (Player, Kind),
    stop: &dyn Fn() -> bool,
) -> Result<Strategy<G>, Unassembled<J::Error>> {
    let game = tree.game;
    let mut needed = needed(tree, holder, kind).ok_or(Unassembled::Open)?;
    needed.sort_by_key(|(id, ground)| (ground.moment, *id));
    let mut union = Union::new(holder, kind, *tree.root());
    let give_up = |_: usize| stop();
    let grounds = || Grounds::without_tables(&give_up);
    for (id, ground) in needed {
        let position = &tree.node(id).position;
        match ground.by {
            By::Over | By::AllMoves => {}
            By::Move(number) => union.add_move(*position, number),
            By::Job(job) => {
                let strategies = journal.strategies(job).map_err(Unassembled::Journal)?;
                let mut fits = None;
                for bytes in &strategies {
                    let (of, by) = head(bytes)?;
                    if by == holder && (of == Kind::Win || of == kind) {
                        fits = Some((of, bytes));
                    }
                }
                let (of, bytes) = fits.ok_or(Unassembled::Missing { job })?;
                union.add(&of.replay(game, position, holder, bytes, grounds())?);
            }
        }
    }
    let strategy = union.finish(game);
    drop(union);
    strategy.replay(game, grounds())?;
    Ok(strategy)
}

/// The positions of the tree that the proof leads through, each with the ground of its fact; none where the first one
/// has no such fact.
fn needed<G: Game>(tree: &Tree<'_, G>, holder: Player, kind: Kind) -> Option<Vec<(Id, Ground)>> {
    let mut seen = vec![false; tree.positions()];
    let mut found = Vec::new();
    let mut stack = vec![Id::ROOT];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let node = tree.node(id);
        let ground = node.facts[holder].ground(kind)?;
        found.push((id, ground));
        match ground.by {
            By::Over | By::Job(_) => {}
            By::Move(number) => stack.push(*node.children.get(usize::from(number))?),
            By::AllMoves => stack.extend(&node.children),
        }
    }
    Some(found)
}
