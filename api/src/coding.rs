//! Content codings of request bodies, unpacked piece by piece within a limit.
//!
//! Sources: RFC 9110 §8.4, "Content-Encoding"; RFC 9659, "Window Sizing for Zstandard Content Encoding".

use std::io::{self, Read};

use actix_web::http::header::{CONTENT_ENCODING, HeaderMap};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::problem::Problem;

/// The codings that are unpacked, as in the header `Accept-Encoding`.
pub(crate) const ACCEPTED: &str = "gzip, deflate, zstd";
/// Bytes unpacked at a time, before the limits are checked again.
const PIECE: usize = 64 << 10;
/// RFC 9659: no HTTP content coding needs a larger window.
const ZSTD_WINDOW_LOG: u32 = 23;
/// Memory per byte of an unpacked body: it moves while it grows, and texts are read from it.
pub(crate) const UNPACKED_GROWTH: u64 = 3;
/// Memory of a decoder besides its output: the window of Zstandard, its tables and buffers.
pub(crate) const ZSTD_BYTES: u64 = (1 << ZSTD_WINDOW_LOG) + (512 << 10);
/// The same for the other codings, whose window is 32 KiB.
const DEFLATE_BYTES: u64 = 128 << 10;

/// The content coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Zstd,
}

/// Why a body could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnpackError {
    /// It has more bytes than a body may have.
    #[error("more than {0} bytes")]
    TooLarge(usize),
    /// It does not match its coding.
    #[error(transparent)]
    Corrupt(#[from] io::Error),
    /// There is currently no memory for it.
    #[error(transparent)]
    NoRoom(Problem),
}

impl Coding {
    /// The coding of a request's body.
    ///
    /// # Errors
    /// 415 for an unsupported coding, and for more than one.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut found = Self::Identity;
        for header in headers.get_all(CONTENT_ENCODING) {
            let unknown =
                || Problem::unsupported_coding(&String::from_utf8_lossy(header.as_bytes()), ACCEPTED);
            let names = header.to_str().map_err(|_| unknown())?.split(',').map(str::trim);
            for name in names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity")) {
                let coding = Self::named(name).filter(|_| found == Self::Identity);
                found = coding.ok_or_else(unknown)?;
            }
        }
        Ok(found)
    }

    fn named(name: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        match () {
            () if is(&["gzip", "x-gzip"]) => Some(Self::Gzip),
            () if is(&["deflate"]) => Some(Self::Deflate),
            () if is(&["zstd"]) => Some(Self::Zstd),
            () => None,
        }
    }

    /// The unpacked bytes.
    ///
    /// * `limit`: the maximum number of unpacked bytes.
    /// * `take`: reserves memory, in bytes, before it is used.
    ///
    /// # Errors
    /// More bytes than the limit; data that does not match the coding; errors of `take`.
    pub(crate) fn unpack(
        self,
        packed: &[u8],
        limit: usize,
        mut take: impl FnMut(u64) -> Result<(), Problem>,
    ) -> Result<Vec<u8>, UnpackError> {
        let mut take = |bytes| take(bytes).map_err(UnpackError::NoRoom);
        match self {
            Self::Identity => within(packed, limit, &mut take),
            Self::Gzip => {
                take(DEFLATE_BYTES)?;
                let mut decoder = GzDecoder::new(packed);
                let unpacked = within(&mut decoder, limit, &mut take)?;
                at_end(decoder.get_ref()).map(|()| unpacked)
            }
            Self::Deflate => {
                take(DEFLATE_BYTES)?;
                let mut decoder = ZlibDecoder::new(packed);
                let unpacked = within(&mut decoder, limit, &mut take)?;
                at_end(decoder.get_ref()).map(|()| unpacked)
            }
            Self::Zstd => {
                take(ZSTD_BYTES)?;
                let mut decoder = ZstdDecoder::with_buffer(packed)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                within(decoder, limit, &mut take)
            }
        }
    }
}

