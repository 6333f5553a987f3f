//! The description of positions by a game: slots with small digits, and the slots that belong together.

/// The maximum number of slots of a game.
pub const SLOTS: usize = 160;

/// The digits of a position, slot by slot; entries past the last slot are 0.
pub type Digits = [u8; SLOTS];

/// How the digit of a slot changes when the players are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// Not at all.
    Same,
    /// The lower half of its owned digits belongs to the first player, the upper half to the second.
    Owners {
        /// Digits below this belong to nobody and stay.
        nobody: u8,
    },
    /// The digit is a difference, even in the middle: the least digit becomes the greatest.
    Turned,
}

/// A slot of the description: a cell of the board, or a counter.
///
/// The identity of weights is the hash of a text with this form, names included: another name makes all of them
/// unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Digits are below this.
    pub states: u8,
    /// The slot that takes its place when the players are exchanged; the slot itself if the board stays as it is.
    pub opposite: u8,
    /// How the digit changes then.
    pub swap: Swap,
}

impl Slot {
    /// The digit as the other player sees it.
    #[must_use]
    pub const fn swapped(&self, digit: u8) -> u8 {
        match self.swap {
            Swap::Owners { nobody } if digit >= nobody => {
                let each = (self.states - nobody) / 2;
                if digit >= nobody + each { digit - each } else { digit + each }
            }
            Swap::Turned => self.states - 1 - digit,
            _ => digit,
        }
    }
}

/// The slots of a game on one board, and the patterns of slots that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// All slots; at most [`SLOTS`].
    pub slots: Vec<Slot>,
    /// Patterns of one to four slots each. With each pattern there is also its image under the exchange of the
    /// players, the slots in any order.
    pub patterns: Vec<Vec<u8>>,
    /// The symmetries of the board: the image of every slot. Number 0 is the identity.
    pub images: Vec<Vec<u8>>,
    /// The slot whose digit is the phase of the game.
    pub phase: u8,
}

impl Shape {
    /// The number of phases.
    #[must_use]
    pub fn phases(&self) -> usize {
        usize::from(self.slots[usize::from(self.phase)].states)
    }

    /// The digits of an image of the position.
    #[must_use]
    pub fn image(&self, number: usize, digits: &Digits) -> Digits {
        let mut image = [0; SLOTS];
        for (&digit, &to) in digits.iter().zip(&self.images[number]) {
            image[usize::from(to)] = digit;
        }
        image
    }
}

/// The description of the positions of a game.
pub trait Inputs: Copy + Send + Sync + 'static {
    /// The rules, which fix the board.
    type Rules;
    /// A position of these rules.
    type Position;

    /// The version of the description; weights trained with another version are refused.
    const VERSION: u32;

    /// The slots and patterns of these rules.
    fn shape(rules: &Self::Rules) -> Shape;

    /// Writes the digits of a position as the first player sees it; entries past the last slot stay unchanged.
    fn describe(rules: &Self::Rules, position: &Self::Position, digits: &mut Digits);

    /// The phase of the game: the digit of its slot.
    fn phase(rules: &Self::Rules, position: &Self::Position) -> u8 {
        let mut digits = [0; SLOTS];
        Self::describe(rules, position, &mut digits);
        digits[usize::from(Self::shape(rules).phase)]
    }

    /// Updates the digits of `before` to those of `after`; may skip slots that do not change.
    fn redescribe(rules: &Self::Rules, before: &Self::Position, after: &Self::Position, digits: &mut Digits) {
        let _ = before;
        Self::describe(rules, after, digits);
    }
}
