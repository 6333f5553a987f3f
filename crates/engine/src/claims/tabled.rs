//! Facts and claims from finished tables: counts, the longest win with its line, stuck positions, cycles.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use marquis_core::{Game, Indexed, Notation as _, Reason, Score, Slot, Value};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use super::NamedFacts;
use crate::game::claim::{ClaimId, Finding, LookedAt};
use crate::game::shelf::Shelf;
use crate::game::tabled::{LayerOf, Tabled};
use crate::{Control, EngineError, Progress};
use marquis_wire::reports::Fact;

/// Start positions per layer of the search for a cycle, and the moves of one walk.
const WALKS_A_LAYER: u64 = 2000;
const WALK_MOVES: usize = 400;
/// The longest of the shortest cycles that are searched for, in plies.
const SHORTEST_TRIED: usize = 8;
/// The number of positions that the search for shortest cycles visits.
const SHORTEST_VISITS: u64 = 20_000_000;

/// A move by the rules of the index.
type MoveOf<G> = <<G as Tabled>::Index as Game>::Move;

/// The tables of a shelf, seen by these rules.
pub(super) struct ShelfTables<'a, G: Tabled> {
    pub(super) shelf: &'a Shelf<G>,
    pub(super) rules: &'a G::Rules,
    pub(super) control: &'a Control<'a>,
}

