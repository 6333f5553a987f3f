//! The question that a search answers, and the numbers that say how far it is from an answer.

use marquis_core::{Bounds, Player, Value};

/// "Can `prover` force a win from here, in finitely many moves?"
///
/// A draw and play that never ends count as no. The answers to the two questions about a position
/// are its value: at most one of them is yes, and it is a draw when none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Who is to force the win; the other player is the defender.
    pub prover: Player,
}

impl Question {
    /// What the answer yes says about the value of a position in which `turn` is to move.
    #[must_use]
    pub fn if_yes(self, turn: Player) -> Bounds {
        Bounds::exact(if self.prover == turn { Value::Win } else { Value::Loss })
    }

    /// What the answer no says about the value of a position in which `turn` is to move.
    #[must_use]
    pub fn if_no(self, turn: Player) -> Bounds {
        if self.prover == turn {
            Bounds { worst: Value::Loss, best: Value::Draw }
        } else {
            Bounds { worst: Value::Draw, best: Value::Win }
        }
    }

    /// Whether a value for `turn` answers the question with yes.
    #[must_use]
    pub fn is_yes(self, value: Value, turn: Player) -> bool {
        value == if self.prover == turn { Value::Win } else { Value::Loss }
    }
}

/// Proof and disproof number: how many leaves at least must still be settled in the prover's, or in
/// the defender's, favour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// 0 when proved, [`Numbers::INFINITE`] when disproved.
    pub proof: u32,
    /// 0 when disproved, [`Numbers::INFINITE`] when proved.
    pub disproof: u32,
}

impl Numbers {
    /// Stands for a number that no further search can bring down.
    pub const INFINITE: u32 = (1 << 28) - 1;
    /// The largest number of an open position.
    pub const LARGEST: u32 = Self::INFINITE - 1;
    /// An open position of which nothing is known.
    pub const UNIT: Self = Self { proof: 1, disproof: 1 };
    /// The answer is yes.
    pub const PROVED: Self = Self { proof: 0, disproof: Self::INFINITE };
    /// The answer is no.
    pub const DISPROVED: Self = Self { proof: Self::INFINITE, disproof: 0 };

    /// The same numbers forced into the range of an open position.
    #[must_use]
    pub fn open(self) -> Self {
        Self { proof: self.proof.clamp(1, Self::LARGEST), disproof: self.disproof.clamp(1, Self::LARGEST) }
    }

    /// Whether the question is answered.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The sum of two numbers; infinite only where one of them is.
pub(crate) const fn add(a: u32, b: u32) -> u32 {
    if a == Numbers::INFINITE || b == Numbers::INFINITE {
        return Numbers::INFINITE;
    }
    let sum = a + b;
    if sum > Numbers::LARGEST { Numbers::LARGEST } else { sum }
}
