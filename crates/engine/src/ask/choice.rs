//! What Player Two should do, once something is known of both first positions.
//!
//! Source: RULES.md §3, "Set-ups and the pie".

use marquis_core::{Bounds, ByPlayer, Player, Value};

use crate::query::Pie;
use crate::wire::answer::PlayerTwo;
use crate::wire::words::{bound_words, value_word};

/// A pie, and the bounds of whoever moves first with each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) pie: Pie,
    pub(crate) bounds: [Bounds; 2],
}

impl Choice {
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

    /// What moving first is worth to Player Two: the lesser value under the Marquisian pie, the greater
    /// under the bait pie.
    fn moving_first(self) -> Bounds {
        let [w, b] = self.bounds;
        match self.pie {
            Pie::Marquisian => Bounds { worst: w.worst.min(b.worst), best: w.best.min(b.best) },
            Pie::Bait => Bounds { worst: w.worst.max(b.worst), best: w.best.max(b.best) },
        }
    }

    /// What the better choice is worth to Player Two.
    pub(crate) fn worth(self) -> Bounds {
        match self.moving_first().value() {
            Some(value) => Bounds::exact(value.max(value.for_opponent())),
            None => Bounds { worst: Value::Draw, best: Value::Win },
        }
    }

    /// The choice, what it is worth, and the colour where it leaves that to him.
    ///
    /// * `letters`: of the players, as answers write colours.
    pub(crate) fn player_two(self, letters: ByPlayer<char>) -> PlayerTwo {
        let letter = |player: Player| letters[player].to_string();
        let deciding = self.deciding();
        let (choice, colour) = match (self.moving_first().value(), self.pie) {
            (Some(Value::Win), Pie::Marquisian) => (Some("move-first"), None),
            (Some(Value::Win), Pie::Bait) => (Some("move-first"), deciding.map(letter)),
            (Some(Value::Loss), Pie::Marquisian) => {
                (Some("choose-colour"), deciding.map(|lost| letter(lost.opponent())))
            }
            (Some(Value::Loss), Pie::Bait) => (Some("take-bait"), None),
            _ => (None, None),
        };
        let bounds = self.worth();
        PlayerTwo {
            choice: choice.map(str::to_owned),
            colour,
            value: value_word(bounds.value()),
            bounds: bound_words(bounds),
        }
    }
}
