//! Some positions of one game, with all requests, in one kind of engine.

mod balanced;
mod lookups;
mod others;
mod searches;
mod timed;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use marquis_engine::{Engine, EngineOptions};
use serde_json::Value;

use super::asked::{Asked, solve};
use super::book::check_certified;
use super::case::{Budget, Case};
use super::document::Document;
use super::judge::{Fault, Judge};
use super::order;
use super::program::Program;
use super::said::{Detail, Said};
use super::sources::{ORIGINS, Sources};
use super::tally::Tally;
use super::truth;
use super::worlds::{WORLDS, World, Worlds};
use crate::draw::Draw;
use crate::games;
use crate::reference::Immobile;
use crate::reference::solver::Solved;

/// A service without a socket.
pub trait Service {
    /// The document of a GET, or the problem.
    ///
    /// # Errors
    /// The status and the problem.
    fn get(&self, uri: &str) -> Asked;

    /// The document of a POST, or the problem.
    ///
    /// # Errors
    /// The status and the problem.
    fn post(&self, uri: &str, body: &Value) -> Asked;
}

/// Starts services.
pub trait Host: Sync {
    /// A service with an engine of these options.
    fn serve(&self, options: &EngineOptions) -> Box<dyn Service>;
}

/// The parties to ask, and the limits.
pub struct Asking<'a> {
    /// The engines.
    pub worlds: &'a Worlds,
    /// The sources of positions.
    pub sources: &'a Sources,
    /// Starts services; `None` skips them.
    pub host: Option<&'a dyn Host>,
    /// The program; `None` skips it.
    pub program: Option<&'a Program>,
    /// The time limits of searches in milliseconds; 0 means no search.
    pub budgets: &'a [u64],
    /// One of `long_every` positions gets budgets of [`LONG_MS`] or more.
    pub long_every: usize,
    /// The maximum number of positions for the slow solver.
    pub most_judged: usize,
}

/// The approximate number of positions that a search visits per millisecond.
pub const NODES_A_MS: u64 = 200;
/// Budgets from here on are only used for some positions.
pub const LONG_MS: u64 = 500;

/// The number of positions to count the plies of moves that may be equal.
const NODES_FOR_PLIES: u64 = 1_000_000;

/// A chunk in progress.
struct Chunk<'a> {
    asking: &'a Asking<'a>,
    world: World,
    cases: Vec<Case>,
    draw: Draw,
    tally: Tally,
    /// The solutions of the slow solver, by position.
    truths: HashMap<String, Option<Rc<Solved>>>,
}

impl Asking<'_> {
    /// Asks everything about `size` positions.
    ///
    /// * `seed`, `number`: determine the positions and choices.
    /// * `size`: the number of positions drawn; the first chunk of each game also has the named ones.
    /// * `wanted`: the games and worlds, in rotation.
    #[must_use]
    pub fn chunk(&self, seed: u64, number: u64, size: usize, wanted: &Wanted) -> Tally {
        let mut draw = Draw::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
        let (game, world) = wanted.of(number);
        let guide = self.worlds.with_proofs(game);
        let mut cases: Vec<Case> = Vec::new();
        if number < wanted.games.len() as u64 {
            cases.extend(Sources::named(game));
        }
        let first = draw.below(ORIGINS.len());
        for place in 0..size {
            let origin = ORIGINS[(first + place) % ORIGINS.len()];
            cases.push(self.sources.draw(game, origin, &guide, &mut draw));
        }
        // One variant per chunk: the program and a batch get all positions at once.
        let immobile =
            if cases.iter().any(|case| case.origin == "issue") { Immobile::Loss } else { cases[0].immobile };
        cases.iter_mut().for_each(|case| case.immobile = immobile);
        let mut chunk =
            Chunk { asking: self, world, cases, draw, tally: Tally::default(), truths: HashMap::new() };
        chunk.run();
        chunk.tally
    }
}

/// The games and worlds to ask about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The games, in rotation.
    pub games: Vec<&'static str>,
    /// The kinds of engines, in rotation.
    pub worlds: Vec<World>,
}

impl Default for Wanted {
    /// All of them.
    fn default() -> Self {
        Self { games: games::all(), worlds: WORLDS.to_vec() }
    }
}

impl Wanted {
    /// The game and the world of a chunk.
    fn of(&self, number: u64) -> (&'static str, World) {
        let games = self.games.len() as u64;
        let at = |number: u64, of: usize| usize::try_from(number % of as u64).expect("less than a length");
        (self.games[at(number, self.games.len())], self.worlds[at(number / games, self.worlds.len())])
    }
}

