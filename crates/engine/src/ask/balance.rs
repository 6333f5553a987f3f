//! The choice that wins for Player Two: a set-up's two first positions, and the pie.
//!
//! Source: "The pie" in `games/src/beads/swish/rules.md`.

use std::path::Path;

use marquis_core::{Bounds, Game as _, Player, Symmetric as _, Value};
use marquis_proof::{Ended, Findings, ProofSearch, Strategy};

use crate::ask::difficulty::only_move_line;
use crate::ask::hints::SearchHints;
use crate::ask::memory::{scratch_disk, search_settings};
use crate::ask::promise::{ClaimedAnswer, Promised, joined, proved};
use crate::ask::purse::Purse;
use crate::ask::rating::Trial;
use crate::ask::refine::SOON;
use crate::ask::solve::{Solver, searched};
use crate::files::proof::{AboutBalance, AboutProof, write_claims};
use crate::game::exact::ExactGame;
use crate::game::judge::certain;
use crate::game::set_ups::{SetUp, SetUps};
use crate::knowledge::known::Known;
use crate::knowledge::proofs::explored;
use crate::knowledge::reachable::Everything;
use crate::knowledge::sources::Knowledge;
use crate::query::{BalanceQuery, LaidOut, Pie, Until};
use crate::results::pie::{FirstMovers, PieChoice, PlayerTwo};
use crate::results::set_up::{Balance, Difficulty, FirstMover, Tried};
use crate::results::{Proof, Solution, ValuedMove, Wdl};
use crate::{EngineError, Progress};
use marquis_wire::reports::ProofFile;

/// Weighs the first positions of a set-up, and handles the proofs.
pub(crate) fn weigh<G: ExactGame>(
    known: &Known,
    solver: Solver<'_, G>,
    (set_ups, set_up): (&'static dyn SetUps<G>, &SetUp<G>),
    query: &BalanceQuery,
    proving: Proving<'_>,
) -> Result<Balance<G>, EngineError> {
    let SetUp { rules: game, laid_out, .. } = set_up;
    let (control, knowledge) = (solver.control, solver.knowledge);
    let mut scales = Scales {
        solver,
        set_ups,
        query,
        colours: set_up.firsts.map(Colour::new),
        proofs: Proofs::of(&proving),
        on_tables: false,
        tried: None,
        ended: None,
    };
    scales.weigh()?;
    match proving {
        Proving::Nothing => {}
        Proving::Everything { file, kept } => *kept = Some(scales.promise(laid_out).keep(file)),
        Proving::AsFound { file, written } => {
            let claims = if control.stopped() { Vec::new() } else { scales.claims() };
            for Promised { position, strategies, .. } in &claims {
                let strategies: Vec<_> = strategies.iter().map(|found| found.bytes().to_vec()).collect();
                // They were replayed when they were found; an invalid one is dropped here, too.
                if let Ok(proofs) = explored::<G>(game, position, &strategies, knowledge) {
                    known.change_proofs(|kept| kept.extend(proofs));
                }
            }
            if let Some(file) = file {
                let claims = claims.iter().map(|claim| (claim.position, claim.strategies.as_slice()));
                *written = write_claims(game, &scales.about(laid_out), claims, file).map(|_| ());
            }
        }
    }
    let is_weighed = |balance: &Balance<G>| balance.ended.is_none_or(|ended| ended == Ended::Answered);
    scales
        .colours
        .iter()
        .filter_map(|colour| colour.answer.as_ref())
        .for_each(|own| scales.solver.remember(own));
    knowledge.unless_missed(scales.balance(), is_weighed)
}

/// The use of the proofs.
pub(crate) enum Proving<'a> {
    /// They are dropped.
    Nothing,
    /// Those that the search or an exhaustive solution found are loaded, and written.
    AsFound { file: Option<&'a Path>, written: &'a mut Result<(), EngineError> },
    /// Everything that the verdict rests on is proved, and written.
    Everything { file: &'a Path, kept: &'a mut Option<ProofFile> },
}

/// The proofs to look for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proofs {
    None,
    /// Those that come with the values, without an extra search.
    AtHand,
    /// Those of everything that the verdict rests on.
    Wanted,
}

