//! Readers of the lists beside tables: the layers with the hashes of their cells, and the files with their checksums.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use crate::header::LayerKey;
use crate::sums::{SUMS_NAME, place, quoted};
use crate::{Error, file, sums};

pub use crate::sums::MAX_LIST_BYTES;

/// The name of the manifest of a folder.
pub const MANIFEST: &str = "MANIFEST.tsv";

/// The contents of `MANIFEST.tsv`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// For each layer, the content hash of each stream by its name.
    pub layers: BTreeMap<LayerKey, BTreeMap<String, String>>,
}

impl Manifest {
    /// Reads the list.
    ///
    /// * `name`: the name of the list in errors.
    ///
    /// # Errors
    /// A line is malformed; the error has its number.
    pub fn read(name: &str, text: &[u8]) -> Result<Self, Error> {
        let mut layers: BTreeMap<LayerKey, BTreeMap<String, String>> = BTreeMap::new();
        for (number, line) in lines(name, text)? {
            let columns: Vec<&str> = line.split('\t').collect();
            let &[game, variant, layer, _slots, stream, content, _counts] = columns.as_slice() else {
                let expected = "game, variant, layer, slots, stream, content hash and counts between tabs";
                return Err(Error::damaged(name, place(number), expected, quoted(line)));
            };
            expect_hash(name, number, content)?;
            let key = (game.to_owned(), variant.to_owned(), layer.to_owned());
            layers.entry(key).or_default().insert(stream.to_owned(), content.to_owned());
        }
        if layers.is_empty() {
            return Err(Error::damaged(name, "its lines", format!("a {MANIFEST} that lists tables"), "none"));
        }
        Ok(Self { layers })
    }
}

/// Reads `B3SUMS`: the blake3 of each table by its path, whose parts are separated by `/`.
///
/// A hostile list may try to make its reader write outside the folder of tables. So paths must be relative, lead
/// downwards, have no part that begins with a dot, and be paths of tables.
///
/// * `name`: the name of the list in errors.
///
/// # Errors
/// A line is no checksum of a table; the error has its number.
pub fn read_sums(name: &str, text: &[u8]) -> Result<BTreeMap<String, String>, Error> {
    let mut listed = BTreeMap::new();
    for (number, line) in lines(name, text)? {
        let (sum, path) = sums::entry(name, number, line)?;
        expect_hash(name, number, sum)?;
        if !is_path_of_a_table(path) {
            let expected = format!("the path of a table below the folder of {SUMS_NAME}");
            return Err(Error::damaged(name, place(number), expected, quoted(path)));
        }
        listed.insert(path.to_owned(), sum.to_owned());
    }
    Ok(listed)
}

fn is_path_of_a_table(path: &str) -> bool {
    let is_plain =
        |part: &str| !part.starts_with('.') && !part.contains(['\\', ':', '\0']) && !part.is_empty();
    let leads_down = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let ending = Path::new(path).extension().is_some_and(|ending| ending == file::EXTENSION);
    path.split('/').all(is_plain) && leads_down && ending
}

fn expect_hash(name: &str, number: usize, found: &str) -> Result<(), Error> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if found.len() == 64 && found.bytes().all(is_digit) {
        return Ok(());
    }
    Err(Error::damaged(name, place(number), "a blake3 of 64 hexadecimal digits", quoted(found)))
}

fn lines<'a>(name: &str, text: &'a [u8]) -> Result<impl Iterator<Item = (usize, &'a str)>, Error> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::damaged(name, format!("byte {}", error.valid_up_to()), "UTF-8", "other bytes")
    })?;
    Ok(text.lines().enumerate())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "2a35138fb2227952996bb70cdd81b697552ba21d4aa91f111a4ece55d964f508";

    #[test]
    fn paths_that_lead_out_of_the_folder_or_are_of_no_table_are_refused() {
        let read = |path: &str| read_sums("B3SUMS", format!("{HASH}  {path}\n").as_bytes());
        assert_eq!(read("squish-s3/01v01.mqt").unwrap()["squish-s3/01v01.mqt"], HASH);
        for path in
            ["../a.mqt", "/a.mqt", "a/../../b.mqt", "a//b.mqt", "./a.mqt", "a/.b.mqt", "a\\b.mqt", "a.sh", ""]
        {
            let refused = read(path).expect_err(path).to_string();
            assert!(refused.contains("line 1") && refused.contains("path of a table"), "{path}: {refused}");
        }
    }

    #[test]
    fn lines_that_are_no_checksums_are_named() {
        for text in ["no", "abc  a.mqt", &format!("{}  a.mqt", HASH.to_uppercase())] {
            let refused = read_sums("B3SUMS", format!("{HASH}  a.mqt\n{text}\n").as_bytes()).unwrap_err();
            assert!(refused.to_string().contains("damaged in line 2"), "{refused}");
        }
        assert!(read_sums("B3SUMS", b"\xff").unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn a_manifest_has_the_hash_of_each_stream_of_each_layer() {
        let line = |stream: &str| format!("squish\tside=3\t01v01\t72\t{stream}\t{HASH}\twins=0\n");
        let manifest = Manifest::read("m", (line("score") + &line("plies")).as_bytes()).unwrap();
        let key = ("squish".to_owned(), "side=3".to_owned(), "01v01".to_owned());
        assert_eq!(manifest.layers.len(), 1);
        assert_eq!(manifest.layers[&key].keys().collect::<Vec<_>>(), ["plies", "score"]);
        for wrong in ["", "<html>\n", "squish\tside=3\t01v01\t72\tscore\tabc\t\n"] {
            assert!(Manifest::read("m", wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
