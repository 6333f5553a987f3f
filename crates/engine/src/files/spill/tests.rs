//! The store against kills, full disks and damage, with any user.

use std::path::Path;
use web_time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;

use super::*;

/// Words of a user, and the parts of every file.
type Contents = BTreeMap<FileKey, ([u64; 2], Vec<Vec<u8>>)>;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

fn checkpoint(folder: &Path) -> Checkpoint {
    Checkpoint::new(folder, "3v2", Duration::ZERO)
}

fn store(checkpoint: &Checkpoint) -> SpillFiles<'_> {
    SpillFiles::new(checkpoint, "strips", Basis::new("basis", "these rules"))
}

/// Everything in a store, read in pieces of `most` bytes.
fn contents(store: &SpillFiles<'_>, most: usize) -> Result<Contents, FileError> {
    let mut all = Contents::new();
    for (key, file) in store.files() {
        let mut parts = vec![Vec::new(); file.parts.len()];
        store.read(key, 0..parts.len(), most, &mut |number, bytes| parts[number].extend_from_slice(bytes))?;
        all.insert(key, (file.words, parts));
    }
    Ok(all)
}

/// The files of a folder, by name.
fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
}

fn copy(from: &Path) -> TempDir {
    let to = folder();
    for name in names(from) {
        fs::copy(from.join(&name), to.path().join(&name)).expect("copied");
    }
    to
}

fn write(store: &SpillFiles<'_>, key: FileKey, words: [u64; 2], parts: &[Vec<u8>]) -> Result<(), FileError> {
    store.write(key, words, |add| parts.iter().try_for_each(|part| add(part)))
}

#[test]
fn a_kill_after_any_call_leaves_the_last_checkpoint() {
    let (folder, mut random) = (folder(), SmallRng::seed_from_u64(1));
    let own = checkpoint(folder.path());
    let store = store(&own);
    assert_eq!(store.open().expect("an empty folder"), None);
    let (mut now, mut kept) = (Contents::new(), (None, Contents::new()));
    for call in 0_u64..400 {
        let group = [random.random_range(0..2), random.random_range(0..3)];
        let key = [group[0], group[1], 0];
        match random.random_range(0..10) {
            0..3 => {
                let parts = 0..random.random_range(0..4);
                let parts: Vec<_> = parts.map(|part| vec![call as u8; 3 * part]).collect();
                write(&store, key, [call, 7], &parts).expect("written");
                now.insert(key, ([call, 7], parts));
            }
            3..7 => {
                store.append(group, &call.to_le_bytes()).expect("written");
                let files = store.files();
                let (&key, _) = files.iter().rfind(|(key, _)| key[..2] == group).expect("just written");
                now.entry(key).or_insert(([0; 2], vec![Vec::new()])).1[0].extend(call.to_le_bytes());
            }
            7..9 => {
                let keys = store.keys(group);
                keys.iter().for_each(|key| assert!(now.remove(key).is_some(), "{key:?}"));
                store.remove(keys);
            }
            _ => {
                store.keep(&call.to_le_bytes()).expect("kept");
                kept = (Some(call.to_le_bytes().to_vec()), now.clone());
                assert_eq!(names(folder.path()).len(), now.len() + 1, "call {call}");
            }
        }
        assert!(contents(&store, 5).expect("readable") == now, "call {call}");
        let killed = copy(folder.path());
        fs::write(killed.path().join(".3v2.strips.999.checkpoint"), b"half of a strip").expect("written");
        let other = checkpoint(killed.path());
        let again = self::store(&other);
        assert_eq!(again.open().expect("as it was left"), kept.0, "call {call}");
        assert!(contents(&again, usize::MAX).expect("readable") == kept.1, "call {call}");
        let files = kept.1.len() + usize::from(kept.0.is_some());
        assert_eq!(names(killed.path()).len(), files, "nothing else stays: call {call}");
    }
}

/// Makes a store with three files; returns its contents.
fn filled(folder: &Path) -> Contents {
    let own = checkpoint(folder);
    let store = store(&own);
    store.open().expect("an empty folder");
    write(&store, [0, 1, 2], [3, 4], &[b"cells".to_vec(), Vec::new(), b"mirror".to_vec()]).expect("written");
    write(&store, [0, 2, 2], [5, 6], &[b"other cells".to_vec()]).expect("written");
    store.append([1, 1], b"message").expect("written");
    store.keep(b"ply 7").expect("kept");
    contents(&store, usize::MAX).expect("readable")
}

