//! Moves, play, end and symmetries.

use std::ops::RangeInclusive;

use marquis_core::{Acyclic, ByPlayer, Game, Hashed, Outcome, Over, Player, Plies, Reason, Symmetric};

use super::Squinch;
use super::board::{MAX_CHECKERS, MAX_SIDE, Position, Square, Stack};

/// A move of the top checker of a stack, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// From a square to another.
    Step {
        /// The square of the checker before the move.
        from: Square,
        /// The square after the move.
        to: Square,
    },
    /// Over the far edge.
    Off {
        /// The square of the checker before the move.
        from: Square,
    },
    /// No checker can move.
    Pass,
}

/// A direction in files and in ranks towards the far edge.
#[derive(Clone, Copy)]
struct Direction {
    across: i8,
    onward: i8,
}

const FORWARD: [Direction; 3] = [
    Direction { across: -1, onward: 1 },
    Direction { across: 0, onward: 1 },
    Direction { across: 1, onward: 1 },
];
const SIDEWAYS: [Direction; 2] = [Direction { across: -1, onward: 0 }, Direction { across: 1, onward: 0 }];

/// More than any sum of squared heights.
const SQUARES_END: u32 = 2 * MAX_CHECKERS * MAX_CHECKERS + 1;
/// At least the total of ranks that all checkers can have to go.
const FARTHEST: u32 = 2 * MAX_CHECKERS * MAX_SIDE as u32;

impl Squinch {
    /// The position in which both players have filled their `depth` nearest ranks with single checkers.
    ///
    /// Red is to move. `None` if the camps would be empty or meet, or hold more than 24 checkers each.
    #[must_use]
    pub fn start(self, depth: u8) -> Option<Position> {
        let room = depth >= 1 && depth <= self.ranks / 2;
        if !room || u32::from(self.files * depth) > MAX_CHECKERS {
            return None;
        }
        let mut position = Position::empty(Player::First);
        for rank in 0..depth {
            for file in 0..self.files {
                position.put(Square::new(file, rank), Stack { owner: Player::First, height: 1 });
                let far = Square::new(file, self.ranks - 1 - rank);
                position.put(far, Stack { owner: Player::Second, height: 1 });
            }
        }
        Some(position)
    }

    /// The number of ranks that a checker on this square has to go until it is off: 1 from the last rank.
    #[inline]
    pub(super) const fn distance_off(self, square: Square, owner: Player) -> u8 {
        match owner {
            Player::First => self.ranks - square.rank(),
            Player::Second => square.rank() + 1,
        }
    }

    /// The squares on a line from a square, nearest first, at most `reach` of them.
    #[inline]
    fn line(self, from: Square, owner: Player, way: Direction, reach: u8) -> impl Iterator<Item = Square> {
        let up = if owner == Player::First { way.onward } else { -way.onward };
        let mut file = from.file();
        let mut rank = from.rank();
        (0..reach).map_while(move |_| {
            file = file.checked_add_signed(way.across).filter(|&file| file < self.files)?;
            rank = rank.checked_add_signed(up).filter(|&rank| rank < self.ranks)?;
            Some(Square::new(file, rank))
        })
    }

    fn stack_moves(self, position: &Position, from: Square, out: &mut Vec<Move>) {
        let turn = position.turn;
        let height = position.height(from);
        let enemies = position.stacks[turn.opponent()];
        let friends = position.stacks[turn];
        for way in FORWARD {
            let free = self.line(from, turn, way, height).filter(|to| to.bit() & enemies == 0);
            out.extend(free.map(|to| Move::Step { from, to }));
        }
        for way in SIDEWAYS {
            let line = self.line(from, turn, way, height);
            let as_tall = line.filter(|&to| to.bit() & friends != 0 && position.height(to) >= height);
            out.extend(as_tall.map(|to| Move::Step { from, to }));
        }
        if self.distance_off(from, turn) <= height {
            out.push(Move::Off { from });
        }
    }

    /// The files in reverse order.
    fn mirrored(self, position: &Position) -> Position {
        position.map_words(|word| word.reverse_bits().swap_bytes() >> (MAX_SIDE - self.files))
    }

    /// The ranks in reverse order, with the checkers of the players exchanged and the other player to move.
    pub(super) fn swapped(self, position: &Position) -> Position {
        let shift = 8 * (MAX_SIDE - self.ranks);
        let mut image = position.map_words(|word| word.swap_bytes() >> shift);
        image.stacks = image.stacks.swapped();
        image.turn = image.turn.opponent();
        image
    }
}