impl Proofs {
    const fn of(proving: &Proving<'_>) -> Self {
        match proving {
            Proving::Nothing => Self::None,
            Proving::AsFound { .. } => Self::AtHand,
            Proving::Everything { .. } => Self::Wanted,
        }
    }
}

/// The first position of one colour, and the knowledge about it.
struct Colour<G: ExactGame> {
    table: G::Position,
    bounds: Bounds,
    answer: Option<Solution<G>>,
    only_line: Option<u16>,
    strategies: Vec<Strategy<G::Rules>>,
    nodes: u64,
}

impl<G: ExactGame> Colour<G> {
    fn new(table: G::Position) -> Self {
        Self {
            table,
            bounds: Bounds::UNKNOWN,
            answer: None,
            only_line: None,
            strategies: Vec::new(),
            nodes: 0,
        }
    }
}

/// The state of weighing both first positions.
struct Scales<'a, G: ExactGame> {
    solver: Solver<'a, G>,
    set_ups: &'static dyn SetUps<G>,
    query: &'a BalanceQuery,
    colours: [Colour<G>; 2],
    proofs: Proofs,
    /// Whether a search found more than the rules alone can replay.
    on_tables: bool,
    /// The results of players of some levels as Player Two.
    tried: Option<Vec<Tried>>,
    /// Why the last search ended; `None` without a search.
    ended: Option<Ended>,
}