/// Reads the whole output of a decoder, unless it is too large.
fn within(
    mut decoder: impl Read,
    limit: usize,
    take: &mut impl FnMut(u64) -> Result<(), UnpackError>,
) -> Result<Vec<u8>, UnpackError> {
    let mut unpacked = Vec::new();
    loop {
        take(PIECE as u64 * UNPACKED_GROWTH)?;
        let got = decoder.by_ref().take(PIECE as u64).read_to_end(&mut unpacked)?;
        if unpacked.len() > limit {
            return Err(UnpackError::TooLarge(limit));
        }
        if got < PIECE {
            return Ok(unpacked);
        }
    }
}

/// Refuses bytes after the end of the stream: they would be neither read nor counted.
fn at_end(rest: &[u8]) -> Result<(), UnpackError> {
    if rest.is_empty() {
        return Ok(());
    }
    let found = format!("{} bytes follow its end", rest.len());
    Err(io::Error::new(io::ErrorKind::InvalidData, found).into())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use actix_web::http::header::HeaderValue;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::*;

    const CODINGS: [Coding; 4] = [Coding::Identity, Coding::Gzip, Coding::Deflate, Coding::Zstd];

    fn packed(coding: Coding, bytes: &[u8]) -> Vec<u8> {
        match coding {
            Coding::Identity => bytes.to_vec(),
            Coding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Coding::Deflate => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Coding::Zstd => zstd::encode_all(bytes, 3).unwrap(),
        }
    }

    #[test]
    fn a_bomb_takes_no_more_than_the_limit_and_a_piece() {
        let (limit, bomb) = (1 << 20, vec![b' '; 64 << 20]);
        for coding in CODINGS {
            let mut taken = 0;
            let unpacked = coding.unpack(&packed(coding, &bomb), limit, |bytes| {
                taken += bytes;
                Ok(())
            });
            assert!(matches!(unpacked, Err(UnpackError::TooLarge(_))), "{coding:?}: {unpacked:?}");
            assert!(
                taken <= (limit + PIECE) as u64 * UNPACKED_GROWTH + ZSTD_BYTES,
                "{coding:?}: {taken} bytes"
            );
        }
    }

    #[test]
    fn one_coding_is_known_by_any_of_its_names_and_several_are_refused() {
        let of = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(CONTENT_ENCODING, HeaderValue::from_str(line).expect("a header"));
            }
            Coding::of(&headers).ok()
        };
        for (lines, coding) in [
            (&[][..], Coding::Identity),
            (&["identity"], Coding::Identity),
            (&["GZip"], Coding::Gzip),
            (&["x-gzip"], Coding::Gzip),
            (&["identity, deflate ,"], Coding::Deflate),
            (&["identity", "zstd"], Coding::Zstd),
        ] {
            assert_eq!(of(lines), Some(coding), "{lines:?}");
        }
        for lines in [&["br"][..], &["compress"], &["gzip, gzip"], &["gzip", "zstd"], &["gzip;q=1"], &["é"]]
        {
            assert_eq!(of(lines), None, "{lines:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked_within_the_limit_and_refused_past_it(
            bytes in prop::collection::vec(prop_oneof![Just(b' '), any::<u8>()], 0..200_000),
            spare in 0_usize..3,
        ) {
            for coding in CODINGS {
                let (packed, limit) = (packed(coding, &bytes), bytes.len());
                let unpacked = coding.unpack(&packed, limit + spare, |_| Ok(()));
                prop_assert_eq!(unpacked.unwrap(), bytes.clone());
                if limit > 0 {
                    let refused = coding.unpack(&packed, limit - 1, |_| Ok(()));
                    prop_assert!(matches!(refused, Err(UnpackError::TooLarge(_))), "{:?}", coding);
                }
            }
        }

        #[test]
        fn whatever_comes_is_unpacked_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            for coding in CODINGS {
                // Even if the first bytes are those of the coding.
                for packed in [bytes.clone(), [&packed(coding, b"{}")[..], &bytes].concat()] {
                    if let Ok(unpacked) = coding.unpack(&packed, 1000, |_| Ok(())) {
                        prop_assert!(unpacked.len() <= 1000);
                    }
                }
            }
        }
    }
}
