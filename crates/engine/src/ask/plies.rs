//! The plies of a decided game, by a search to fixed depths.

use marquis_core::{Bounds, ByPlayer, Game as _, Hashed as _, Player, Plies, Score, Symmetric as _, Value};
use marquis_proof::{Distances, Ended, Span};

use crate::Progress;
use crate::ask::ordering::in_order;
use crate::ask::purse::Purse;
use crate::ask::solve::Solver;
use crate::game::exact::ExactGame;
use crate::results::{Proof, Solution, ValuedMove, Verdict};

/// The maximum number of plies to count.
const MOST_PLIES: u16 = 400;
/// The maximum memory for counting plies, in bytes.
const MOST_BYTES: u64 = 256 << 20;

impl<G: ExactGame> Solver<'_, G> {
    /// Adds the plies of a decided game to an answer, as far as the limits allow: first those of the position, then
    /// those of the other moves.
    pub(crate) fn counted(&self, answer: Solution<G>, purse: &Purse) -> Solution<G> {
        self.counting(answer, purse, |counting| counting.of_position().and_then(|()| counting.of_moves()))
    }

    fn counting(
        &self,
        answer: Solution<G>,
        purse: &Purse,
        count: impl FnOnce(&mut Counting<'_, '_, G>) -> Result<(), Ended>,
    ) -> Solution<G> {
        let limits = self.search_limits(*purse);
        let bytes =
            usize::try_from((self.limits.memory_bytes() / 4).min(MOST_BYTES)).unwrap_or(usize::MAX) / 2;
        let by_first = |position: &G::Position| self.plies_known(position, Player::First);
        let by_second = |position: &G::Position| self.plies_known(position, Player::Second);
        let first = Distances::new(self.game, Player::First, &by_first, limits, bytes);
        let second = Distances::new(self.game, Player::Second, &by_second, limits, bytes);
        let mut counting = Counting { solver: self, answer, wins: ByPlayer::new(first, second) };
        // The results are true regardless of the limit that ended the count.
        let _ended = count(&mut counting);
        counting.answer.with_images(self.game)
    }

    /// Finds one move that takes the plies of the position, if these are known and the limits allow it.
    pub(crate) fn with_best_named(&self, answer: Solution<G>, purse: &Purse) -> Solution<G> {
        let Some(Plies(plies)) = answer.verdict.plies() else { return answer };
        if answer.choices.iter().any(|choice| choice.verdict.plies() == Some(Plies(plies))) {
            return answer;
        }
        self.counting(answer, purse, |counting| counting.of_best(plies))
    }

    /// The plies after which a player wins, by tables, the book and proofs.
    fn plies_known(&self, position: &G::Position, winner: Player) -> Option<Span> {
        let mover_wins = self.game.turn(position) == winner;
        match (self.knowledge.quick_score(position), mover_wins) {
            (Some(Score::Win(plies)), true) | (Some(Score::Loss(plies)), false) => {
                Some(Span { least: plies.0, most: Some(plies.0) })
            }
            // He never wins.
            (Some(_), _) => Some(Span { least: u16::MAX, most: None }),
            (None, false) if self.knowledge.is_near() => self.knowledge.plies_of_loss(position),
            (None, _) => None,
        }
    }
}

/// An answer whose plies are being counted.
struct Counting<'s, 'a, G: ExactGame> {
    solver: &'s Solver<'a, G>,
    answer: Solution<G>,
    /// How soon each player wins.
    wins: ByPlayer<Distances<'s, G::Rules>>,
}

impl<G: ExactGame> Counting<'_, '_, G> {
    fn of_position(&mut self) -> Result<(), Ended> {
        let value = self.answer.verdict.value();
        for plies in 1..=MOST_PLIES {
            if self.answer.verdict.plies().is_some() || value.is_none_or(|value| value == Value::Draw) {
                return Ok(());
            }
            self.tell(plies);
            let matters = |choice: &ValuedMove<G>| {
                value == Some(Value::Loss) || choice.verdict.bounds.best == Value::Win
            };
            let mut is_won = false;
            for number in self.numbers(matters) {
                is_won |= self.ends_within(number, plies)?;
                if is_won && value == Some(Value::Win) {
                    break;
                }
            }
            if !is_won && value == Some(Value::Win) {
                self.answer.verdict.lasts(Span { least: plies + 1, most: None });
            }
            self.conclude();
        }
        Ok(())
    }

