//! Counts of checks, and the failed ones.

use std::collections::BTreeMap;

/// A property that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The property: `P2.root-from-moves`.
    pub property: &'static str,
    /// The evidence.
    pub found: String,
}

/// Counts checks and keeps the faults.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// The number of checks of each property.
    pub checked: BTreeMap<&'static str, u64>,
    /// The properties that do not hold.
    pub faults: Vec<Fault>,
}

impl Judge {
    /// Checks a property; `found` describes the evidence if it does not hold.
    pub fn expect(&mut self, property: &'static str, holds: bool, found: impl FnOnce() -> String) {
        *self.checked.entry(property).or_default() += 1;
        if !holds {
            self.faults.push(Fault { property, found: found() });
        }
    }

    /// Adds the results of another judge.
    pub fn absorb(&mut self, other: Self) {
        for (property, count) in other.checked {
            *self.checked.entry(property).or_default() += count;
        }
        self.faults.extend(other.faults);
    }
}