#[test]
fn every_flipped_bit_and_every_cut_is_found_and_named() {
    let folder = folder();
    filled(folder.path());
    for name in names(folder.path()) {
        let file = folder.path().join(&name);
        let whole = fs::read(&file).expect("read");
        let check = |bytes: &[u8], what: &str| {
            fs::write(&file, bytes).expect("written");
            let own = checkpoint(folder.path());
            let store = store(&own);
            for most in [3, usize::MAX] {
                let used = store.open().and_then(|_| contents(&store, most));
                let error = used.map(|_| ()).expect_err(what);
                assert_eq!(error.path(), file, "{what}: {error}");
            }
        };
        for byte in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[byte] ^= 1 << (byte % 8);
            // A list of another version is ignored.
            if name != ".3v2.strips.checkpoint" || !(8..12).contains(&byte) {
                check(&bytes, &format!("{name}: a flipped bit in byte {byte}"));
            }
            check(&whole[..byte], &format!("{name}: cut after {byte} bytes"));
        }
        check(&[&whole[..], &[0]].concat(), &format!("{name}: a byte too many"));
        fs::write(&file, &whole).expect("written");
    }
}

#[test]
fn a_part_is_verified_before_its_end_is_used() {
    let folder = folder();
    filled(folder.path());
    let own = checkpoint(folder.path());
    let store = store(&own);
    store.open().expect("readable");
    fs::write(store.path(2), b"OTHER CELLS").expect("written");
    for (most, expected) in [(4, b"OTHER CE".as_slice()), (usize::MAX, b"")] {
        let mut seen = Vec::new();
        store
            .read([0, 2, 2], 0..1, most, &mut |_, bytes| seen.extend_from_slice(bytes))
            .expect_err("damaged");
        assert_eq!(seen, expected, "in pieces of {most}");
    }
}

#[test]
fn without_a_file_or_with_another_basis_everything_is_removed() {
    for missing in 1..=3 {
        let folder = folder();
        filled(folder.path());
        let own = checkpoint(folder.path());
        let store = store(&own);
        fs::remove_file(store.path(missing)).expect("removed");
        assert_eq!(store.open().expect("nothing is damaged"), None, "without file {missing}");
        assert!(names(folder.path()).is_empty() && store.files().is_empty(), "without file {missing}");
    }
    let folder = folder();
    filled(folder.path());
    let own = checkpoint(folder.path());
    // Files of earlier versions, other parts, and those of other layers.
    for name in [".3v2.strips.0.1.7.checkpoint", ".3v2.course.checkpoint", ".3v2+2v3.strips.1.checkpoint"] {
        fs::write(folder.path().join(name), b"").expect("written");
    }
    let other = SpillFiles::new(&own, "strips", Basis::new("basis", "other rules"));
    assert_eq!(other.open().expect("nothing is damaged"), None);
    let left = [".3v2+2v3.strips.1.checkpoint", ".3v2.course.checkpoint"].map(str::to_owned);
    assert_eq!(names(folder.path()), left.into());
}

/// `/dev/full` refuses every byte, as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_costs_nothing_that_was_kept() {
    let folder = folder();
    let expected = filled(folder.path());
    let own = checkpoint(folder.path());
    let store = store(&own);
    store.open().expect("readable");
    let full = |number| {
        let path = store.path(number);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink("/dev/full", &path).expect("linked");
        path
    };
    let refused = |done: Result<(), FileError>, path: &Path| {
        let error = done.expect_err("the disk is full");
        let FileError::System { source, doing: "write it", .. } = &error else { panic!("{error:?}") };
        assert_eq!((error.path(), source.kind()), (path, ErrorKind::StorageFull));
    };
    let path = full(4);
    refused(write(&store, [0, 1, 2], [8, 9], &[b"new cells".to_vec()]), &path);
    let path = full(5);
    refused(store.append([1, 1], b"message"), &path);
    store.append([1, 1], b"first message").expect("there is room again");
    let path = full(6);
    refused(store.append([1, 1], b"second message"), &path);
    // Nor can the list be replaced.
    store.remove([[1, 1, 6]]);
    let list = fs::read(own.path("strips")).expect("read");
    fs::remove_file(own.path("strips")).expect("removed");
    fs::create_dir(own.path("strips")).expect("made");
    let kept = store.keep(b"ply 8");
    assert!(kept.is_err_and(|error| error.path() == own.path("strips")));
    fs::remove_dir(own.path("strips")).expect("removed");
    fs::write(own.path("strips"), list).expect("written");
    let again = self::store(&own);
    assert_eq!(again.open().expect("readable").as_deref(), Some(b"ply 7".as_slice()));
    assert!(contents(&again, usize::MAX).expect("readable") == expected);
}
