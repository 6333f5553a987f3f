//! Values as bytes of a fixed length, for lists that are stored outside memory.

use crate::{ByPlayer, Cells, Player};

/// A value that is written as [`BYTES`](Self::BYTES) bytes and read back.
///
/// Equal values have equal bytes, and different values different ones.
///
/// ```
/// use marquis_core::{Packed, Player, packed};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Heap {
///     stones: u16,
///     turn: Player,
/// }
///
/// packed!(Heap { stones: u16, turn: Player });
///
/// let heap = Heap { stones: 300, turn: Player::Second };
/// let mut bytes = Vec::new();
/// heap.pack(&mut bytes);
/// assert_eq!(bytes, [44, 1, 1]);
/// assert_eq!(Heap::unpack(&mut bytes.as_slice()), Some(heap));
/// ```
pub trait Packed: Sized {
    /// The number of bytes of a value.
    const BYTES: usize;

    /// Appends its bytes.
    fn pack(&self, out: &mut Vec<u8>);

    /// Takes a value off the front of `bytes`; `None` if the first bytes do not encode one.
    fn unpack(bytes: &mut &[u8]) -> Option<Self>;
}

/// Implements [`Packed`](crate::Packed) for a struct: its fields one after the other, each with its type.
#[macro_export]
macro_rules! packed {
    ($name:ty { $($field:tt: $of:ty),+ $(,)? }) => {
        impl $crate::Packed for $name {
            const BYTES: usize = 0 $(+ <$of as $crate::Packed>::BYTES)+;

            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::Packed::pack(&self.$field, out);)+
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: <$of as $crate::Packed>::unpack(bytes)?),+ })
            }
        }
    };
}

macro_rules! packed_numbers {
    ($($number:ty),+) => {$(
        impl Packed for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn pack(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )+};
}

packed_numbers!(u8, u16, u32, u64);
packed!(Cells { 0: u64 });

impl Packed for Player {
    const BYTES: usize = 1;

    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self == Self::Second));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Self::BOTH.get(usize::from(u8::unpack(bytes)?)).copied()
    }
}

impl<T: Packed> Packed for ByPlayer<T> {
    const BYTES: usize = 2 * T::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        self.first.pack(out);
        self.second.pack(out);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some(Self { first: T::unpack(bytes)?, second: T::unpack(bytes)? })
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    const BYTES: usize = N * T::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.pack(out));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        let items: Option<Vec<T>> = (0..N).map(|_| T::unpack(bytes)).collect();
        items?.try_into().ok()
    }
}

impl<A: Packed, B: Packed> Packed for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::unpack(bytes)?, B::unpack(bytes)?))
    }
}

impl<T: Packed> Packed for Option<T> {
    const BYTES: usize = 1 + T::BYTES;

    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        match self {
            Some(value) => value.pack(out),
            None => out.resize(out.len() + T::BYTES, 0),
        }
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Self> {
        if u8::unpack(bytes)? == 0 {
            *bytes = bytes.get(T::BYTES..)?;
            return Some(None);
        }
        T::unpack(bytes).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_back_and_takes_as_many_bytes_as_it_says() {
        let values =
            [(Some(7_u32), ByPlayer::new([1_u16, 2], [3, 4])), (None, ByPlayer::new([u16::MAX, 0], [5, 6]))];
        for value in values {
            let value = (value, (Player::Second, Cells(1 << 63)));
            let mut bytes = Vec::new();
            value.pack(&mut bytes);
            assert_eq!(bytes.len(), 5 + 8 + 1 + 8);
            let mut rest = bytes.as_slice();
            assert_eq!(Packed::unpack(&mut rest), Some(value));
            assert!(rest.is_empty());
            assert_eq!(
                <((Option<u32>, ByPlayer<[u16; 2]>), (Player, Cells))>::unpack(&mut &bytes[1..]),
                None
            );
        }
    }

    #[test]
    fn there_is_no_third_player() {
        assert_eq!(Player::unpack(&mut [2].as_slice()), None);
    }
}
