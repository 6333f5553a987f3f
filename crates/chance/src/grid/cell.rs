//! Chances in fixed point, whose sums over the throws are rounded as a bound requires.

use std::fmt::Debug;

/// The weights of the throws add up to 2 to this power.
pub const WEIGHT_BITS: u32 = 4;

/// A chance as a whole number of units; 0 is impossible and [`ONE`](Self::ONE) is certain.
pub trait ChanceCell: Copy + Ord + Default + Debug + Send + Sync + 'static {
    /// Certainty.
    const ONE: Self;

    /// The chance of the other player; exact.
    #[must_use]
    fn complement(self) -> Self;

    /// This chance where the mask is all ones, and 0 where it is 0.
    #[must_use]
    fn keep(self, mask: u8) -> Self;

    /// The number of units.
    fn units(self) -> u64;

    /// The chance of `units` units, at most certainty.
    fn of_units(units: u64) -> Self;

    /// The chance of its bytes, the lower ones first; at most certainty.
    fn of_le_bytes(bytes: &[u8]) -> Self {
        let mut units = [0; size_of::<u64>()];
        units[..bytes.len()].copy_from_slice(bytes);
        Self::of_units(u64::from_le_bytes(units).min(Self::ONE.units()))
    }

    /// The chance as a float, within one unit in the last place.
    fn to_f64(self) -> f64 {
        self.units() as f64 / Self::ONE.units() as f64
    }

    /// The largest chance of this type that is not above one of another.
    fn floor_of<D: ChanceCell>(other: D) -> Self {
        let (scaled, ones) = scaled::<D, Self>(other);
        Self::of_units((scaled / ones) as u64)
    }

    /// The smallest chance of this type that is not below one of another.
    fn ceil_of<D: ChanceCell>(other: D) -> Self {
        let (scaled, ones) = scaled::<D, Self>(other);
        Self::of_units(scaled.div_ceil(ones) as u64)
    }
}

fn scaled<D: ChanceCell, C: ChanceCell>(other: D) -> (u128, u128) {
    (u128::from(other.units()) * u128::from(C::ONE.units()), u128::from(D::ONE.units()))
}

/// The greatest chance strictly below the mean of a sum over all throws; 0 if there is none.
#[inline(always)]
pub(crate) fn below<C: ChanceCell>(sum: u64) -> C {
    C::of_units(((sum + (1 << WEIGHT_BITS) - 1) >> WEIGHT_BITS).saturating_sub(1))
}

/// The least chance strictly above the mean of a sum over all throws; certainty if there is none.
#[inline(always)]
pub(crate) fn above<C: ChanceCell>(sum: u64) -> C {
    C::of_units(((sum >> WEIGHT_BITS) + 1).min(C::ONE.units()))
}

/// The mean of a sum over all throws, rounded to the nearest unit.
#[inline(always)]
pub(crate) fn nearest<C: ChanceCell>(sum: u64) -> C {
    C::of_units((sum + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS)
}

macro_rules! narrow {
    ($($cell:ty, $signed:ty);*) => {$(
        impl ChanceCell for $cell {
            const ONE: Self = Self::MAX;

            #[inline(always)]
            fn complement(self) -> Self {
                !self
            }

            #[inline(always)]
            fn keep(self, mask: u8) -> Self {
                // The sign fills the wider mask.
                self & <$signed>::from(mask.cast_signed()).cast_unsigned()
            }

            #[inline(always)]
            fn units(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn of_units(units: u64) -> Self {
                units as Self
            }
        }
    )*};
}
narrow!(u16, i16; u32, i32);

/// Units of one part in 2^13 of those of `u32`, which are a whole number of them.
impl ChanceCell for u64 {
    const ONE: Self = (u32::MAX as Self) << 13;

    #[inline(always)]
    fn complement(self) -> Self {
        Self::ONE - self
    }

    #[inline(always)]
    fn keep(self, mask: u8) -> Self {
        self & i64::from(mask.cast_signed()).cast_unsigned()
    }

    #[inline(always)]
    fn units(self) -> u64 {
        self
    }

    #[inline(always)]
    fn of_units(units: u64) -> Self {
        units
    }
}
