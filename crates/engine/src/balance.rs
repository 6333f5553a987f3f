//! Which choice wins for Player Two: a set-up's two first positions, and the pie.
//!
//! Source: RULES.md §3, "Set-ups and the pie".

use std::path::Path;

use marquis_core::{Bounds, Game, Player, Value};
use marquis_games::beads::{BeadGame, Capture, Leap, Pie, Play, Sandwich, Setup, Table};
use marquis_games::catalogue::GameId;
use marquis_proof::{Findings, Search, Strategy};

use crate::answer::{Balance, ByColour, Difficulty, ExactAnswer, FirstMover, PlayerTwo};
use crate::difficulty::{greedy_move, only_move_line};
use crate::facade::Engine;
use crate::knowledge::{Knowledge, Solvable};
use crate::query::Until;
use crate::solve::{Solver, search_settings};
use crate::{BalanceQuery, Control, EngineError, Limits, Progress, proofs};

impl Engine {
    /// What each choice is worth to Player Two, as far as the limits allow.
    ///
    /// # Errors
    /// Bad input: the game, the set-up, the bait or the target; a table that cannot be read.
    pub fn balance(
        &self,
        query: &BalanceQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Balance, EngineError> {
        self.balance_into(query, limits, control, Proving::Nothing)
    }

    /// The same, and positions inside the proofs that the search found are answered from them from now on.
    ///
    /// What was solved exhaustively, with its plies, has no such proof.
    ///
    /// * `file`: where the proofs are written as well, if there are any.
    ///
    /// # Errors
    /// As [`Engine::balance`]. A file that cannot be written costs the file and nothing else: the second
    /// result says why.
    pub fn balance_and_keep(
        &self,
        query: &BalanceQuery,
        limits: &Limits,
        control: &Control<'_>,
        file: Option<&Path>,
    ) -> Result<(Balance, Result<(), EngineError>), EngineError> {
        let mut written = Ok(());
        let keeping = Proving::AsFound { file, written: &mut written };
        let balance = self.balance_into(query, limits, control, keeping)?;
        Ok((balance, written))
    }

    /// The same, the proofs of everything that was decided written to a file.
    ///
    /// # Errors
    /// As [`Engine::balance`]; the file cannot be written.
    pub fn balance_with_proof(
        &self,
        query: &BalanceQuery,
        limits: &Limits,
        control: &Control<'_>,
        file: &Path,
    ) -> Result<Balance, EngineError> {
        self.balance_into(query, limits, control, Proving::Everything { file })
    }

    fn balance_into(
        &self,
        query: &BalanceQuery,
        limits: &Limits,
        control: &Control<'_>,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError> {
        let setup = query.setup()?;
        match query.game {
            GameId::Swish => self.weigh::<Leap>(query, &setup, limits, control, proving),
            _ => self.weigh::<Sandwich>(query, &setup, limits, control, proving),
        }
    }

    fn weigh<R: Capture>(
        &self,
        query: &BalanceQuery,
        setup: &Setup,
        limits: &Limits,
        control: &Control<'_>,
        proving: Proving<'_>,
    ) -> Result<Balance, EngineError>
    where
        BeadGame<R>: Solvable<Position = Table, Move = Play>,
    {
        let (game, _) = setup.begin::<R>(Player::First, query.immobile);
        let knowledge = self.knowledge(&game);
        let mut scales = Scales {
            solver: Solver { game: &game, knowledge: &knowledge, limits, control },
            query,
            colours: Player::BOTH.map(|colour| Colour::new(setup.begin::<R>(colour, query.immobile).1)),
            proofs: matches!(proving, Proving::Everything { .. }),
        };
        scales.weigh()?;
        match proving {
            Proving::Nothing => {}
            Proving::Everything { file } => {
                proofs::write_proof(&game, query.immobile, &scales.claims(), file)?;
            }
            Proving::AsFound { file, written } => {
                let claims = if control.stopped() { Vec::new() } else { scales.claims() };
                for (table, strategies) in &claims {
                    let strategies: Vec<_> = strategies.iter().map(|found| found.to_bytes(&game)).collect();
                    // They were replayed when they were found; what does not hold is not believed either way.
                    let _ = self.take_up(&game, table, &strategies);
                }
                if let Some(file) = file {
                    *written = proofs::write_proof(&game, query.immobile, &claims, file);
                }
            }
        }
        Ok(scales.report(setup))
    }
}

/// What becomes of the proofs.
enum Proving<'a> {
    /// They are dropped.
    Nothing,
    /// Those that the search found are taken up, and written.
    AsFound { file: Option<&'a Path>, written: &'a mut Result<(), EngineError> },
    /// Everything that was decided is proved by the search, and written.
    Everything { file: &'a Path },
}

/// The first position of one colour and what is known of it.
struct Colour<R: Capture>
where
    BeadGame<R>: Solvable<Position = Table, Move = Play>,
{
    table: Table,
    bounds: Bounds,
    answer: Option<ExactAnswer>,
    only_line: Option<u16>,
    strategies: Vec<Strategy<BeadGame<R>>>,
    nodes: u64,
}

impl<R: Capture> Colour<R>
where
    BeadGame<R>: Solvable<Position = Table, Move = Play>,
{
    fn new(table: Table) -> Self {
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

/// Both first positions on the scales.
struct Scales<'a, R: Capture>
where
    BeadGame<R>: Solvable<Position = Table, Move = Play>,
{
    solver: Solver<'a, BeadGame<R>>,
    query: &'a BalanceQuery,
    colours: [Colour<R>; 2],
    proofs: bool,
}

impl<R: Capture> Scales<'_, R>
where
    BeadGame<R>: Solvable<Position = Table, Move = Play>,
{
    fn claims(&self) -> Vec<(Table, Vec<Strategy<BeadGame<R>>>)> {
        self.colours.iter().map(|colour| (colour.table, colour.strategies.clone())).collect()
    }

    fn weigh(&mut self) -> Result<(), EngineError> {
        let deadline = self.solver.limits.deadline();
        for number in 0..2 {
            if !self.decided() {
                self.exhaust(number)?;
            }
        }
        if self.decided() && !self.proofs {
            return Ok(());
        }
        self.search(deadline);
        Ok(())
    }

    /// Solves a colour with plies, where that is quickly done.
    fn exhaust(&mut self, number: usize) -> Result<(), EngineError> {
        let table = self.colours[number].table;
        let colour = &mut self.colours[number];
        if let Some(answer) = self.solver.known(&table)? {
            colour.bounds = answer.verdict.as_bounds();
            colour.answer = Some(answer);
            return Ok(());
        }
        let Some(solved) = self.solver.exhaust(&table) else { return Ok(()) };
        let answer = self.solver.by_scores(&table, |child| solved.score(child), crate::Proof::Search);
        colour.only_line = only_move_line(self.solver.game, &table, |position| solved.score(position));
        colour.bounds = answer.verdict.as_bounds();
        colour.nodes = solved.states() as u64;
        colour.answer = Some(answer);
        Ok(())
    }

    /// Searches the colours that are open, or have no proof yet, side by side.
    fn search(&mut self, deadline: Option<std::time::Instant>) {
        let wanted: Vec<usize> = (0..2).filter(|&number| self.wants_search(number)).collect();
        let control = self.solver.control;
        if wanted.is_empty() || control.stopped() {
            return;
        }
        let knowledge: &Knowledge<'_, BeadGame<R>> = self.solver.knowledge;
        let settings = search_settings(self.solver.limits);
        let search = Search::with_knowledge(self.solver.game, knowledge, knowledge, settings);
        let limits =
            marquis_proof::Limits { nodes: self.solver.limits.nodes, deadline, stop: Some(control.flag()) };
        let tables: Vec<Table> = wanted.iter().map(|&number| self.colours[number].table).collect();
        let enough = |found: &[Bounds]| {
            let unproved = wanted.iter().zip(found).any(|(&number, found)| {
                self.proofs && self.colours[number].bounds.value().is_some() && found.value().is_none()
            });
            !unproved && self.decided_by(self.with_found(&wanted, found))
        };
        let before: u64 = self.colours.iter().map(|colour| colour.nodes).sum();
        let findings = search.solve_orbits(&tables, enough, &limits, |progress| {
            control.tell(&Progress {
                phase: "searching both colours".to_owned(),
                done: before + progress.nodes,
                total: None,
                bounds: Some(self.choice_bounds(self.with_found(&wanted, &progress.bounds))),
            });
        });
        for (number, findings) in wanted.into_iter().zip(findings) {
            self.take(number, findings);
        }
    }

    /// Whether a search could add to what is known of a colour.
    fn wants_search(&self, number: usize) -> bool {
        let Colour { table, bounds, strategies, .. } = &self.colours[number];
        let unproved = self.proofs && strategies.is_empty() && self.solver.game.over(table).is_none();
        bounds.value().is_none() || unproved
    }

    fn take(&mut self, number: usize, findings: Findings<BeadGame<R>>) {
        let colour = &mut self.colours[number];
        colour.nodes += findings.nodes;
        colour.bounds = colour.bounds.and(findings.bounds);
        if colour.answer.as_ref().is_none_or(|answer| answer.verdict.value == "unknown") {
            colour.answer = Some(self.solver.by_findings(&colour.table, &findings));
        }
        colour.strategies = findings.strategies;
    }

    /// The bounds of both colours.
    fn bounds(&self) -> [Bounds; 2] {
        [self.colours[0].bounds, self.colours[1].bounds]
    }

    /// The same with what a search has found of some.
    fn with_found(&self, numbers: &[usize], found: &[Bounds]) -> [Bounds; 2] {
        let mut bounds = self.bounds();
        for (&number, &found) in numbers.iter().zip(found) {
            bounds[number] = bounds[number].and(found);
        }
        bounds
    }

    /// The colour whose first position alone decides, if there is one: lost under the Marquisian pie,
    /// won under the bait pie.
    fn deciding(&self, bounds: [Bounds; 2]) -> Option<Player> {
        let wanted = match self.query.pie {
            Pie::Marquisian => Value::Loss,
            Pie::Bait => Value::Win,
        };
        let number = bounds.iter().position(|bounds| bounds.value() == Some(wanted))?;
        Some(Player::BOTH[number])
    }

    fn decided(&self) -> bool {
        self.decided_by(self.bounds())
    }

    fn decided_by(&self, bounds: [Bounds; 2]) -> bool {
        let both = bounds.iter().all(|bounds| bounds.value().is_some());
        match self.query.until {
            Until::BothColours => both,
            Until::Choice => both || self.deciding(bounds).is_some(),
        }
    }

    /// What moving first is worth to Player Two: the lesser value under the Marquisian pie, the greater
    /// under the bait pie.
    fn moving_first(&self, [w, b]: [Bounds; 2]) -> Bounds {
        match self.query.pie {
            Pie::Marquisian => Bounds { worst: w.worst.min(b.worst), best: w.best.min(b.best) },
            Pie::Bait => Bounds { worst: w.worst.max(b.worst), best: w.best.max(b.best) },
        }
    }

    /// What the better choice is worth to Player Two.
    fn choice_bounds(&self, bounds: [Bounds; 2]) -> Bounds {
        let first = self.moving_first(bounds);
        match first.value() {
            Some(value) => Bounds::exact(value.max(value.for_opponent())),
            None => Bounds { worst: Value::Draw, best: Value::Win },
        }
    }

    fn player_two(&self) -> PlayerTwo {
        let letter = |player: Player| self.query.game.letters()[player].to_string();
        let deciding = self.deciding(self.bounds());
        let (choice, colour) = match (self.moving_first(self.bounds()).value(), self.query.pie) {
            (Some(Value::Win), Pie::Marquisian) => (Some("move-first"), None),
            (Some(Value::Win), Pie::Bait) => (Some("move-first"), deciding.map(letter)),
            (Some(Value::Loss), Pie::Marquisian) => {
                (Some("choose-colour"), deciding.map(|lost| letter(lost.opponent())))
            }
            (Some(Value::Loss), Pie::Bait) => (Some("take-bait"), None),
            _ => (None, None),
        };
        let bounds = self.choice_bounds(self.bounds());
        PlayerTwo {
            choice: choice.map(str::to_owned),
            colour,
            value: bounds.value().map_or("unknown", Value::name).to_owned(),
            bounds: [bounds.worst.name().to_owned(), bounds.best.name().to_owned()],
        }
    }

    fn first_mover(&self, number: usize) -> FirstMover {
        let colour = &self.colours[number];
        let answer = match &colour.answer {
            Some(answer) => answer.clone(),
            None => self.solver.unknown(&colour.table),
        };
        let best = answer.moves.iter().filter(|mv| {
            mv.verdict.value == answer.verdict.value
                && answer.verdict.value != "unknown"
                && mv.verdict.plies == answer.verdict.plies
        });
        FirstMover {
            best: best.map(|mv| mv.mv.clone()).collect(),
            position: answer.position,
            verdict: answer.verdict,
        }
    }

    /// How hard the set-up is, seen from the first position that decides it.
    fn difficulty(&self) -> Difficulty {
        let number = self.deciding(self.bounds()).map_or(0, |player| usize::from(player == Player::Second));
        let colour = &self.colours[number];
        let nodes = self.colours.iter().map(|colour| colour.nodes).sum();
        let mut first_moves = Vec::new();
        if self.solver.game.over(&colour.table).is_none() {
            self.solver.game.moves(&colour.table, &mut first_moves);
        }
        let mut difficulty = Difficulty { first_moves: first_moves.len(), nodes, ..Difficulty::default() };
        difficulty.only_move_line = colour.only_line;
        difficulty.greedy_move = greedy_move(self.solver.game, &colour.table);
        if let Some(answer) = &colour.answer
            && let Some(value) = colour.bounds.value()
            && answer.moves.iter().all(|mv| mv.verdict.value != "unknown")
        {
            let keeps = |mv: &&crate::MoveAnswer| mv.verdict.value == value.name();
            difficulty.keeping_moves = Some(answer.moves.iter().filter(keeps).count());
            let greedy = answer.moves.iter().find(|mv| Some(&mv.mv) == difficulty.greedy_move.as_ref());
            difficulty.greedy_keeps = greedy.map(|mv| keeps(&mv));
        }
        difficulty
    }

    fn report(&self, setup: &Setup) -> Balance {
        let pie = match self.query.pie {
            Pie::Marquisian => "marquisian",
            Pie::Bait => "bait",
        };
        Balance {
            game: self.query.game.name().to_owned(),
            board: setup.text(),
            pie: pie.to_owned(),
            bait: setup.bait().0,
            target: setup.target().0,
            first_mover: ByColour { w: Some(self.first_mover(0)), b: Some(self.first_mover(1)) },
            player_two: self.player_two(),
            balanced: self.choice_bounds(self.bounds()).value().map(|value| value == Value::Draw),
            difficulty: self.difficulty(),
        }
    }
}
