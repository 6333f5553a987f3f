//! The list of the games, and the weights of their judges.

use std::path::Path;
use std::sync::Arc;

use marquis_engine::{GameEntry, LeftOut, Registry, ShippedProof};
use marquis_games::beads::{Leap, Sandwich};
use marquis_games::unification::{Approach, Flow};
use marquis_sense::lessons::LessonVisitor;
use marquis_sense::weights::Weights;
pub use marquis_sense::weights::WeightsError;

use crate::judges::judge;
use crate::{beads, senet, squinch, unification};

/// The six games, in the order of the rules, with the embedded weights.
#[must_use]
pub fn official() -> Registry {
    with_weights(Weights::embedded())
}

/// Runs `what` with the evaluation of a board that can be learned by self-play; `None` if there is no such board.
pub(crate) fn visit_lesson<V: LessonVisitor>(game: &str, size: Option<&str>, what: V) -> Option<V::Output> {
    marquis_sense::unification::visit_lesson(game, size, what)
        .or_else(|what| marquis_sense::beads::visit_lesson(game, size, what))
        .or_else(|what| marquis_sense::squinch::visit_lesson(game, size, what))
        .ok()
}

/// The six games with the weights of a folder, and the embedded weights for all other boards.
///
/// The registry [reports](Registry::left_out) which files of the folder were left out, and why.
///
/// # Errors
/// The folder cannot be listed.
pub fn with_weights_of(folder: &Path) -> Result<Registry, WeightsError> {
    let mut weights = Weights::embedded();
    let left_out = weights.read_folder(folder)?;
    let left_out =
        left_out.into_iter().map(|why| LeftOut { file: why.path().to_owned(), why: Arc::new(why) });
    Ok(with_weights(weights).without(left_out.collect()))
}

/// The six games with these weights.
#[must_use]
pub fn with_weights(weights: Weights) -> Registry {
    let weights = Arc::new(weights);
    Registry::new([
        GameEntry::judged::<unification::Adapter<Approach>>(judge(&weights)),
        GameEntry::judged::<unification::Adapter<Flow>>(judge(&weights)),
        GameEntry::judged::<beads::Adapter<Leap>>(judge(&weights)),
        GameEntry::judged::<beads::Adapter<Sandwich>>(judge(&weights)),
        GameEntry::judged::<squinch::Squinch>(judge(&weights)),
        GameEntry::forecast::<senet::Adapter>(weights.senet()),
    ])
    .with_book(BOOK)
    .with_proofs(SHIPPED)
}

// The proof files in `tablebases/proofs`, as listed by `build.rs`; none in a browser build, which fetches them.
include!(concat!(env!("OUT_DIR"), "/shipped_proofs.rs"));

/// The embedded book of known results.
const BOOK: &str = include_str!("../../../tablebases/book/results.tsv");
