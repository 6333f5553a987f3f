//! Built-in proved set-ups for players, from easy to hard, each with its proof.

use marquis_engine::{Pie, Registry, ShippedProof};

/// Each line is a set-up; `tablebases/book/README.md` describes its columns.
const LIST: &str = include_str!("../../tablebases/book/gallery.tsv");

/// The path of the proofs in the folder of proofs.
const FOLDER: &str = "gallery/";

/// A set-up presented as a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exhibit {
    pub(crate) game: &'static str,
    pub(crate) board: &'static str,
    /// How Player Two chooses.
    pub(crate) pie: Pie,
    /// The level of a player who finds the right choice and then wins in half of the games; `None` if nobody can win.
    pub(crate) rating: Option<f64>,
    /// The name of its proof file.
    pub(crate) proof: &'static str,
}

/// All set-ups, sorted by difficulty within a game.
pub(crate) fn exhibits() -> impl Iterator<Item = Exhibit> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let [game, board, pie, rating, proof] =
            <[&str; 5]>::try_from(line.split('\t').collect::<Vec<_>>()).ok()?;
        let (pie, proof) = (pie.parse().ok()?, proof.strip_prefix(FOLDER)?);
        Some(Exhibit { game, board, pie, rating: rating.parse().ok(), proof })
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

    use marquis_core::Value;
    use marquis_engine::{BookUse, Engine, EngineError, EngineOptions, Query};
    use marquis_wire::answer::Answer;

    use super::*;

    /// Has an engine load a proof, which it does from files.
    fn load(engine: &Engine, bytes: &[u8]) -> Result<(), EngineError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        engine.load_proof(file.path())
    }

    #[test]
    fn every_line_is_a_set_up_whose_proof_holds_and_has_the_value_of_both_colours() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(exhibits().count(), lines);
        let registry = marquis_registry::official();
        let options = EngineOptions { book: BookUse::LeftAlone, ..EngineOptions::default() };
        let (engine, _) = Engine::open(registry.clone(), options).unwrap();
        let of_gallery = |file: &&ShippedProof| file.name.starts_with(FOLDER);
        assert_eq!(registry.shipped().iter().filter(of_gallery).count(), lines);
        let rated = exhibits().filter(|exhibit| exhibit.rating.is_some()).count();
        assert!(rated >= 200, "{rated} puzzles");
        for Exhibit { game, board, pie, rating, proof: file } in exhibits() {
            let game = registry.game(game).unwrap().id();
            let value = |turn: &str| match engine.probe(&Query::new(game, format!("{board} {turn}"))).unwrap()
            {
                Answer::Exact(answer) => answer.verdict.value,
                Answer::Chance(_) => panic!("no chance here"),
            };
            load(&engine, proof(&registry, file).unwrap()).unwrap();
            let values =
                ["w", "b"].map(value).map(|value| value.unwrap_or_else(|| panic!("{board}: {file}")));
            // The value of moving first for Player Two.
            let deciding = match pie {
                Pie::Marquisian => values.into_iter().min(),
                Pie::Bait => values.into_iter().max(),
            };
            assert_eq!(rating.is_none(), deciding == Some(Value::Draw), "{board}");
        }
        // Of those in the book, both colours are, by this proof.
        let book = registry.book(None).entries;
        let in_book = exhibits().filter(|exhibit| {
            let file = format!("{FOLDER}{}", exhibit.proof);
            let of = |turn: &str| {
                let begins = format!("{} {turn} 0-0 ", exhibit.board);
                let mut own = book.iter().filter(|entry| entry.game == exhibit.game);
                own.find(|entry| entry.position.starts_with(&begins))
                    .map(|entry| entry.proof.clone().map(|own| own.file))
            };
            let files = [of("w"), of("b")];
            assert!(
                files == [None, None] || files == [Some(Some(file.clone())), Some(Some(file))],
                "{files:?}"
            );
            files[0].is_some()
        });
        assert_eq!(in_book.count(), 14);
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