    /// Looks for one move that takes the plies of the position.
    fn of_best(&mut self, plies: u16) -> Result<(), Ended> {
        let value = self.answer.verdict.value();
        let takes = |choice: &ValuedMove<G>| {
            let Span { least, most } = choice.verdict.span;
            value.is_some_and(|value| choice.verdict.bounds.best >= value)
                && least <= plies
                && most.is_none_or(|most| most >= plies)
        };
        // A win of at most these plies, or a loss of more than these.
        let is_win = value == Some(Value::Win);
        let asked = (if is_win { plies } else { plies.saturating_sub(1) }).max(1);
        let mut numbers = self.numbers(takes);
        if let Some(&known) = numbers.iter().find(|&&number| self.known_within(number, asked) == Some(is_win))
        {
            self.ends_within(known, asked)?;
        } else {
            self.deepen(&mut numbers, asked, is_win)?;
        }
        self.conclude();
        Ok(())
    }

    /// Asks at each depth up to `plies` for a move for which [`Self::ends_within`] is `wanted`.
    ///
    /// As in the count for the position, each depth orders the moves for the next one.
    fn deepen(&mut self, numbers: &mut [usize], plies: u16, wanted: bool) -> Result<(), Ended> {
        for depth in 1..=plies {
            for place in 0..numbers.len() {
                if self.ends_within(numbers[place], depth)? == wanted {
                    numbers[..=place].rotate_right(1);
                    break;
                }
            }
        }
        Ok(())
    }

    fn of_moves(&mut self) -> Result<(), Ended> {
        let is_open = |choice: &ValuedMove<G>| {
            let is_decisive = choice.verdict.value().is_some_and(|value| value != Value::Draw);
            is_decisive && choice.verdict.plies().is_none()
        };
        for plies in 1..=MOST_PLIES {
            let open = self.numbers(is_open);
            if open.is_empty() {
                break;
            }
            self.tell(plies);
            for number in open {
                self.ends_within(number, plies)?;
            }
            self.conclude();
        }
        Ok(())
    }

    /// The indices of the moves for which `is_meant` holds, best first, in the same order for all images.
    fn numbers(&self, is_meant: impl Fn(&ValuedMove<G>) -> bool) -> Vec<usize> {
        let game = self.solver.game;
        let tie = |choice: &ValuedMove<G>| game.key(&game.canonical(&choice.after));
        let mut numbers = in_order(&self.answer.choices, &self.answer.verdict, tie);
        numbers.retain(|&number| is_meant(&self.answer.choices[number]));
        numbers
    }

    /// Whether the winner after a move wins within `plies` plies, that move included.
    fn ends_within(&mut self, number: usize, plies: u16) -> Result<bool, Ended> {
        let (after, winner) = self.after(number);
        let wins = &mut self.wins[winner];
        let within = wins.within(&after, plies - 1);
        let choice = &mut self.answer.choices[number];
        if choice.verdict.value().is_none() && within == Ok(true) {
            let won = Verdict::bounded(Bounds::exact(Value::Win), Proof::Search);
            choice.verdict = choice.verdict.and(won);
        }
        if choice.verdict.value().is_some_and(|value| value != Value::Draw) {
            let Span { least, most } = wins.span(&after);
            let later = |plies: u16| plies.saturating_add(1);
            choice.verdict.lasts(Span { least: later(least), most: most.map(later) });
        }
        within
    }

    /// The same, if it is known without a search.
    fn known_within(&self, number: usize, plies: u16) -> Option<bool> {
        let (after, winner) = self.after(number);
        self.wins[winner].known_within(&after, plies - 1)
    }

    /// The canonical image of the position after a move, and the winner there: an image may have the colours swapped.
    fn after(&self, number: usize) -> (G::Position, Player) {
        let (game, choice) = (self.solver.game, &self.answer.choices[number]);
        let turn = game.turn(&self.answer.position);
        let loses = choice.verdict.value() == Some(Value::Loss);
        let winner = if loses { turn.opponent() } else { turn };
        let after = game.canonical(&choice.after);
        let is_swapped = game.turn(&after) != game.turn(&choice.after);
        (after, if is_swapped { winner.opponent() } else { winner })
    }

    fn conclude(&mut self) {
        let bare = Solution { choices: std::mem::take(&mut self.answer.choices), ..self.answer.clone() };
        self.answer = bare.concluded();
    }

    fn tell(&self, plies: u16) {
        let phase = "counting plies".to_owned();
        self.solver.control.tell(&Progress { phase, done: plies.into(), total: None, bounds: None });
    }
}
