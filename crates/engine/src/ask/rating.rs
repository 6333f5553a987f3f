//! The difficulty of a set-up: which of the eight levels finds Player Two's right choice and holds it.

use std::num::NonZero;
use web_time::Instant;

use marquis_core::{Bounds, Game as _, Player, Value};
use marquis_play::{Budget, Level, Proved};

use crate::ask::solve::Solver;
use crate::game::exact::ExactGame;
use crate::game::judge::{JudgedMove, Means, certain};
use crate::query::{Opponent, Pie};
use crate::results::Wdl;
use crate::results::pie::{FirstMovers, PieChoice};
use crate::results::set_up::Tried;

/// The number of games per level.
const GAMES: u32 = 8;
/// Positions that the opponent of every level examines per move.
const OPPONENT_NODES: u64 = 2_000;
/// The same for the highest level as Player Two.
const HIGHEST_NODES: u64 = 20_000;
/// A game that reaches this number of plies does not count as held.
const MOST_PLIES: u32 = 120;
/// The table size of a player, in bytes.
const BYTES: usize = 256 << 10;

/// A trial of a decided set-up with players of all levels.
pub(crate) struct Trial<'a, G: ExactGame> {
    pub(crate) solver: &'a Solver<'a, G>,
    /// The first mover's positions with White and with Black.
    pub(crate) firsts: [G::Position; 2],
    pub(crate) pie: Pie,
    /// The choice that wins for Player Two.
    pub(crate) right: PieChoice,
    /// The deadline of the answer.
    pub(crate) until: Option<Instant>,
}

impl<G: ExactGame> Trial<'_, G> {
    /// The levels that were tried to find the lowest one that succeeds in half of its games, lowest first. `None` if
    /// time is up or Ctrl-C was pressed.
    ///
    /// Higher levels are assumed to succeed at least as often.
    pub(crate) fn levels(&self) -> Option<Vec<Tried>> {
        let mut tried: Vec<Tried> = Vec::new();
        let (mut fails, mut succeeds) = (Level::MIN.get() - 1, Level::MAX.get() + 1);
        while succeeds - fails > 1 {
            let level = Level::new(fails.midpoint(succeeds)).expect("between two levels is a level");
            let own = self.of_level(level)?;
            *if own.in_half() { &mut succeeds } else { &mut fails } = level.get();
            tried.push(own);
        }
        tried.sort_unstable_by_key(|own| own.level);
        Some(tried)
    }

    fn of_level(&self, level: Level) -> Option<Tried> {
        let mut tried = Tried { level, found: 0, held: 0, games: GAMES };
        for game in 0..GAMES {
            let player = Opponent { level, seed: u64::from(game) };
            let found = self.finds(player)?;
            tried.found += u32::from(found);
            tried.held += u32::from(found && self.holds(player, game)?);
        }
        Some(tried)
    }

    /// Whether a player prefers the right choice after one look at each first position.
    fn finds(&self, player: Opponent) -> Option<bool> {
        let [white, black] = self.firsts.each_ref().map(|first| self.looks(player, first));
        let movers = FirstMovers { pie: self.pie, bounds: [Bounds::UNKNOWN; 2] };
        Some(movers.leaning([white?, black?]).choice == self.right)
    }

    /// The first mover's chances, as a player estimates them.
    fn looks(&self, player: Opponent, first: &G::Position) -> Option<Wdl> {
        let rules = self.solver.game;
        match rules.over(first) {
            Some(over) => Some(certain(over.outcome.for_mover(rules.turn(first)))),
            None => Some(self.chosen(player, first, HIGHEST_NODES)?.wdl),
        }
    }

    /// Whether a player who has made the right choice wins against the highest level.
    ///
    /// * `game`: if Player One may choose the colour, he alternates from game to game.
    fn holds(&self, player: Opponent, game: u32) -> Option<bool> {
        let by_turns = Player::BOTH[game as usize % 2];
        let (colour, moves_first) = match self.right {
            PieChoice::MoveFirst => (by_turns, true),
            PieChoice::MoveFirstWith(colour) => (colour, true),
            PieChoice::ChooseColour(colour) => (colour.opponent(), false),
            PieChoice::TakeBait => (by_turns, false),
        };
        let rules = self.solver.game;
        let mut position = self.firsts[usize::from(colour == Player::Second)];
        let own = if moves_first { rules.turn(&position) } else { rules.turn(&position).opponent() };
        for _ in 0..MOST_PLIES {
            if let Some(over) = rules.over(&position) {
                return Some(over.outcome.for_mover(own) == Value::Win);
            }
            let on_move = rules.turn(&position) == own;
            let (mover, highest) =
                if on_move { (player, HIGHEST_NODES) } else { (Opponent::default(), OPPONENT_NODES) };
            let chosen = self.chosen(mover, &position, highest)?;
            if matches!(chosen.proved, Some(Proved { value: Value::Win, .. })) {
                return Some(on_move);
            }
            position = rules.play(&position, chosen.mv);
        }
        Some(false)
    }

    /// The move of a player; `None` if time is up or the work was stopped.
    ///
    /// * `highest`: positions that the highest level examines; the other levels have their own limits.
    fn chosen(&self, player: Opponent, position: &G::Position, highest: u64) -> Option<JudgedMove<G::Move>> {
        let Solver { game, knowledge, judge, control, .. } = self.solver;
        if control.stopped() || control.is_past(self.until) {
            return None;
        }
        let nodes = if player.level == Level::MAX { highest } else { u64::MAX };
        let means = Means {
            budget: Budget::nodes(nodes),
            bytes: BYTES,
            threads: NonZero::<usize>::MIN,
            oracle: *knowledge,
        };
        Some(judge.choose(player, game, position, &means))
    }
}
