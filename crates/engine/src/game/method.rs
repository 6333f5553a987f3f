//! How a bundle of layers is solved: the methods, their cost, and the choice between them.

use marquis_retro::layered::strips::StripSizes;
use marquis_wire::reports::{MethodName, Passes};

/// A method to solve a bundle. All methods that a bundle allows find the same cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Row by row in memory, with each cell held twice.
    Rows,
    /// Position by position in memory, with moves taken back.
    UnMoves,
    /// Camp against camp in memory: a layer and its swap in one pass.
    Camps,
    /// Row by row, in strips on disk.
    Strips(StripSizes),
    /// Row by row, shared by all ranks of the build.
    Ranks,
    /// Value iteration in memory.
    Sweeps,
    /// Value iteration on disk.
    SweepsOnDisk,
}

impl Method {
    /// The method as reports name it.
    #[must_use]
    pub const fn name(self) -> MethodName {
        match self {
            Self::Rows => MethodName::Rows,
            Self::UnMoves => MethodName::UnMoves,
            Self::Camps => MethodName::Camps,
            Self::Strips(_) => MethodName::Strips,
            Self::Ranks => MethodName::Ranks,
            Self::Sweeps => MethodName::Sweeps,
            Self::SweepsOnDisk => MethodName::SweepsOnDisk,
        }
    }

    /// How often it visits the cells.
    #[must_use]
    pub const fn passes(self) -> Passes {
        match self {
            Self::Camps => Passes::One,
            Self::Rows | Self::UnMoves | Self::Strips(_) | Self::Ranks => Passes::APly,
            Self::Sweeps | Self::SweepsOnDisk => Passes::UntilSettled,
        }
    }

    const fn is_in_strips(self) -> bool {
        matches!(self, Self::Strips(_))
    }
}

/// A method with the memory and the temporary disk space that it takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodCost {
    /// The method.
    pub method: Method,
    /// The peak memory.
    pub memory_bytes: u64,
    /// The disk space until the layers are finished.
    pub disk_bytes: u64,
}

impl MethodCost {
    /// The cost of a method that works in memory.
    #[must_use]
    pub const fn in_memory(method: Method, memory_bytes: u64) -> Self {
        Self { method, memory_bytes, disk_bytes: 0 }
    }
}

/// The methods that a bundle allows.
pub(crate) struct MethodCosts(Vec<MethodCost>);

impl MethodCosts {
    /// * `costs`: the fastest method first, and at least one other than strips.
    pub(crate) fn new(costs: Vec<MethodCost>) -> Self {
        assert!(!costs.is_empty(), "every bundle has a method");
        Self(costs)
    }

    /// The fastest method that fits into `budget` bytes of memory; if none fits, the one that takes the least.
    pub(crate) fn within(&self, budget: u64) -> MethodCost {
        let least = || self.0.iter().min_by_key(|cost| cost.memory_bytes);
        let fits = self.0.iter().find(|cost| cost.memory_bytes <= budget);
        *fits.or_else(least).expect("every bundle has a method")
    }

    /// The least memory of any method.
    pub(crate) fn least_bytes(&self) -> u64 {
        self.within(0).memory_bytes
    }

    /// The methods other than strips, which only builds in a folder can use.
    pub(crate) fn without_strips(self) -> Self {
        Self::new(self.0.into_iter().filter(|cost| !cost.method.is_in_strips()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> MethodCosts {
        MethodCosts::new(vec![
            MethodCost::in_memory(Method::Rows, 300),
            MethodCost::in_memory(Method::UnMoves, 200),
            MethodCost { method: Method::SweepsOnDisk, memory_bytes: 50, disk_bytes: 900 },
        ])
    }

    #[test]
    fn the_fastest_method_that_fits_is_chosen() {
        let chosen = |budget| costs().within(budget).method;
        assert_eq!(
            [300, 299, 200, 199].map(chosen),
            [Method::Rows, Method::UnMoves, Method::UnMoves, Method::SweepsOnDisk]
        );
        assert_eq!(chosen(0), Method::SweepsOnDisk, "nothing fits");
    }

    #[test]
    fn the_least_memory_is_that_of_the_smallest_method() {
        let sizes = StripSizes { strips: 8, slots: 1, outbox_bytes: 1, memory_bytes: 20, spill_bytes: 900 };
        let strips = MethodCost { method: Method::Strips(sizes), memory_bytes: 20, disk_bytes: 900 };
        let costs = || MethodCosts::new(costs().0.into_iter().chain([strips]).collect());
        assert_eq!((costs().least_bytes(), costs().without_strips().least_bytes()), (20, 50));
    }
}
