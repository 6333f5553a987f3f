//! A small container for proofs, checkpoints and results: a kind, a few texts about the body, and the body.
//!
//! `tablebases/FORMAT.md` describes every byte.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::layout::{le_u32, le_u64};
use crate::pack::zstd;
use crate::{Error, atomic};

/// The version of the container that this crate writes and reads.
pub const CONTAINER_VERSION: u32 = 1;
/// The first bytes of every container.
pub const MAGIC: [u8; 8] = *b"\x89MARQBX\n";
/// Magic, version, length of the meta part, lengths of the body decoded and packed.
const HEAD_BYTES: usize = 32;
const SEAL_BYTES: usize = 32;
/// The largest size of the meta part.
const MAX_META_BYTES: u64 = 1 << 24;
/// Fast enough for checkpoints; a proof shrinks little more at higher levels.
const LEVEL: i32 = 3;

/// The contents of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Texts about the body by name, in the order in which they were written.
    pub meta: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Container {
    /// The text with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.meta.iter().find(|(other, _)| other == name).map(|(_, words)| words.as_str())
    }
}

/// The head of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerHead {
    /// The kind of its body, such as `proof`.
    pub kind: String,
    /// Texts about the body by name, in the order in which they were written.
    pub meta: Vec<(String, String)>,
    /// Bytes of the body, decoded.
    pub body_bytes: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The blake3 hash of everything before it, in hexadecimal.
    pub seal: String,
}

/// Reads the head of a container of any kind and checks its seal, without decoding the body.
///
/// # Errors
/// The file cannot be read, or it is no container, truncated or damaged.
pub fn container_head(path: &Path) -> Result<ContainerHead, Error> {
    let name = path.display().to_string();
    let doing = "read it";
    let mut file = File::open(path).map_err(Error::io(&name, "open it"))?;
    let bytes = file.metadata().map_err(Error::io(&name, "ask for its size"))?.len();
    let mut head = Vec::with_capacity(HEAD_BYTES);
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(Error::io(&name, doing))?;
    let sizes = Sizes::of(&head, bytes, &name)?;
    let mut meta = Vec::new();
    (&mut file).take(sizes.meta).read_to_end(&mut meta).map_err(Error::io(&name, doing))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&head).update(&meta);
    hasher.update_reader((&mut file).take(sizes.packed)).map_err(Error::io(&name, doing))?;
    let mut seal = Vec::with_capacity(SEAL_BYTES);
    file.take(SEAL_BYTES as u64).read_to_end(&mut seal).map_err(Error::io(&name, doing))?;
    let found = hasher.finalize();
    match blake3::Hash::from_slice(&seal) {
        Ok(expected) if expected == found => {}
        Ok(expected) => return Err(Error::damaged(&name, "its bytes", expected, found)),
        Err(_) => return Err(Error::damaged(&name, "its end", "a seal", "less")),
    }
    let mut words = Words { rest: &meta, name: &name };
    let kind = words.next()?.unwrap_or_default();
    Ok(ContainerHead { kind, meta: words.pairs()?, body_bytes: sizes.body, bytes, seal: found.to_string() })
}

/// The largest size of a body, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In bytes.
    pub bytes: u64,
    /// As a multiple of the packed size, for kinds of bodies that never shrink by more;
    /// [`FREE_BYTES`](Self::FREE_BYTES) are always allowed.
    pub times_packed: Option<u64>,
}

impl Limit {
    /// A body of this size is harmless, however small it is packed.
    pub const FREE_BYTES: u64 = 1 << 24;

    /// The limit for a body of `packed` bytes.
    fn for_packed(self, packed: u64) -> u64 {
        let shrunk = |times: u64| packed.saturating_mul(times).max(Self::FREE_BYTES);
        self.times_packed.map_or(self.bytes, |times| self.bytes.min(shrunk(times)))
    }
}

impl From<u64> for Limit {
    /// This number of bytes, however small they are packed.
    fn from(bytes: u64) -> Self {
        Self { bytes, times_packed: None }
    }
}