impl Game for Squinch {
    type Position = Position;
    type Move = Move;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Over> {
        let last = position.turn.opponent();
        let gone = |player| position.stacks[player] == 0;
        let winner = [last, position.turn].into_iter().find(|&player| gone(player))?;
        Some(Over::won(Reason::BorneOff, winner))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let before = out.len();
        let mut left = position.stacks[position.turn];
        while left != 0 {
            self.stack_moves(position, Square::from_index(left.trailing_zeros()), out);
            left &= left - 1;
        }
        if out.len() == before {
            out.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let mut after = *position;
        let turn = position.turn;
        match mv {
            Move::Step { from, to } => {
                after.take_checker(from, turn);
                after.add_checker(to, turn);
            }
            Move::Off { from } => after.take_checker(from, turn),
            Move::Pass => {}
        }
        after.turn = turn.opponent();
        after
    }

    /// Each checker of the first side without one takes a move off.
    fn least_plies(&self, position: &Position) -> Plies {
        let (turn, other) = (position.turn, position.turn.opponent());
        let checkers = |owner| position.checkers(owner) as u16;
        Plies((2 * checkers(turn)).saturating_sub(1).min(2 * checkers(other)))
    }

    const KNOWS_FOREGONE: bool = true;

    /// By the moves that both sides need, see [`solo`](super::solo).
    fn foregone(&self, position: &Position) -> Option<Outcome> {
        self.decided(position).map(Outcome::Winner)
    }

    fn foregone_plies(&self, position: &Position, outcome: Outcome) -> Option<RangeInclusive<Plies>> {
        let Outcome::Winner(winner) = outcome else { return None };
        self.decided_within(position, winner)
    }

    /// A shortest line of [`solo`](super::solo) that nobody can prevent.
    fn certain_line(&self, position: &Position) -> Vec<Move> {
        let is_won = self.decided(position) == Some(position.turn);
        if is_won { self.sure_line(position) } else { Vec::new() }
    }
}

impl Hashed for Squinch {
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        /// Both halves of the product of two words, folded into one.
        fn mix(a: u64, b: u64) -> u64 {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        }
        // Odd words without a pattern (digits of pi and of e): a product is zero only for a few values of each word.
        const SALTS: [u64; 7] = [
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7345,
            0xa409_3822_299f_31d1,
            0x082e_fa98_ec4e_6c89,
            0x4528_21e6_38d0_1377,
            0xbe54_66cf_34e9_0c6d,
            0xb7e1_5162_8aed_2a6b,
        ];
        let ByPlayer { first, second } = position.stacks;
        let [h0, h1, h2, h3, h4] = position.heights;
        let a = mix(first ^ SALTS[0], second ^ SALTS[1]);
        let b = mix(h0 ^ SALTS[2], h1 ^ SALTS[3]);
        let c = mix(h2 ^ h4.rotate_left(32) ^ SALTS[4], h3 ^ SALTS[5]);
        let turn = if position.turn == Player::First { 0 } else { SALTS[6] };
        mix(a ^ c.rotate_left(23) ^ turn, b.rotate_left(41) ^ SALTS[0])
    }

    /// The same for both mirror images.
    #[inline]
    fn shared_key(&self, position: &Position) -> u64 {
        self.key(&(*position).min(self.mirrored(position)))
    }
}

impl Symmetric for Squinch {
    fn images(&self) -> usize {
        4
    }

    /// 1 is the mirror left to right, 2 the colour swap, 3 both.
    ///
    /// Panics if `number` is 4 or more.
    fn image(&self, position: &Position, number: usize) -> Position {
        match number {
            0 => *position,
            1 => self.mirrored(position),
            2 => self.swapped(position),
            3 => self.mirrored(&self.swapped(position)),
            _ => panic!("Squinch has 4 images, asked for number {number}"),
        }
    }

    fn canonical(&self, position: &Position) -> Position {
        let red = if position.turn == Player::First { *position } else { self.swapped(position) };
        red.min(self.mirrored(&red))
    }
}

impl Acyclic for Squinch {
    /// Ranks advanced (borne off counts as past the edge), then the sum of squared heights.
    fn progress(&self, position: &Position) -> u32 {
        let mut to_go = 0;
        let mut squares = 0;
        for owner in Player::BOTH {
            let mut left = position.stacks[owner];
            while left != 0 {
                let square = Square::from_index(left.trailing_zeros());
                let height = u32::from(position.height(square));
                to_go += height * u32::from(self.distance_off(square, owner));
                squares += height * height;
                left &= left - 1;
            }
        }
        (FARTHEST - to_go) * SQUARES_END + squares
    }
}
