//! Player Two's best choice, from the bounds of both first positions.
//!
//! Source: RULES.md §3, "Set-ups and the pie".

use marquis_core::{Bounds, Player, Value};
use marquis_eval::Wdl;

use crate::query::Pie;

/// A choice that a pie offers to Player Two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieChoice {
    /// He moves first with the colour that Player One gives him.
    MoveFirst,
    /// He moves first with this colour, and gives the bait away.
    MoveFirstWith(Player),
    /// He has this colour and moves second.
    ChooseColour(Player),
    /// He takes the bait and moves second.
    TakeBait,
}

/// Player Two's best choice and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlayerTwo {
    /// The better choice; `None` if it is unknown or if both are worth the same.
    pub(crate) choice: Option<PieChoice>,
    /// The value of the better choice for him.
    pub(crate) worth: Bounds,
    /// The choice that looks better, if the better one is unknown.
    pub(crate) leaning: Option<PieLeaning>,
}

/// The choice that looks better, by estimates; never a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PieLeaning {
    pub(crate) choice: PieChoice,
    /// Player Two's chances with it.
    pub(crate) wdl: Wdl,
}

impl PlayerTwo {
    /// Whether both choices are worth the same; `None` if unknown.
    pub(crate) fn balanced(self) -> Option<bool> {
        self.worth.value().map(|value| value == Value::Draw)
    }
}

/// A pie, and the first mover's bounds with each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstMovers {
    pub(crate) pie: Pie,
    pub(crate) bounds: [Bounds; 2],
}

impl FirstMovers {
    /// The colour whose first position alone decides, if there is one: lost under the Marquisian pie,
    /// won under the bait pie.
    pub(crate) fn deciding(self) -> Option<Player> {
        let wanted = match self.pie {
            Pie::Marquisian => Value::Loss,
            Pie::Bait => Value::Win,
        };
        let number = self.bounds.iter().position(|bounds| bounds.value() == Some(wanted))?;
        Some(Player::BOTH[number])
    }

    /// The value of moving first for Player Two: the lesser one under the Marquisian pie, the greater one under the
    /// bait pie.
    fn moving_first(self) -> Bounds {
        let [w, b] = self.bounds;
        match self.pie {
            Pie::Marquisian => Bounds { worst: w.worst.min(b.worst), best: w.best.min(b.best) },
            Pie::Bait => Bounds { worst: w.worst.max(b.worst), best: w.best.max(b.best) },
        }
    }

    /// The value of the better choice for Player Two.
    pub(crate) fn worth(self) -> Bounds {
        match self.moving_first().value() {
            Some(value) => Bounds::exact(value.max(value.for_opponent())),
            None => Bounds { worst: Value::Draw, best: Value::Win },
        }
    }

    /// The better choice and its value.
    pub(crate) fn player_two(self) -> PlayerTwo {
        let choice = match (self.moving_first().value(), self.pie) {
            (Some(Value::Win), Pie::Marquisian) => Some(PieChoice::MoveFirst),
            (Some(Value::Win), Pie::Bait) => self.deciding().map(PieChoice::MoveFirstWith),
            (Some(Value::Loss), Pie::Marquisian) => {
                self.deciding().map(|lost| PieChoice::ChooseColour(lost.opponent()))
            }
            (Some(Value::Loss), Pie::Bait) => Some(PieChoice::TakeBait),
            _ => None,
        };
        PlayerTwo { choice, worth: self.worth(), leaning: None }
    }

    /// The choice that looks better by the first mover's chances with each colour.
    pub(crate) fn leaning(self, chances: [Wdl; 2]) -> PieLeaning {
        let [w, b] = chances.map(Wdl::expected);
        let pick =
            |first: bool| if first { (Player::First, chances[0]) } else { (Player::Second, chances[1]) };
        let moving = |wdl: Wdl| wdl.expected() >= 0.5;
        let (choice, wdl) = match self.pie {
            // Player One gives the first mover the worse colour, and Player Two leaves the worse colour to Player
            // One.
            Pie::Marquisian => match pick(w <= b) {
                (_, wdl) if moving(wdl) => (PieChoice::MoveFirst, wdl),
                (colour, wdl) => (PieChoice::ChooseColour(colour.opponent()), wdl.for_opponent()),
            },
            Pie::Bait => match pick(w >= b) {
                (colour, wdl) if moving(wdl) => (PieChoice::MoveFirstWith(colour), wdl),
                (_, wdl) => (PieChoice::TakeBait, wdl.for_opponent()),
            },
        };
        PieLeaning { choice, wdl }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of bounds that a search can leave.
    fn all() -> impl Iterator<Item = FirstMovers> {
        let values = [Value::Loss, Value::Draw, Value::Win];
        let bounds = move || {
            let pairs = values.into_iter().flat_map(move |worst| values.map(|best| Bounds { worst, best }));
            pairs.filter(|bounds| bounds.worst <= bounds.best)
        };
        let pairs = move || bounds().flat_map(move |w| bounds().map(move |b| [w, b]));
        [Pie::Marquisian, Pie::Bait]
            .into_iter()
            .flat_map(move |pie| pairs().map(move |bounds| FirstMovers { pie, bounds }))
    }

    #[test]
    fn player_two_has_a_choice_exactly_where_one_is_won_for_him() {
        for movers in all() {
            let PlayerTwo { choice, worth, .. } = movers.player_two();
            assert_eq!(choice.is_some(), worth == Bounds::exact(Value::Win), "{movers:?}");
        }
    }

    /// If everything is certain, the leaning is the choice.
    #[test]
    fn leanings_are_the_choices_of_what_is_certain() {
        let certain = |bounds: Bounds| crate::game::judge::certain(bounds.value().unwrap());
        for movers in all().filter(|movers| movers.bounds.iter().all(|bounds| bounds.value().is_some())) {
            let PieLeaning { choice, wdl } = movers.leaning(movers.bounds.map(certain));
            let PlayerTwo { choice: known, worth, .. } = movers.player_two();
            assert_eq!(wdl, certain(worth), "{movers:?}");
            if known.is_some() {
                assert_eq!(Some(choice), known, "{movers:?}");
            }
        }
    }

    #[test]
    fn the_colour_that_he_takes_is_won_for_him() {
        for movers in all() {
            let of = |player: Player| movers.bounds[usize::from(player == Player::Second)];
            match movers.player_two().choice {
                Some(PieChoice::MoveFirst) => {
                    assert_eq!(movers.bounds, [Bounds::exact(Value::Win); 2], "{movers:?}");
                }
                Some(PieChoice::MoveFirstWith(player)) => assert_eq!(of(player), Bounds::exact(Value::Win)),
                Some(PieChoice::ChooseColour(player)) => {
                    assert_eq!(of(player.opponent()), Bounds::exact(Value::Loss), "{movers:?}");
                }
                Some(PieChoice::TakeBait) => {
                    assert_eq!(movers.bounds, [Bounds::exact(Value::Loss); 2], "{movers:?}");
                }
                None => {}
            }
        }
    }
}
