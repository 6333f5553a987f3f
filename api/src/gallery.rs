//! Proved set-ups for players, from easy to hard, which come with the program; each has its proof.

use std::io::Write as _;
use std::sync::Arc;

use marquis_engine::{Engine, causes};

/// A line is a set-up; `tablebases/book/README.md` says what its parts are.
const LIST: &str = include_str!("../../tablebases/book/gallery.tsv");

macro_rules! proofs {
    ($($name:literal),*) => {
        [$(($name, include_bytes!(concat!("../../tablebases/proofs/gallery/", $name)).as_slice())),*]
    };
}

/// The files, by their names.
static PROOFS: [(&str, &[u8]); 14] = proofs![
    "01.proof", "02.proof", "03.proof", "04.proof", "05.proof", "06.proof", "07.proof", "08.proof",
    "09.proof", "10.proof", "11.proof", "12.proof", "13.proof", "14.proof"
];

/// A set-up to be thought about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exhibit {
    pub(crate) game: &'static str,
    pub(crate) board: &'static str,
    /// The level of a player who finds the right choice and wins with it in half of his games; none where nobody wins.
    pub(crate) rating: Option<f64>,
    /// The name of its proof file.
    pub(crate) proof: &'static str,
}

/// All set-ups, the easiest of a game first.
pub(crate) fn exhibits() -> impl Iterator<Item = Exhibit> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let [game, board, rating, proof] =
            <[&str; 4]>::try_from(line.split('\t').collect::<Vec<_>>()).ok()?;
        let proof = proof.strip_prefix("gallery/")?;
        Some(Exhibit { game, board, rating: rating.parse().ok(), proof })
    })
}

/// The proof file with this name.
pub(crate) fn proof(name: &str) -> Option<&'static [u8]> {
    PROOFS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Takes up all proofs, on a thread of its own, for each is replayed before it is believed: positions inside them are
/// then answered without a search.
pub(crate) fn load(engine: &Arc<Engine>) {
    let engine = Arc::clone(engine);
    let work = move || {
        for (name, bytes) in PROOFS {
            if let Err(error) = take_up(&engine, bytes) {
                tracing::warn!(name, error, "a proof of the gallery is left out");
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("gallery".to_owned()).spawn(work) {
        tracing::warn!(%error, "the proofs of the gallery are left out");
    }
}

/// Has the engine read a proof, which it does from files.
fn take_up(engine: &Engine, bytes: &[u8]) -> Result<(), String> {
    let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    file.write_all(bytes).map_err(|error| error.to_string())?;
    engine.load_proof(file.path()).map_err(|error| causes(&error).to_string())
}

#[cfg(test)]
mod tests {
    use marquis_engine::EngineOptions;

    use super::*;

    #[test]
    fn every_line_is_a_set_up_whose_proof_holds_and_is_in_the_book() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((exhibits().count(), PROOFS.len()), (lines, lines));
        let registry = marquis_registry::official();
        let book = registry.book(None).entries;
        let (engine, _) = Engine::open(registry, EngineOptions::default()).unwrap();
        for exhibit in exhibits() {
            take_up(&engine, proof(exhibit.proof).unwrap()).unwrap();
            let file = format!("gallery/{}", exhibit.proof);
            let of = |turn: &str| {
                let begins = format!("{} {turn} 0-0 ", exhibit.board);
                let own = |entry: &&marquis_engine::book::BookEntry| {
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
        let (engine, _) = Engine::open(marquis_registry::official(), EngineOptions::default()).unwrap();
        let mut bytes = proof("01.proof").unwrap().to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert!(take_up(&engine, &bytes).is_err());
        assert_eq!(proof("../results.tsv"), None);
    }
}