impl<G: Tabled> ShelfTables<'_, G> {
    /// Positions up to symmetry.
    pub(super) fn positions(&self) -> u128 {
        ["wins", "draws", "losses"].into_iter().map(|name| self.count(name)).sum()
    }

    /// The sum of a count over the headers of all layers, which are not trusted.
    fn count(&self, name: &str) -> u128 {
        self.shelf.layers().map(|layer| u128::from(self.shelf.count(layer, name))).sum()
    }

    /// The first thing reachable from a position that is in no file; `None` if nothing is missing.
    pub(super) fn lacks(&self, position: &G::Position) -> Option<String> {
        let index = self.shelf.index();
        if self.rules.over(position).is_some() {
            return None;
        }
        let Some((first, _)) = G::locate(index, self.rules, position) else {
            return Some("the position".to_owned());
        };
        let there: HashSet<LayerOf<G>> = self.shelf.layers().collect();
        let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
        while let Some(layer) = open.pop() {
            if !there.contains(&layer) {
                return Some(format!("layer {}", G::layer_name(layer)));
            }
            let next = index.component(layer).into_iter().chain(index.child_layers(layer));
            open.extend(next.filter(|&next| seen.insert(next)));
        }
        None
    }

    /// Describes the positions of the tables, and whether they are all positions reachable from a position.
    pub(super) fn looked_at(&self, position: &G::Position) -> LookedAt {
        let (layers, positions) = (self.shelf.layers().count(), self.positions());
        let (named, text) =
            (format!("the {positions} positions of {layers} layers"), self.rules.position_text(position));
        match self.lacks(position) {
            None => LookedAt {
                positions: format!("{named}, which hold all that can be reached from {text}"),
                are_all: true,
            },
            Some(lacking) => LookedAt {
                positions: format!("{named}; more can be reached from {text}: no table holds {lacking}"),
                are_all: false,
            },
        }
    }

    /// The facts, and the findings for the claims about every game.
    pub(super) fn report(&self, looked_at: &LookedAt) -> Result<(NamedFacts, Vec<Finding>), EngineError> {
        let index = self.shelf.index();
        let mut layers: Vec<LayerOf<G>> = self.shelf.layers().collect();
        layers.sort_unstable_by_key(|&layer| (index.slots(layer), layer));
        let mut stuck = 0;
        for &layer in &layers {
            stuck += self.stuck(layer)?;
        }
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|name| self.count(name));
        let mut facts: NamedFacts = [
            ("layers", layers.len() as u128),
            ("positions up to symmetry", self.positions()),
            ("wins", wins),
            ("draws", draws),
            ("losses", losses),
            ("stuck", stuck.into()),
        ]
        .map(|(name, count)| (name.to_owned(), Fact::count(count)))
        .into();
        let words = |name: &str, words: String| (name.to_owned(), Fact::Words(words));
        if let Some((position, plies)) = self.longest_win(&layers)? {
            facts.push(words("longest win", format!("{plies} plies: {}", G::text(index, &position))));
            facts.push(words("its line", self.line(position)?));
        }
        let with_draws = layers.iter().find(|&&layer| self.shelf.count(layer, "draws") > 0);
        let drawn = match with_draws {
            Some(&layer) => {
                self.find(layer, |score| score == Score::Draw)?.map(|position| G::text(index, &position))
            }
            None => None,
        };
        let shortest = self.shortest_cycle(&layers);
        if let Some(cycle) = &shortest {
            facts.push(words("shortest cycle found", cycle.clone()));
        }
        let cycle = shortest.or_else(|| layers.iter().rev().find_map(|&layer| self.walk_in_a_circle(layer)));
        Ok((
            facts,
            vec![Self::play_ends(looked_at, cycle), Finding::among(ClaimId::NoDraw, looked_at, drawn)],
        ))
    }

    /// A walk may find a cycle; finding none is no proof.
    fn play_ends(looked_at: &LookedAt, cycle: Option<String>) -> Finding {
        match cycle {
            Some(cycle) => Finding::among(ClaimId::PlayEnds, looked_at, Some(cycle)),
            None => Finding {
                claim: ClaimId::PlayEnds,
                holds: None,
                evidence: format!("no cycle found by walks among {}", looked_at.positions),
            },
        }
    }

    /// A position with the longest win, and its plies.
    fn longest_win(&self, layers: &[LayerOf<G>]) -> Result<Option<(G::Position, u64)>, EngineError> {
        let longest = |&layer: &LayerOf<G>| self.shelf.count(layer, "longest win");
        let Some(layer) = layers.iter().copied().max_by_key(|layer| longest(layer)) else { return Ok(None) };
        let plies = longest(&layer);
        let found = self.find(layer, |score| {
            score.value() == Value::Win && score.plies().is_some_and(|own| u64::from(own.0) == plies)
        })?;
        Ok(found.map(|position| (position, plies)))
    }

    /// The first position of a layer with the wanted score.
    fn find(
        &self,
        layer: LayerOf<G>,
        wanted: impl Fn(Score) -> bool,
    ) -> Result<Option<G::Position>, EngineError> {
        let name = G::layer_name(layer);
        self.control.tell(&Progress { phase: format!("reading {name}"), done: 0, total: None, bounds: None });
        let cells = self.shelf.cells(layer, self.control)?;
        let slots = (0..cells.len() as u64).map(Slot);
        let mut found = slots.filter(|&slot| cells.entry(slot).score().is_some_and(&wanted));
        Ok(found.find_map(|slot| self.shelf.index().position(layer, slot)))
    }

    /// The number of positions of a layer in which the player to move has no move.
    fn stuck(&self, layer: LayerOf<G>) -> Result<u64, EngineError> {
        let index = self.shelf.index();
        let stuck = AtomicU64::new(0);
        (0..index.slots(layer)).into_par_iter().try_for_each(|slot| {
            if slot.is_multiple_of(1 << 16) && self.control.stopped() {
                return Err(EngineError::Interrupted);
            }
            if let Some(position) = index.position(layer, Slot(slot))
                && index.over(&position).is_some_and(|over| over.reason == Reason::Stuck)
            {
                stuck.fetch_add(1, Relaxed);
            }
            Ok(())
        })?;
        Ok(stuck.into_inner())
    }

    /// The best line of both sides by the tables alone.
    fn line(&self, mut position: G::Position) -> Result<String, EngineError> {
        let index = self.shelf.index();
        let mut line = Vec::new();
        while index.over(&position).is_none() {
            let mut best: Option<(Score, MoveOf<G>)> = None;
            for mv in self.moves(&position) {
                let after = index.play(&position, mv);
                let Some(score) = self.score(&after)? else { continue };
                if best.is_none_or(|(known, _)| score.before_move() > known) {
                    best = Some((score.before_move(), mv));
                }
            }
            let Some((Score::Win(_) | Score::Loss(_), mv)) = best else { break };
            line.push(self.move_text(&position, mv));
            position = index.play(&position, mv);
        }
        Ok(line.join(" "))
    }

    fn score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        let index = self.shelf.index();
        match index.over(position) {
            Some(over) => Ok(Some(Score::finished(over.outcome.for_mover(index.turn(position))))),
            None => self.shelf.own_score(position),
        }
    }

    fn moves(&self, position: &G::Position) -> Vec<MoveOf<G>> {
        let mut moves = Vec::new();
        if self.shelf.index().over(position).is_none() {
            self.shelf.index().moves(position, &mut moves);
        }
        moves
    }

    /// The text of a move, found by the position after it.
    fn move_text(&self, position: &G::Position, mv: MoveOf<G>) -> String {
        let after = self.shelf.index().play(position, mv);
        let mut moves = Vec::new();
        self.rules.moves(position, &mut moves);
        let same = moves.into_iter().find(|&mv| self.rules.play(position, mv) == after);
        same.map_or_else(|| "?".to_owned(), |mv| self.rules.move_text(position, mv))
    }

    /// A cycle that a random walk without captures runs into.
    fn walk_in_a_circle(&self, layer: LayerOf<G>) -> Option<String> {
        let index = self.shelf.index();
        let component = index.component(layer);
        let mut random = SmallRng::seed_from_u64(1);
        let slots = index.slots(layer);
        for _ in 0..WALKS_A_LAYER.min(slots) {
            let slot = Slot(random.random_range(0..slots));
            let Some(mut position) = index.position(layer, slot) else { continue };
            let mut seen: HashMap<G::Position, usize> = HashMap::new();
            let mut line = Vec::new();
            for at in 0..WALK_MOVES {
                if let Some(&from) = seen.get(&position) {
                    return Some(self.cycle_text(&line[from..]));
                }
                seen.insert(position, at);
                let inside = |&mv: &MoveOf<G>| component.contains(&index.slot(&index.play(&position, mv)).0);
                let moves: Vec<MoveOf<G>> = self.moves(&position).into_iter().filter(inside).collect();
                let Some(&mv) = moves.choose(&mut random) else { break };
                line.push((position, mv));
                position = index.play(&position, mv);
            }
        }
        None
    }

    /// A cycle of the fewest plies, searched for in small layers first.
    fn shortest_cycle(&self, layers: &[LayerOf<G>]) -> Option<String> {
        let index = self.shelf.index();
        let mut visits = 0;
        for plies in (2..=SHORTEST_TRIED).step_by(2) {
            for &layer in layers {
                for slot in 0..index.slots(layer) {
                    if visits > SHORTEST_VISITS || self.control.stopped() {
                        return None;
                    }
                    let Some(position) = index.position(layer, Slot(slot)) else { continue };
                    let mut line = Vec::new();
                    if self.returns(&position, position, plies, &mut line, &mut visits) {
                        return Some(self.cycle_text(&line));
                    }
                }
            }
        }
        None
    }

    /// Whether `plies` plies can lead back to `start`; the moves are then in `line`.
    fn returns(
        &self,
        start: &G::Position,
        position: G::Position,
        plies: usize,
        line: &mut Vec<(G::Position, MoveOf<G>)>,
        visits: &mut u64,
    ) -> bool {
        if plies == 0 {
            return position == *start;
        }
        let layers = self.shelf.index().component(self.shelf.index().slot(start).0);
        for mv in self.moves(&position) {
            *visits += 1;
            let after = self.shelf.index().play(&position, mv);
            if !layers.contains(&self.shelf.index().slot(&after).0) {
                continue;
            }
            line.push((position, mv));
            if self.returns(start, after, plies - 1, line, visits) {
                return true;
            }
            line.pop();
        }
        false
    }

    fn cycle_text(&self, line: &[(G::Position, MoveOf<G>)]) -> String {
        let moves: Vec<String> = line.iter().map(|(position, mv)| self.move_text(position, *mv)).collect();
        let first =
            line.first().map(|(position, _)| G::text(self.shelf.index(), position)).unwrap_or_default();
        format!("{} plies: {first}: {}", line.len(), moves.join(" "))
    }
}
