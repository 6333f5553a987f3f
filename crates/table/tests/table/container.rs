//! Containers of proofs and checkpoints.

use std::fs;
use std::path::PathBuf;

use marquis_table::{Container, Error, Limit, read_container, write_container};
use proptest::collection::vec;
use proptest::prelude::*;

fn meta() -> Vec<(String, String)> {
    vec![("game".to_owned(), "swish".to_owned()), ("note".to_owned(), "grüezi\n".to_owned())]
}

fn put(body: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/proof.mqp");
    write_container(&path, "proof", &meta(), body).unwrap();
    (folder, path)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_body_comes_back_with_its_words(body in vec(any::<u8>(), 0..5000)) {
        let (_folder, path) = put(&body);
        let read = read_container(&path, "proof", 5000).unwrap();
        prop_assert_eq!(read.get("game"), Some("swish"));
        prop_assert_eq!(read, Container { meta: meta(), body });
    }

    /// Random bytes after a valid magic and version.
    #[test]
    fn hostile_bytes_are_errors(tail in vec(any::<u8>(), 0..300), keep in 0usize..13) {
        let (_folder, path) = put(b"body");
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(keep);
        bytes.extend(tail);
        fs::write(&path, bytes).unwrap();
        prop_assert!(read_container(&path, "proof", u64::MAX).is_err());
    }
}

#[test]
fn a_flipped_bit_in_any_byte_and_any_missing_end_is_an_error() {
    let (_folder, path) = put(&b"a body of a few bytes, of a few bytes".repeat(9));
    let sound = fs::read(&path).unwrap();
    for place in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        assert!(read_container(&path, "proof", 1 << 20).is_err(), "byte {place} goes unnoticed");
        fs::write(&path, &sound[..place]).unwrap();
        let error = read_container(&path, "proof", 1 << 20).unwrap_err();
        assert!(matches!(error, Error::CutShort { .. }), "{place} bytes: {error}");
    }
}

#[test]
fn another_kind_is_refused() {
    let (_folder, path) = put(b"body");
    let error = read_container(&path, "checkpoint", 1 << 20).unwrap_err();
    assert!(matches!(&error, Error::Foreign { found, .. } if found == "proof"), "{error}");
}

#[test]
fn a_body_above_the_limit_is_refused_before_it_is_read() {
    let (_folder, path) = put(&[0; 1 << 20]);
    assert!(fs::metadata(&path).unwrap().len() < 1000, "a bomb that is small on disk");
    let error = read_container(&path, "proof", (1 << 20) - 1).unwrap_err();
    assert!(matches!(error, Error::TooLarge { expected: 1_048_575, found: 1_048_576, .. }), "{error}");
}

#[test]
fn a_body_that_shrank_beyond_belief_is_refused_before_it_is_unpacked() {
    let long = 4 * Limit::FREE_BYTES;
    let (_folder, path) = put(&vec![0; long as usize]);
    let limit = |times| Limit { bytes: 1 << 30, times_packed: Some(times) };
    let error = read_container(&path, "proof", limit(1000)).unwrap_err();
    assert!(
        matches!(error, Error::TooLarge { expected: Limit::FREE_BYTES, found, .. } if found == long),
        "{error}"
    );
    assert_eq!(read_container(&path, "proof", limit(1 << 20)).unwrap().body.len() as u64, long);
    let (_folder, path) = put(&vec![0; Limit::FREE_BYTES as usize]);
    assert!(read_container(&path, "proof", limit(1000)).is_ok(), "few bytes harm nobody");
}

#[test]
fn a_container_is_replaced_whole() {
    let (folder, path) = put(b"old");
    write_container(&path, "proof", &[], b"new").unwrap();
    assert_eq!(
        read_container(&path, "proof", 3).unwrap(),
        Container { meta: Vec::new(), body: b"new".to_vec() }
    );
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1, "a temporary file was left");
}
