//! Containers as the fuzzer mutates them: sealed files, or their unpacked content.
//!
//! An unpacked container is lines `name=words`, the first with the kind alone, then an empty line, then the body.

use std::path::Path;

use marquis_table::write_container;

const MAGIC: &[u8] = b"\x89MARQBX\n";
const SEAL_BYTES: usize = 32;

/// An unpacked container, for the fuzzer to mutate.
#[must_use]
pub fn unpacked(kind: &str, meta: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{kind}\n").into_bytes();
    for (name, words) in meta {
        bytes.extend_from_slice(format!("{name}={words}\n").as_bytes());
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(body);
    bytes
}

/// Writes the file that the bytes represent: themselves with a valid seal if they start like a container, otherwise
/// the container with the unpacked content. Returns whether there is a file now.
pub fn write(bytes: &[u8], file: &Path) -> bool {
    if bytes.starts_with(MAGIC) {
        let mut sealed = bytes.to_vec();
        if let Some(end) = sealed.len().checked_sub(SEAL_BYTES) {
            let seal = blake3::hash(&sealed[..end]);
            sealed[end..].copy_from_slice(seal.as_bytes());
        }
        return std::fs::write(file, sealed).is_ok();
    }
    let Some(end) = bytes.windows(2).position(|window| window == b"\n\n") else { return false };
    let Ok(head) = std::str::from_utf8(&bytes[..end]) else { return false };
    let mut lines = head.lines();
    let kind = lines.next().unwrap_or_default();
    let meta: Vec<_> = lines
        .filter_map(|line| line.split_once('='))
        .map(|(name, words)| (name.to_owned(), words.to_owned()))
        .collect();
    write_container(file, kind, &meta, &bytes[end + 2..]).is_ok()
}