impl Chunk<'_> {
    fn run(&mut self) {
        for case in &self.cases {
            let kind = format!("{} {} {}", case.game, self.world.name(), case.origin);
            self.tally.position(kind);
        }
        for &ms in self.asking.budgets {
            if ms == 0 {
                self.lookups();
            } else {
                self.searches(Budget::Nodes(ms * NODES_A_MS), ms);
                self.timed(ms);
            }
        }
    }

    /// The positions with a budget of `ms` milliseconds.
    fn cases_of(&self, ms: u64) -> Vec<Case> {
        let every = if ms >= LONG_MS { self.asking.long_every.max(1) } else { 1 };
        self.cases.iter().step_by(every).cloned().collect()
    }

    /// A fresh engine; the one with proof files is shared, because loading them takes long.
    fn engine(&self) -> Arc<Engine> {
        if self.world == World::Proofs {
            return self.asking.worlds.with_proofs(self.cases[0].game);
        }
        let engine = self.asking.worlds.engine(self.world);
        Arc::new(engine.unwrap_or_else(|error| panic!("an engine: {error}")))
    }

    /// Whether each engine of this kind is new.
    fn has_new_engines(&self) -> bool {
        self.world != World::Proofs
    }

    /// A service with an engine of this kind; `None` with proof files.
    fn service(&self) -> Option<Box<dyn Service>> {
        let host = self.asking.host.filter(|_| self.has_new_engines())?;
        Some(host.serve(&self.asking.worlds.options(self.world)))
    }

    /// The program, if it supports an engine of this kind.
    fn program(&self) -> Option<&Program> {
        self.asking.program.filter(|_| [World::Plain, World::Tables].contains(&self.world))
    }

    /// The name of a call in the report.
    fn call(name: &str, budget: Budget) -> String {
        let budget = match budget {
            Budget::Lookup => "budget 0".to_owned(),
            Budget::Nodes(nodes) => format!("{nodes} nodes"),
            Budget::Time(ms) => format!("{ms} ms"),
        };
        format!("{name}, {budget}")
    }

    /// Checks an answer and counts it; `None` if it cannot be read.
    ///
    /// * `more`: further checks.
    fn judged(
        &mut self,
        (call, case, command): (&str, &Case, String),
        (answer, detail): (&Asked, Detail),
        more: impl FnOnce(&Said, &mut Judge),
    ) -> Option<Said> {
        let mut judge = Judge::default();
        let said = Said::checked(case, answer, detail, &mut judge);
        let by_alphabet = |fault: &Fault| fault.property.starts_with(order::ALPHABET);
        if judge.faults.iter().any(by_alphabet) && said.as_ref().is_some_and(|said| self.ties(case, said)) {
            judge.faults.retain(|fault| !by_alphabet(fault));
        }
        if let (Some(document), Some(truth)) = (said.as_ref().and_then(Said::exact), self.truth(case)) {
            truth::check(document, &truth, &mut judge);
        }
        // Known results assume the default rule, and an engine with the bare rules does not have them.
        if self.world != World::Bare && case.immobile == Immobile::Loss {
            match &said {
                Some(Said::Exact(document)) => {
                    self.asking.sources.book.check(document, case.game, &case.rules(), &mut judge);
                }
                Some(Said::Chance(document)) => check_certified(document, &case.rules(), &mut judge),
                None => {}
            }
        }
        if let Some(said) = &said {
            more(said, &mut judge);
        }
        let world = self.world.name();
        self.tally.answer(call, world, &judge, || match world {
            "plain" => command,
            world => format!("{command}  # {world}"),
        });
        said
    }

    /// Whether the unranked moves of an answer are equal to the ply.
    fn ties(&self, case: &Case, said: &Said) -> bool {
        let counted = solve(&self.engine(), case, Budget::Nodes(NODES_FOR_PLIES));
        let counted = counted.and_then(|json| Document::read(&json));
        said.exact().zip(counted.as_ref().ok()).is_some_and(|(own, counted)| order::ties(own, counted))
    }

    /// The solution of everything reachable, by the slow solver; `None` above the limit.
    fn truth(&mut self, case: &Case) -> Option<Rc<Solved>> {
        let most = self.asking.most_judged;
        let solve = || truth::of(case, most).map(Rc::new);
        self.truths.entry(case.position.clone()).or_insert_with(solve).clone()
    }

    /// Counts a finding that belongs to no answer.
    fn found(&mut self, call: &str, judge: &Judge, command: impl FnOnce() -> String) {
        let world = self.world.name();
        self.tally.answer(call, world, judge, || match world {
            "plain" => command(),
            world => format!("{}  # {world}", command()),
        });
    }
}
