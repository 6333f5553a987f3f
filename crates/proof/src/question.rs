//! The question that a search answers, and the numbers that measure its distance from an answer.

use marquis_core::{Player, Value};

/// "Can `prover` force a win from here, in finitely many moves?"
///
/// A draw and endless play count as no. The answers to the two questions about a position give its value: at most one
/// of them is yes, and it is a draw if both are no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The player who has to force the win; the other one is the defender.
    pub prover: Player,
}

impl Question {
    /// Whether a value for `turn` answers the question with yes.
    #[must_use]
    pub fn is_yes(self, value: Value, turn: Player) -> bool {
        value == if self.prover == turn { Value::Win } else { Value::Loss }
    }
}

/// Proof and disproof number: the minimum number of leaves left to settle in the prover's, or in the defender's,
/// favour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// 0 when proved, [`Numbers::INFINITE`] when disproved.
    pub proof: u32,
    /// 0 when disproved, [`Numbers::INFINITE`] when proved.
    pub disproof: u32,
}

impl Numbers {
    /// A number that no further search can lower.
    pub const INFINITE: u32 = (1 << 28) - 1;
    /// The largest number of an open position.
    pub const LARGEST: u32 = Self::INFINITE - 1;
    /// An open position without any knowledge.
    pub const UNIT: Self = Self { proof: 1, disproof: 1 };
    /// The answer is yes.
    pub const PROVED: Self = Self { proof: 0, disproof: Self::INFINITE };
    /// The answer is no.
    pub const DISPROVED: Self = Self { proof: Self::INFINITE, disproof: 0 };

    /// The same numbers clamped to the range of an open position.
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

/// The sum of two numbers; infinite only if one of them is.
pub(crate) const fn add(a: u32, b: u32) -> u32 {
    if a == Numbers::INFINITE || b == Numbers::INFINITE {
        return Numbers::INFINITE;
    }
    let sum = a + b;
    if sum > Numbers::LARGEST { Numbers::LARGEST } else { sum }
}