impl<G: ExactGame> Scales<'_, G> {
    /// The claims that a proof of the balance has to prove: the colour that decides alone, if there is one and no
    /// more was requested; otherwise both.
    fn claims(&self) -> Vec<Promised<G::Rules>> {
        let deciding = match self.query.until {
            Until::BothColours => None,
            Until::Choice => self.first_movers(self.bounds()).deciding(),
        };
        let claim = |(player, colour): (Player, &Colour<G>)| Promised {
            position: colour.table,
            said: if deciding.is_none_or(|alone| alone == player) { colour.bounds } else { Bounds::UNKNOWN },
            strategies: colour.strategies.clone(),
        };
        Player::BOTH.into_iter().zip(&self.colours).map(claim).collect()
    }

    /// The description of a file with these claims: the verdict that follows from them.
    fn about(&self, laid_out: &LaidOut) -> AboutProof {
        let proved = self.colours.each_ref().map(|colour| proved(self.solver.game, &colour.strategies));
        let said = self.first_movers(proved).player_two().said();
        let balance = AboutBalance { laid_out: laid_out.clone(), pie: self.query.pie, said };
        AboutProof { immobile: self.query.immobile, balance: Some(balance) }
    }

    fn wants_proofs(&self) -> bool {
        self.proofs == Proofs::Wanted
    }

    fn promise(&self, laid_out: &LaidOut) -> ClaimedAnswer<'_, G::Rules> {
        ClaimedAnswer { game: self.solver.game, about: self.about(laid_out), claims: self.claims() }
    }

    fn weigh(&mut self) -> Result<(), EngineError> {
        let purse = Purse::of(self.solver.limits, self.solver.control);
        for number in 0..2 {
            if !self.decided() {
                self.exhaust(number)?;
                self.join_twins();
                self.solver.control.weighed(&self.bounds());
            }
        }
        self.search(purse, Some(self.solver.knowledge));
        if self.wants_proofs() && self.on_tables {
            // Some line ends on a table that does not reach to the end of the game.
            self.search(purse, None);
        }
        self.join_twins();
        if self.decided() {
            self.look_at_rest()?;
        } else {
            self.judge(purse);
        }
        self.name_best(purse);
        if let Some(right) = self.first_movers(self.bounds()).player_two().choice {
            self.tried = self.trial(right, purse).levels();
        }
        Ok(())
    }

    /// If the board is its own image with the colours swapped, the knowledge about one colour holds for the other.
    fn join_twins(&mut self) {
        let game = self.solver.game;
        let [white, black] = self.colours.each_ref().map(|colour| game.canonical(&colour.table));
        if white != black {
            return;
        }
        let [white, black] = self.colours.each_mut().map(|colour| {
            let answer = colour.answer.take().unwrap_or_else(|| self.solver.unknown(&colour.table));
            Solution { verdict: answer.verdict.and(searched(colour.bounds)), ..answer }
        });
        let white = white.with_image(game, &black);
        let black = black.with_image(game, &white);
        for (colour, answer) in self.colours.iter_mut().zip([white, black]) {
            colour.bounds = answer.verdict.bounds;
            colour.answer = Some(answer);
        }
    }

    /// The trial of the set-up with players of all levels.
    fn trial(&self, right: PieChoice, purse: Purse) -> Trial<'_, G> {
        let firsts = self.colours.each_ref().map(|colour| colour.table);
        Trial { solver: &self.solver, firsts, pie: self.query.pie, right, until: purse.until }
    }

    /// Adds knowledge and static estimates to a colour that the verdict does not rest on.
    fn look_at_rest(&mut self) -> Result<(), EngineError> {
        self.solver.knowledge.recall();
        for colour in self.colours.iter_mut().filter(|colour| colour.bounds.value().is_none()) {
            let known = self.solver.gathered(&colour.table)?;
            let verdict = known.verdict.and(searched(colour.bounds));
            let answer = self.solver.at_first_sight(Solution { verdict, ..known });
            colour.bounds = answer.verdict.bounds;
            colour.answer = Some(answer);
        }
        Ok(())
    }

    /// Looks for a best move, if the book or a proof knows the value but not the move that keeps it.
    fn name_best(&mut self, purse: Purse) {
        for colour in &mut self.colours {
            let answer = colour.answer.take();
            colour.answer = answer.map(|answer| self.solver.with_move_named(answer, purse.at_most(SOON)));
        }
    }

    /// Asks the judge about the open colours.
    fn judge(&mut self, purse: Purse) {
        let open: Vec<usize> =
            (0..2).filter(|&number| self.colours[number].bounds.value().is_none()).collect();
        for (left, number) in (1..=open.len()).rev().zip(open) {
            let colour = &mut self.colours[number];
            let answer = colour.answer.take().unwrap_or_else(|| self.solver.unknown(&colour.table));
            let answer = self.solver.judged(answer, &purse.part(left, self.solver.control));
            colour.bounds = colour.bounds.and(answer.verdict.bounds);
            colour.answer = Some(answer);
        }
    }

    /// The chances of both colours, if each has a value or an estimate.
    fn chances(&self) -> Option<[Wdl; 2]> {
        let of = |colour: &Colour<G>| {
            let estimate = colour.answer.as_ref().and_then(|answer| answer.verdict.wdl());
            colour.bounds.value().map(certain).or(estimate)
        };
        Some([of(&self.colours[0])?, of(&self.colours[1])?])
    }

    /// The colours that the verdict rests on and that are unknown or unproved.
    fn in_want(&self) -> impl Iterator<Item = usize> {
        let decided = self.decided();
        let claims = self.claims();
        let wanted = move |(number, claim): (usize, Promised<G::Rules>)| {
            let open = !decided && self.colours[number].bounds.value().is_none();
            (open || self.wants_proofs() && claim.falls_short(self.solver.game).is_some()).then_some(number)
        };
        claims.into_iter().enumerate().filter_map(wanted)
    }

    /// Solves a colour with plies, if that is quick.
    fn exhaust(&mut self, number: usize) -> Result<(), EngineError> {
        let table = self.colours[number].table;
        let colour = &mut self.colours[number];
        let known = self.solver.gathered(&table)?;
        let answer = self.solver.gathered_with_proofs(&table, known)?;
        // The same request has the same answer with and without an earlier proof.
        let is_counted = answer.verdict.plies().is_some() || answer.verdict.value() == Some(Value::Draw);
        // The book knows the plies, but not the only-move line.
        let is_enough = is_counted && !matches!(answer.verdict.proof, Proof::Book | Proof::File);
        let is_found = answer.verdict.proof == Proof::Search;
        colour.bounds = answer.verdict.bounds;
        colour.answer = Some(answer);
        let is_proved = match self.proofs {
            Proofs::None => true,
            // An earlier request found it, and left no proof.
            Proofs::AtHand => !is_found,
            Proofs::Wanted => {
                colour.strategies = self.solver.strategies_at_once(&table);
                !colour.strategies.is_empty()
            }
        };
        if is_enough && is_proved {
            return Ok(());
        }
        let Some(solved) = self.solver.exhaust(&table) else {
            self.solver.knowledge.recall();
            let answer = self.solver.gathered(&table)?;
            colour.bounds = answer.verdict.bounds;
            colour.answer = Some(answer);
            return Ok(());
        };
        self.ended = Some(Ended::Answered);
        if self.proofs != Proofs::None {
            colour.strategies = self.solver.strategies_by(&table, |child| solved.score(child));
        }
        // The same answer as without proofs.
        if is_enough && self.proofs == Proofs::AtHand {
            return Ok(());
        }
        let states = solved.states();
        let solved = Everything::Listed(solved);
        let answer = self.solver.known_by(&table, Some(&solved))?;
        colour.only_line =
            only_move_line(self.solver.game, &table, |position| solved.score(self.solver.game, position));
        colour.bounds = answer.verdict.bounds;
        colour.nodes = states as u64;
        colour.answer = Some(answer);
        Ok(())
    }

    /// Searches the colours that are open or have no proof yet, concurrently.
    fn search(&mut self, purse: Purse, knowledge: Option<&Knowledge<'_, G>>) {
        let wanted: Vec<usize> = self.in_want().collect();
        let control = self.solver.control;
        if wanted.is_empty() {
            return;
        }
        if control.stopped() {
            self.ended = Some(Ended::Stopped);
            return;
        }
        let settings = search_settings(self.solver.limits);
        let hints = SearchHints::new(self.solver.game, self.solver.judge);
        let disk = scratch_disk(self.solver.limits);
        let search = ProofSearch::with_knowledge(self.solver.game, &knowledge, &hints, settings);
        let search = search.with_disk_if_any(disk.as_ref());
        let limits = self.solver.search_limits(purse.for_proof(self.solver.limits.judge));
        let tables: Vec<G::Position> = wanted.iter().map(|&number| self.colours[number].table).collect();
        let enough = |found: &[Bounds]| {
            let unproved = wanted.iter().zip(found).any(|(&number, found)| {
                self.wants_proofs()
                    && self.colours[number].bounds.value().is_some()
                    && found.value().is_none()
            });
            !unproved && self.decided_by(self.with_found(&wanted, found))
        };
        let before: u64 = self.colours.iter().map(|colour| colour.nodes).sum();
        let findings = search.solve_orbits(&tables, &enough, &limits, &mut |progress| {
            let found = self.with_found(&wanted, &progress.bounds);
            control.weighed(&found);
            control.tell(&Progress {
                phase: "searching both colours".to_owned(),
                done: before + progress.nodes,
                total: None,
                bounds: Some(self.first_movers(found).worth()),
            });
        });
        for (number, findings) in wanted.into_iter().zip(findings) {
            self.ended = Some(findings.ended);
            self.take(number, findings);
        }
    }

    fn take(&mut self, number: usize, findings: Findings<G::Rules>) {
        let colour = &mut self.colours[number];
        colour.nodes += findings.nodes;
        colour.bounds = colour.bounds.and(findings.bounds);
        let answer = colour.answer.take().unwrap_or_else(|| self.solver.unknown(&colour.table));
        colour.answer = Some(self.solver.with_findings(answer, &findings));
        let found = self.solver.by_rules_alone(findings.strategies);
        self.on_tables |= proved(self.solver.game, &found) != findings.bounds;
        colour.strategies = joined(std::mem::take(&mut colour.strategies), found);
    }

    /// The bounds of both colours.
    fn bounds(&self) -> [Bounds; 2] {
        [self.colours[0].bounds, self.colours[1].bounds]
    }

    /// The bounds with those that a search has found or supposes; they do not overrule the knowledge about a colour.
    fn with_found(&self, numbers: &[usize], found: &[Bounds]) -> [Bounds; 2] {
        let mut bounds = self.bounds();
        for (&number, &found) in numbers.iter().zip(found) {
            let known = &mut bounds[number];
            let both = Bounds { worst: known.worst.max(found.worst), best: known.best.min(found.best) };
            if both.worst <= both.best {
                *known = both;
            }
        }
        bounds
    }

    fn first_movers(&self, bounds: [Bounds; 2]) -> FirstMovers {
        FirstMovers { pie: self.query.pie, bounds }
    }

    fn decided(&self) -> bool {
        self.decided_by(self.bounds())
    }

    fn decided_by(&self, bounds: [Bounds; 2]) -> bool {
        let both = bounds.iter().all(|bounds| bounds.value().is_some());
        match self.query.until {
            Until::BothColours => both,
            Until::Choice => both || self.first_movers(bounds).deciding().is_some(),
        }
    }

    fn first_mover(&self, number: usize) -> FirstMover<G> {
        let colour = &self.colours[number];
        let answer = match &colour.answer {
            Some(answer) => answer.clone(),
            None => self.solver.unknown(&colour.table),
        };
        let known = answer.verdict.value().is_some();
        let is_best = |choice: &ValuedMove<G>| {
            let (own, of_all) = (choice.verdict, answer.verdict);
            let is_soonest = of_all.plies().is_none() || own.plies() == of_all.plies();
            known && own.value() == of_all.value() && is_soonest
        };
        FirstMover {
            position: answer.position,
            verdict: answer.verdict,
            ending: answer.ending,
            best: answer.choices.into_iter().filter(is_best).collect(),
        }
    }

    /// The difficulty of the set-up, seen from the first position that decides it.
    fn difficulty(&self) -> Difficulty<G> {
        let number = self
            .first_movers(self.bounds())
            .deciding()
            .map_or(0, |player| usize::from(player == Player::Second));
        let colour = &self.colours[number];
        let game = self.solver.game;
        let mut first_moves = Vec::new();
        if game.over(&colour.table).is_none() {
            game.moves(&colour.table, &mut first_moves);
        }
        let value = |choice: &ValuedMove<G>| choice.verdict.value();
        let of_all = |answer: &&Solution<G>| answer.choices.iter().all(|choice| value(choice).is_some());
        let known = || colour.answer.as_ref().zip(colour.bounds.value());
        let keeping = |(answer, kept): (&Solution<G>, Value)| {
            answer.choices.iter().filter(|choice| value(choice) == Some(kept)).count()
        };
        let greedy = self.set_ups.greedy_move(game, &colour.table);
        let greedy_keeps = known().and_then(|(answer, kept)| {
            let choice = answer.choices.iter().find(|choice| Some(choice.mv) == greedy)?;
            // A move that cannot be worth as much gives the value away, regardless of its exact value.
            match choice.verdict.bounds {
                bounds if bounds.best < kept => Some(false),
                bounds => (bounds.worst >= kept).then_some(true),
            }
        });
        Difficulty {
            position: colour.table,
            first_moves: first_moves.len(),
            keeping: known().filter(|(answer, _)| of_all(answer)).map(keeping),
            greedy,
            greedy_keeps,
            only_move_line: colour.only_line,
            nodes: self.colours.iter().map(|colour| colour.nodes).sum(),
            tried: self.tried.clone(),
        }
    }

    /// Player Two's best choice under a pie with these first positions.
    fn player_two(&self, pie: Pie) -> PlayerTwo {
        let first_movers = FirstMovers { pie, bounds: self.bounds() };
        let player_two = first_movers.player_two();
        if player_two.worth.value().is_some() {
            return player_two;
        }
        PlayerTwo { leaning: self.chances().map(|chances| first_movers.leaning(chances)), ..player_two }
    }

    fn balance(&self) -> Balance<G> {
        let other = self.query.pie.other();
        Balance {
            first_movers: [0, 1].map(|number| self.first_mover(number)),
            player_two: self.player_two(self.query.pie),
            // The bait belongs to one player from the start.
            under_other: (self.query.bait == 0).then(|| (other, self.player_two(other))),
            difficulty: self.difficulty(),
            // A value that the judge has proved counts as answered, too.
            ended: self.ended.map(|ended| if self.decided() { Ended::Answered } else { ended }),
        }
    }
}
