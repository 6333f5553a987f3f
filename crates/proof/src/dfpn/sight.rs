//! The first numbers of a child: decided, remembered, or estimated.

use marquis_core::Hashed;

use super::{MAX_DEPTH, QuestionSearch};
use crate::experience::{LessonKey, SearchEffort};
use crate::path::{DependencySet, Tokens};
use crate::table::{BucketPair, Condition, StoredAnswer};
use crate::{Heuristic, Numbers, Oracle};

impl<G: Hashed, O: Oracle<G>, H: Heuristic<G>> QuestionSearch<'_, G, O, H> {
    /// Numbers of a new child, its plies if it is won, and the positions that a disproof rests on.
    #[inline]
    pub(super) fn first_look(
        &mut self,
        position: &G::Position,
        place: BucketPair,
        threatened: bool,
    ) -> (Numbers, u16, DependencySet) {
        let token = Tokens::of(place.key);
        if let Some(depth) = self.path.find_position(token, |depth| self.frames[depth].position == *position)
        {
            return (Numbers::DISPROVED, 0, DependencySet::on(depth));
        }
        if let Some(known) = self.remembered(place) {
            return known;
        }
        if let Some(closed) = self.world.closed(position, self.question) {
            let numbers = if closed.yes { Numbers::PROVED } else { Numbers::DISPROVED };
            return (numbers, 0, DependencySet::NOWHERE);
        }
        if threatened && self.world.heuristic.wins_at_once(position) {
            let yes = self.world.game.turn(position) == self.question.prover;
            return (if yes { Numbers::PROVED } else { Numbers::DISPROVED }, 1, DependencySet::NOWHERE);
        }
        if self.frames.len() >= MAX_DEPTH {
            return (Numbers::DISPROVED, 0, DependencySet::ON_A_LIMIT);
        }
        let mut numbers = self.along.numbers(position, self.question);
        if let Some(pupil) = self.pupil(position) {
            numbers.proof = self.table.experience().taught(numbers.proof, pupil, &self.untold);
        }
        (numbers, 0, DependencySet::NOWHERE)
    }

    /// The lessons that predict the cost of a position, if the game names its kin.
    #[inline]
    fn pupil(&self, position: &G::Position) -> Option<LessonKey> {
        let kin = self.world.heuristic.kin(position, self.question)?;
        Some(self.table.experience().pupil(kin, self.question, self.world.game.turn(position)))
    }

    /// Learns from a position that the search leaves with these numbers, after `nodes` nodes.
    #[inline]
    pub(super) fn learn(&mut self, position: &G::Position, numbers: Numbers, nodes: u64) {
        let effort = match numbers {
            Numbers { proof: 0, .. } => SearchEffort::Proved { nodes },
            Numbers { disproof: 0, .. } => return,
            Numbers { proof, .. } => SearchEffort::Open { proof },
        };
        if let Some(pupil) = self.pupil(position) {
            let own = self.world.heuristic.numbers(position, self.question).open().proof;
            self.table.experience().learn(own, pupil, effort, &mut self.untold);
        }
    }

    /// The stored answer for a position as a child of the path.
    #[inline]
    pub(super) fn remembered(&self, place: BucketPair) -> Option<(Numbers, u16, DependencySet)> {
        let known = self.table.look(place);
        if let Some(StoredAnswer::Proved { .. }) = known[self.question.prover.opponent()] {
            return Some((Numbers::DISPROVED, 0, DependencySet::NOWHERE));
        }
        let rests = match known[self.question.prover]? {
            StoredAnswer::Open(numbers) => return Some((numbers, 0, DependencySet::NOWHERE)),
            StoredAnswer::Proved { plies, .. } => {
                return Some((Numbers::PROVED, plies, DependencySet::NOWHERE));
            }
            StoredAnswer::Disproved(Condition::Always) => Some(DependencySet::NOWHERE),
            StoredAnswer::Disproved(Condition::Visited { token }) => {
                self.path.find_position(token, |_| true).map(DependencySet::on)
            }
            StoredAnswer::Disproved(Condition::Prefix { token, first }) => {
                let last = self.path.find_prefix(token);
                last.map(|last| DependencySet::on_range(usize::from(first).min(last), last))
            }
        };
        // A disproof that rests on positions off the path is a hint that disproving is cheap here, too.
        const HINT: Numbers = Numbers { proof: 8, disproof: 1 };
        Some(rests.map_or((HINT, 0, DependencySet::NOWHERE), |rests| (Numbers::DISPROVED, 0, rests)))
    }
}
