//! Built-in proved set-ups for players, from easy to hard, each with its proof.

use marquis_engine::{Registry, ShippedProof};

/// Each line is a set-up; `tablebases/book/README.md` describes its columns.
const LIST: &str = include_str!("../../tablebases/book/gallery.tsv");

/// The path of the proofs in the folder of proofs.
const FOLDER: &str = "gallery/";

/// A set-up presented as a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exhibit {
    pub(crate) game: &'static str,
    pub(crate) board: &'static str,
    /// The level of a player who finds the right choice and then wins in half of the games; `None` if nobody can win.
    pub(crate) rating: Option<f64>,
    /// The name of its proof file.
    pub(crate) proof: &'static str,
}

/// All set-ups, sorted by difficulty within a game.
pub(crate) fn exhibits() -> impl Iterator<Item = Exhibit> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let [game, board, rating, proof] =
            <[&str; 4]>::try_from(line.split('\t').collect::<Vec<_>>()).ok()?;
        Some(Exhibit { game, board, rating: rating.parse().ok(), proof: proof.strip_prefix(FOLDER)? })
    })
}

/// The bytes of the proof file with this name.
pub(crate) fn proof(registry: &Registry, name: &str) -> Option<&'static [u8]> {
    let is_named = |file: &&ShippedProof| file.name.strip_prefix(FOLDER) == Some(name);
    registry.shipped().iter().find(is_named).map(|file| file.bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use marquis_engine::{Engine, EngineError, EngineOptions};

    use super::*;

    /// Has an engine load a proof, which it does from files.
    fn load(engine: &Engine, bytes: &[u8]) -> Result<(), EngineError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        engine.load_proof(file.path())
    }

    #[test]
    fn every_line_is_a_set_up_whose_proof_holds_and_is_in_the_book() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(exhibits().count(), lines);
        let registry = marquis_registry::official();
        let book = registry.book(None).entries;
        let (engine, _) = Engine::open(registry.clone(), EngineOptions::default()).unwrap();
        let of_gallery = |file: &&ShippedProof| file.name.starts_with(FOLDER);
        assert_eq!(registry.shipped().iter().filter(of_gallery).count(), lines);
        for exhibit in exhibits() {
            load(&engine, proof(&registry, exhibit.proof).unwrap()).unwrap();
            let file = format!("{FOLDER}{}", exhibit.proof);
            let of = |turn: &str| {
                let begins = format!("{} {turn} 0-0 ", exhibit.board);
                let own = |entry: &&marquis_wire::book::BookEntry| {
                    entry.game == exhibit.game && entry.position.starts_with(&begins)
                };
                book.iter().find(own).and_then(|entry| entry.proof.as_ref()).map(|proof| proof.file.clone())
            };
            assert_eq!((of("w"), of("b")), (Some(file.clone()), Some(file)), "{}", exhibit.board);
        }
        let ratings: Vec<f64> = exhibits().filter_map(|exhibit| exhibit.rating).collect();
        assert!(ratings.is_sorted(), "from easy to hard: {ratings:?}");
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        let registry = marquis_registry::official();
        let (engine, _) = Engine::open(registry.clone(), EngineOptions::default()).unwrap();
        let mut bytes = proof(&registry, "01.proof").unwrap().to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert!(load(&engine, &bytes).is_err());
        assert_eq!(proof(&registry, "../results.tsv"), None);
    }
}
