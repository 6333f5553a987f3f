//! The path from the root to the current position: which positions repeat, and which ones a disproof rests on.
//!
//! This module solves graph-history interaction (GHI): a position reached by two paths may be lost on one of them and
//! not on the other, because different positions repeat. So a disproof carries its dependency set, the positions of
//! the path on which it rests, and their path signature: a table entry is valid only on paths that contain them.

/// The dependency set of a disproof: the positions of the path on which it rests, by depth; empty if it always holds.
///
/// Bit 127 stands for every depth from 127 up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DependencySet(u128);

impl DependencySet {
    pub(crate) const NOWHERE: Self = Self(0);
    /// Rests on a limit of the search and not on positions; never becomes unconditional.
    pub(crate) const ON_A_LIMIT: Self = Self(u128::MAX);

    pub(crate) fn on(depth: usize) -> Self {
        Self(1 << depth.min(127))
    }

    pub(crate) fn on_range(first: usize, last: usize) -> Self {
        let low = first.min(127);
        Self(u128::MAX << low & u128::MAX >> (127 - last.min(127)))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Removes the position itself: if a win from here exists, then also one that does not return here.
    pub(crate) fn without_own(self, depth: usize) -> Self {
        if depth > 127 { self } else { Self(self.0 & !(1 << depth)) }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) fn first(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// The deepest position that it rests on; `None` if bit 127 is set.
    pub(crate) fn last(self) -> Option<usize> {
        let last = 127 - self.0.leading_zeros() as usize;
        (last < 127).then_some(last)
    }
}

const FILTER: usize = 1 << 12;

/// Tokens of the positions on the path and of its prefixes, found by token.
#[derive(Debug)]
pub(crate) struct Tokens {
    stack: Vec<(u32, u32)>,
    /// The number of stack tokens in each filter slot; most lookups end here.
    filter: Vec<u16>,
}

impl Tokens {
    pub(crate) fn new() -> Self {
        Self { stack: Vec::new(), filter: vec![0; FILTER] }
    }

    /// The token of a position.
    pub(crate) fn of(key: u64) -> u32 {
        (key >> 32) as u32 ^ key as u32
    }

    pub(crate) fn push(&mut self, key: u64) {
        let token = Self::of(key);
        let before = self.stack.last().map_or(0x1234_5678_9ABC_DEF0, |top| u64::from(top.1));
        let mixed = (before.rotate_left(32) ^ key).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let prefix = (mixed >> 32) as u32;
        self.filter[token as usize % FILTER] += 1;
        self.filter[prefix as usize % FILTER] += 1;
        self.stack.push((token, prefix));
    }

    pub(crate) fn pop(&mut self) {
        if let Some((token, prefix)) = self.stack.pop() {
            self.filter[token as usize % FILTER] -= 1;
            self.filter[prefix as usize % FILTER] -= 1;
        }
    }

    /// The token of the path up to and including this depth.
    pub(crate) fn prefix(&self, depth: usize) -> u32 {
        self.stack[depth].1
    }

    /// The token of the position at this depth.
    pub(crate) fn position(&self, depth: usize) -> u32 {
        self.stack[depth].0
    }

    /// The depth of a position with this token that satisfies `is_it`; the deepest if there are several.
    #[inline]
    pub(crate) fn find_position(&self, token: u32, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        if self.filter[token as usize % FILTER] == 0 {
            return None;
        }
        (0..self.stack.len()).rev().find(|&depth| self.stack[depth].0 == token && is_it(depth))
    }

    /// The depth of the prefix of the path with this token.
    #[inline]
    pub(crate) fn find_prefix(&self, token: u32) -> Option<usize> {
        if self.filter[token as usize % FILTER] == 0 {
            return None;
        }
        self.stack.iter().rposition(|entry| entry.1 == token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disproof_that_rests_on_itself_rests_on_nothing() {
        assert!(DependencySet::on(3).without_own(3).is_empty());
        assert!(DependencySet::on(127).without_own(127).is_empty());
        assert!(!DependencySet::on(200).without_own(200).is_empty());
        assert!(!DependencySet::on(2).without_own(3).is_empty());
    }

    #[test]
    fn ranges_hold_both_ends() {
        let range = DependencySet::on_range(2, 5);
        assert_eq!((range.first(), range.last(), range.count()), (2, Some(5), 4));
        assert_eq!(DependencySet::on_range(0, 300).last(), None);
    }

    #[test]
    fn tokens_are_found_while_on_the_path() {
        let mut tokens = Tokens::new();
        tokens.push(1 << 40);
        tokens.push(2 << 40);
        let prefix = tokens.prefix(1);
        assert_eq!(tokens.find_position(Tokens::of(2 << 40), |_| true), Some(1));
        assert_eq!(tokens.find_prefix(prefix), Some(1));
        tokens.pop();
        assert_eq!(tokens.find_position(Tokens::of(2 << 40), |_| true), None);
        assert_eq!(tokens.find_prefix(prefix), None);
    }
}
