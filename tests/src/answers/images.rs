//! P5: a position and its images are equivalent.

use std::collections::BTreeMap;

use super::compare::{Pair, knows_the_same, same_chance};
use super::document::{Document, Move};
use super::judge::Judge;
use super::throws::ThrowsDocument;
use crate::reference::symmetry::{self, Image};

/// Answers by lookup.
pub const LOOKED_UP: Pair = Pair { contradiction: "P5.contradiction", forgotten: "P5.looked-up" };
/// Answers by a search, each from a fresh engine.
pub const SEARCHED: Pair = Pair { contradiction: "P5.contradiction", forgotten: "P5.searched" };

/// The document for the image of its position.
#[must_use]
pub fn seen_as(document: &Document, game: &str, image: Image) -> Document {
    let from = &document.position;
    let turned = |own: &Move| Move {
        text: image.mv(game, from, &own.text),
        position: image.position(game, &own.position),
        ..own.clone()
    };
    Document {
        position: image.position(game, from),
        moves: document.moves.as_ref().map(|moves| moves.iter().map(turned).collect()),
        pv: Vec::new(),
        ..document.clone()
    }
}

/// Checks that the answer about an image matches the answer about the position.
///
/// * `of_image`: the answer about the image.
pub fn check(
    document: &Document,
    of_image: &Document,
    (game, image): (&str, Image),
    pair: Pair,
    judge: &mut Judge,
) {
    let expected = seen_as(document, game, image);
    judge.expect("P5.position", expected.position == of_image.position, || {
        format!("{}, expected {}", of_image.position, expected.position)
    });
    let mut inner = Judge::default();
    knows_the_same(&expected, of_image, pair, &mut inner);
    for fault in &mut inner.faults {
        fault.found = format!("{image:?}: {}", fault.found);
    }
    judge.absorb(inner);
}

/// Checks that moves to images of one position have the same verdict within an answer.
pub fn check_moves(document: &Document, game: &str, judge: &mut Judge) {
    let images = symmetry::images(game);
    let canonical = |own: &Move| images.iter().map(|image| image.position(game, &own.position)).min();
    let mut seen: BTreeMap<Option<String>, &Move> = BTreeMap::new();
    for own in document.listed() {
        let first = *seen.entry(canonical(own)).or_insert(own);
        let known = |own: &Move| (own.verdict.bounds, own.verdict.least(), own.verdict.most());
        let is_same = known(own) == known(first) && same_chance(own.verdict.estimate, first.verdict.estimate);
        judge.expect("P5.moves", is_same, || {
            format!("{} {} and {} {} are images", first.text, first.verdict, own.text, own.verdict)
        });
    }
}

/// The same check for a game with throws, where moves have the same texts in both colours.
pub fn check_throws(document: &ThrowsDocument, of_image: &ThrowsDocument, judge: &mut Judge) {
    let (own, other) = (document.chances(), of_image.chances());
    judge.expect("P5.looked-up", own.len() == other.len(), || {
        format!("{} and {} chances", own.len(), other.len())
    });
    for (at, own) in own {
        let Some((_, other)) = other.iter().find(|(name, _)| *name == at) else { continue };
        let holds = same_chance(own.chance, other.chance) && own.error.is_some() == other.error.is_some();
        judge.expect("P5.looked-up", holds, || format!("{at}: {own:?} and {other:?}"));
    }
}
