//! Combines the strategies of a study into one, and replays it.

use marquis_core::{Game, Player};
use marquis_proof::checker::{Grounds, Refusal};
use marquis_proof::{Guarantee, Strategy, Union};

use crate::event::{Foreign, Id, Journal};
use crate::tree::{By, Justification, Tree, head};

/// Why a fact of the tree could not be proved.
#[derive(Debug, thiserror::Error)]
pub enum Unassembled<E> {
    /// The tree has no such fact.
    #[error("expected a decided first position, found an undecided one")]
    Open,
    /// The checker refuses a stored strategy, or the combined one.
    #[error("a strategy does not replay by the rules: {0}")]
    Refused(#[from] Refusal),
    /// The job has no such strategy.
    #[error("expected a strategy of job {job} for this player, found none")]
    Missing {
        /// The number of the event.
        job: u32,
    },
    /// A strategy does not begin with a valid head.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// The journal cannot be read.
    #[error("a stored strategy cannot be read")]
    Journal(#[source] E),
}

/// The strategy with which the player keeps the promise from the first position; the checker has replayed it by the
/// rules alone.
///
/// Strategies of jobs and moves of the tree are added in the order in which they were found. Each position uses the
/// first one found, so every line leads to earlier ones and ends, or cycles if the promise allows it.
///
/// * `stop`: called from time to time; returns whether to give up.
///
/// # Errors
/// The tree has no such fact, the journal cannot be read, or the checker refuses.
pub fn assemble<G: Game, J: Journal>(
    tree: &Tree<'_, G>,
    journal: &J,
    (holder, kind): (Player, Guarantee),
    stop: &dyn Fn() -> bool,
) -> Result<Strategy<G>, Unassembled<J::Error>> {
    let game = tree.game;
    let mut needed = needed(tree, holder, kind).ok_or(Unassembled::Open)?;
    needed.sort_unstable_by_key(|(id, ground)| (ground.moment, *id));
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
                    if by == holder && (of == Guarantee::Win || of == kind) {
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

/// The positions of the tree in the proof, each with the ground of its fact; `None` if the first one has no such
/// fact.
fn needed<G: Game>(tree: &Tree<'_, G>, holder: Player, kind: Guarantee) -> Option<Vec<(Id, Justification)>> {
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
