//! The claims that a proof file has to prove for an answer.

use std::path::Path;

use marquis_core::{Bounds, Game as _, Playable, Score};
use marquis_proof::checker::{Grounds, Refusal};
use marquis_proof::solved::{self, Room, Unread};
use marquis_proof::{Guarantee, Strategy};

use crate::ask::solve::Solver;
use crate::error::causes;
use crate::files::proof::{AboutProof, write_claims};
use crate::game::exact::ExactGame;
use marquis_wire::reports::{MissingProof, ProofFile};

/// One position that an answer rests on, and the strategies found for it.
#[derive(Clone, Debug)]
pub(crate) struct Promised<G: Playable> {
    pub(crate) position: G::Position,
    /// The bounds that the answer states and the file has to prove; unknown if the answer does not rest on them.
    pub(crate) said: Bounds,
    pub(crate) strategies: Vec<Strategy<G>>,
}

impl<G: Playable> Promised<G> {
    /// The bounds that the strategies prove.
    pub(crate) fn proved(&self, game: &G) -> Bounds {
        proved(game, &self.strategies)
    }

    /// The proved bounds, if they are weaker than those of the answer.
    pub(crate) fn falls_short(&self, game: &G) -> Option<Bounds> {
        let proved = self.proved(game);
        let enough = proved.worst >= self.said.worst && proved.best <= self.said.best;
        (!enough).then_some(proved)
    }

    /// The wire form of bounds that the answer states and no strategy proves.
    fn missing(&self, game: &G) -> Option<MissingProof> {
        self.falls_short(game).map(|proved| MissingProof {
            position: game.position_text(&self.position),
            said: self.said,
            proved,
        })
    }
}

/// The bounds that these strategies from one position prove together.
pub(crate) fn proved<G: Playable>(game: &G, strategies: &[Strategy<G>]) -> Bounds {
    strategies.iter().map(|strategy| strategy.bounds(game)).fold(Bounds::UNKNOWN, Bounds::and)
}

/// The strategies of both lists without redundant ones: a winning strategy makes all others redundant.
pub(crate) fn joined<G: Playable>(mut all: Vec<Strategy<G>>, more: Vec<Strategy<G>>) -> Vec<Strategy<G>> {
    for strategy in more {
        if strategy.kind == Guarantee::Win {
            return vec![strategy];
        }
        let said = |other: &Strategy<G>| other.kind == Guarantee::Win || other.holder == strategy.holder;
        if !all.iter().any(said) {
            all.push(strategy);
        }
    }
    all
}

/// An answer with the claims that a proof file has to prove.
#[derive(Debug)]
pub(crate) struct ClaimedAnswer<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) about: AboutProof,
    pub(crate) claims: Vec<Promised<G>>,
}

impl<G: Playable> ClaimedAnswer<'_, G> {
    /// Writes the proofs, and reports whether they are complete.
    ///
    /// If nothing is proved, no file is written, and an existing file of that name is reported as a failure.
    pub(crate) fn keep(&self, file: &Path) -> ProofFile {
        let missing = self.claims.iter().filter_map(|claim| claim.missing(self.game)).collect::<Vec<_>>();
        let claims = self.claims.iter().map(|claim| (claim.position, claim.strategies.as_slice()));
        let written = write_claims(self.game, &self.about, claims, file);
        let (written, failed) = match written {
            Ok(false) if file.symlink_metadata().is_ok() => {
                let why =
                    "belongs to another answer and could not be removed; delete it, or choose another name";
                (false, Some(format!("{}: the existing file {why}", file.display())))
            }
            Ok(written) => (written, None),
            Err(error) => (false, Some(causes(&error).to_string())),
        };
        let complete = written && missing.is_empty();
        ProofFile { file: file.display().to_string(), written, complete, missing, failed }
    }
}

/// Removes the file of another answer, so that it is not mistaken for the proof of the coming one.
///
/// A file that cannot be removed is reported when the proof is written.
pub(crate) fn clear_the_way(file: &Path) {
    if file.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        let _ = std::fs::remove_file(file);
    }
}

impl<G: ExactGame> Solver<'_, G> {
    /// The strategies that the rules or the tables alone give for a position; empty if they do not suffice.
    pub(crate) fn strategies_at_once(&self, position: &G::Position) -> Vec<Strategy<G::Rules>> {
        if self.game.over(position).is_none() && !self.in_tables(position) {
            return Vec::new();
        }
        let deadline = self.share_of_time();
        let stop = || self.control.stopped() || self.control.is_past(deadline);
        self.replayed(solved::strategies(self.game, position, |at| self.table_score(at), self.room(&stop)))
    }

    /// The strategies by the scores of all reachable positions.
    pub(crate) fn strategies_by(
        &self,
        position: &G::Position,
        score: impl Fn(&G::Position) -> Option<Score>,
    ) -> Vec<Strategy<G::Rules>> {
        let stop = || self.control.stopped();
        self.replayed(solved::strategies(self.game, position, score, self.room(&stop)))
    }

    /// The strategies that can be replayed by the rules alone; lines that end on a table are played on.
    pub(crate) fn by_rules_alone(&self, strategies: Vec<Strategy<G::Rules>>) -> Vec<Strategy<G::Rules>> {
        let stop = || self.control.stopped();
        let complete = |strategy: Strategy<G::Rules>| {
            if !strategy.rests_on_tables() {
                return vec![strategy];
            }
            let completed = strategy.completed(self.game, |at| self.table_score(at), self.room(&stop));
            self.replayed(completed.map(|strategy| vec![strategy]))
        };
        strategies.into_iter().flat_map(complete).collect()
    }

    /// Whether a table holds the position.
    pub(crate) fn in_tables(&self, position: &G::Position) -> bool {
        self.table_score(position).is_some()
    }

    /// An unreadable table counts as missing here; a direct probe reports the error.
    fn table_score(&self, position: &G::Position) -> Option<Score> {
        self.knowledge.table_score(position).ok().flatten()
    }

    fn room<'s>(&self, stop: &'s dyn Fn() -> bool) -> Room<'s> {
        /// Bytes in addition to two copies of a position: its move, and the slack of hash tables.
        const BESIDE: u64 = 48;
        let each = 2 * size_of::<G::Position>() as u64 + BESIDE;
        let positions = usize::try_from(self.limits.memory_bytes() / each).unwrap_or(usize::MAX);
        Room { positions, stop }
    }

    /// The strategies if all of them replay by the rules; otherwise empty.
    fn replayed(&self, read: Result<Vec<Strategy<G::Rules>>, Unread>) -> Vec<Strategy<G::Rules>> {
        let strategies = read.unwrap_or_default();
        let replays = |strategy: &Strategy<G::Rules>| self.replay(strategy).is_ok();
        if strategies.iter().all(replays) { strategies } else { Vec::new() }
    }

    fn replay(&self, strategy: &Strategy<G::Rules>) -> Result<(), Refusal> {
        let stop = |_| self.control.stopped();
        let grounds = Grounds::without_tables(&stop);
        strategy.replay(self.game, grounds).map(|_| ())
    }
}
