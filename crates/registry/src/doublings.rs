//! The estimated work of a proof, in parts of a doubling.

/// The number of parts of a doubling of the work.
pub(crate) const UNIT: i32 = 4;
/// Beyond this, all wins look equally far away.
const MOST: i32 = 24 * UNIT;

/// Two to the power of `parts / UNIT`, at least 1; linear between two powers of two, which is accurate enough.
#[inline]
pub(crate) fn doublings(parts: i32) -> u32 {
    let parts = parts.clamp(0, MOST);
    let (whole, part) = (parts / UNIT, parts % UNIT);
    (1 << whole) + ((part << whole) / UNIT).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_doublings_are_powers_of_two_and_parts_lie_between() {
        let of = [-9, 0, UNIT, 10 * UNIT, 10 * UNIT + UNIT / 2, MOST, 2 * MOST].map(doublings);
        assert_eq!(of, [1, 1, 2, 1024, 1536, 1 << 24, 1 << 24]);
    }
}