/// Creates a container; it appears under its name only when it is complete and on the disk.
///
/// * `kind`: the kind of the body, such as `proof`; a reader must name the same.
///
/// # Errors
/// The meta part is too long, or the file cannot be written.
pub fn write_container(path: &Path, kind: &str, meta: &[(String, String)], body: &[u8]) -> Result<(), Error> {
    write_container_of_parts(path, kind, meta, &[body])
}

/// Creates a container like [`write_container`], with a body in parts that are written one after the other without
/// being concatenated.
///
/// # Errors
/// As [`write_container`].
pub fn write_container_of_parts(
    path: &Path,
    kind: &str,
    meta: &[(String, String)],
    body: &[&[u8]],
) -> Result<(), Error> {
    let name = path.display().to_string();
    let meta = meta_bytes(kind, meta);
    if meta.len() as u64 > MAX_META_BYTES {
        return Err(Error::plan(
            &name,
            "kind and meta",
            format!("at most {MAX_META_BYTES} bytes"),
            meta.len(),
        ));
    }
    let packed = zstd::compress_parts(body, LEVEL).map_err(Error::io(&name, "compress it"))?;
    let mut head = Vec::with_capacity(HEAD_BYTES);
    head.extend_from_slice(&MAGIC);
    head.extend_from_slice(&CONTAINER_VERSION.to_le_bytes());
    head.extend_from_slice(&(meta.len() as u32).to_le_bytes());
    let bytes: usize = body.iter().map(|part| part.len()).sum();
    head.extend_from_slice(&(bytes as u64).to_le_bytes());
    head.extend_from_slice(&(packed.len() as u64).to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    let parts = [head.as_slice(), &meta, &packed];
    parts.iter().for_each(|part| {
        hasher.update_rayon(part);
    });
    let seal = hasher.finalize();
    atomic::create(path, |out| {
        parts
            .iter()
            .chain([&&seal.as_bytes()[..]])
            .try_for_each(|part| out.write_all(part))
            .map_err(Error::io(&name, "write it"))
    })
}

fn meta_bytes(kind: &str, meta: &[(String, String)]) -> Vec<u8> {
    let words = meta.iter().flat_map(|(name, words)| [name.as_str(), words.as_str()]);
    let mut bytes = Vec::new();
    for text in std::iter::once(kind).chain(words) {
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

/// Reads a container and checks its seal before using any of its contents.
///
/// * `kind`: the expected kind of the body.
/// * `limit`: the largest size of the body, decoded; a larger one is refused by its size in the head, before any
///   memory is allocated for it.
///
/// # Errors
/// The file cannot be read, or it is no container, truncated, damaged or of another kind, or its body is too large.
pub fn read_container(path: &Path, kind: &str, limit: impl Into<Limit>) -> Result<Container, Error> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(Error::io(&name, "open it"))?;
    let size = file.metadata().map_err(Error::io(&name, "ask for its size"))?.len();
    read_container_from(file, size, &name, kind, limit)
}

/// Reads a container like [`read_container`] from any source of bytes.
///
/// * `size`: the number of bytes.
/// * `name`: the name in errors.
///
/// # Errors
/// As [`read_container`].
pub fn read_container_from(
    mut file: impl Read,
    size: u64,
    name: &str,
    kind: &str,
    limit: impl Into<Limit>,
) -> Result<Container, Error> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(Error::io(name, "read it"))?;
    let sizes = Sizes::of(&head, size, name)?;
    let limit = limit.into().for_packed(sizes.packed);
    if sizes.body > limit {
        return Err(Error::TooLarge { name: name.to_owned(), expected: limit, found: sizes.body });
    }
    // A packed body is hardly longer than a plain one, so the limit also bounds the bytes that are read.
    let longest = zstd::longest(usize::try_from(sizes.body).unwrap_or(usize::MAX)) as u64;
    if sizes.packed > longest {
        return Err(Error::damaged(
            name,
            "the length of the body",
            format!("at most {longest}"),
            sizes.packed,
        ));
    }
    let mut rest = Vec::with_capacity((size - HEAD_BYTES as u64) as usize);
    file.take(size - HEAD_BYTES as u64).read_to_end(&mut rest).map_err(Error::io(name, "read it"))?;
    decode(&head, &rest, &sizes, kind, name)
}

/// The sizes of the parts, from the head.
struct Sizes {
    meta: u64,
    body: u64,
    packed: u64,
}

impl Sizes {
    fn of(head: &[u8], size: u64, name: &str) -> Result<Self, Error> {
        let magic = head.get(..8).unwrap_or(head);
        if !MAGIC.starts_with(magic) {
            return Err(Error::WrongKind {
                name: name.to_owned(),
                expected: "a Marquis container".to_owned(),
                found: format!("\"{}\"", magic.escape_ascii()),
            });
        }
        let cut_short = |expected: u64| Error::CutShort {
            name: name.to_owned(),
            expected: format!("{expected} bytes"),
            found: format!("{size} bytes"),
        };
        if head.len() < HEAD_BYTES {
            return Err(cut_short((HEAD_BYTES + SEAL_BYTES) as u64));
        }
        let found = le_u32(&head[8..]);
        if found != CONTAINER_VERSION {
            return Err(Error::Version { name: name.to_owned(), expected: CONTAINER_VERSION, found });
        }
        let sizes =
            Self { meta: le_u32(&head[12..]).into(), body: le_u64(&head[16..]), packed: le_u64(&head[24..]) };
        if sizes.meta > MAX_META_BYTES {
            let expected = format!("at most {MAX_META_BYTES}");
            return Err(Error::damaged(name, "the length of the meta part", expected, sizes.meta));
        }
        let all = ((HEAD_BYTES + SEAL_BYTES) as u64).saturating_add(sizes.meta).saturating_add(sizes.packed);
        if size < all {
            return Err(cut_short(all));
        }
        if size > all {
            return Err(Error::damaged(name, "its end", format!("{all} bytes"), format!("{size} bytes")));
        }
        Ok(sizes)
    }
}

fn decode(head: &[u8], rest: &[u8], sizes: &Sizes, kind: &str, name: &str) -> Result<Container, Error> {
    let Some((parts, seal)) = rest.split_last_chunk::<SEAL_BYTES>() else {
        return Err(Error::damaged(name, "its end", "a seal", "less"));
    };
    let mut hasher = blake3::Hasher::new();
    let found = hasher.update(head).update_rayon(parts).finalize();
    let expected = blake3::Hash::from_bytes(*seal);
    if found != expected {
        return Err(Error::damaged(name, "its bytes", expected, found));
    }
    let (meta, packed) = parts.split_at_checked(sizes.meta as usize).unwrap_or((parts, &[]));
    let mut words = Words { rest: meta, name };
    let found = words.next()?.unwrap_or_default();
    if found != kind {
        let what = "kind of container";
        return Err(Error::Foreign { name: name.to_owned(), what, expected: kind.to_owned(), found });
    }
    let pairs = words.pairs()?;
    let body = zstd::decompress_whole(packed, sizes.body as usize)
        .map_err(|error| Error::damaged(name, "the body", "a frame that decompresses", error))?;
    if body.len() as u64 != sizes.body {
        return Err(Error::damaged(name, "the body", format!("{} bytes", sizes.body), body.len()));
    }
    Ok(Container { meta: pairs, body })
}

/// The texts of a meta part, one after the other.
struct Words<'a> {
    rest: &'a [u8],
    name: &'a str,
}

impl Words<'_> {
    /// The remaining texts, by name.
    fn pairs(&mut self) -> Result<Vec<(String, String)>, Error> {
        let mut pairs = Vec::new();
        while let Some(key) = self.next()? {
            pairs.push((key, self.next()?.unwrap_or_default()));
        }
        Ok(pairs)
    }

    fn next(&mut self) -> Result<Option<String>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let damaged =
            || Error::damaged(self.name, "the meta part", "texts with their lengths", "something else");
        let (length, rest) = self.rest.split_first_chunk::<4>().ok_or_else(damaged)?;
        let (text, rest) = rest.split_at_checked(le_u32(length) as usize).ok_or_else(damaged)?;
        let text = String::from_utf8(text.to_vec()).map_err(|_| damaged())?;
        self.rest = rest;
        Ok(Some(text))
    }
}
