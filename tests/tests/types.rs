//! A type that shares its name with another one means the same, in another game, package or form.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proc_macro2::TokenTree;

use crate::sources::{each_token, is_test, root, sources};

/// The parts of each game or family of games.
const OF_A_GAME: [&str; 6] = ["Adapter", "Camp", "Move", "Position", "Sense", "Square"];

/// Results of the engine, and their form in answers.
const IN_ANSWERS: [&str; 10] = [
    "Balance",
    "Difficulty",
    "FirstMover",
    "Insight",
    "PieLeaning",
    "PlayerTwo",
    "Proof",
    "Unproved",
    "Verdict",
    "Wdl",
];

/// One thing for a command, a request, or a package that does not use the other.
const FOR_ANOTHER_USE: [&str; 14] = [
    "Error",
    "Games",
    "NoOracle",
    "Oracle",
    "Parameters",
    "Prepared",
    "ReviewQuestion",
    "Rules",
    "SetUp",
    "SetUpQuestion",
    "Stopped",
    "Tables",
    "Trained",
    "Vectors",
];

/// Names with several meanings.
const AMBIGUOUS: [&str; 5] = ["Game", "Kind", "Slot", "Squinch", "Weighed"];

/// The names of the types that others than their own module can use.
fn shared_types(text: &str) -> BTreeSet<String> {
    let (mut is_public, mut names) = (false, BTreeSet::new());
    let mut is_type = false;
    each_token(text.parse().expect("Rust code"), &mut |token| {
        let TokenTree::Ident(word) = token else {
            (is_public, is_type) = (false, false);
            return;
        };
        match word.to_string().as_str() {
            name if is_type => {
                names.insert(name.to_owned());
                (is_public, is_type) = (false, false);
            }
            "pub" => is_public = true,
            "struct" | "enum" | "trait" | "type" => is_type = is_public,
            "crate" | "super" | "unsafe" => {}
            _ => is_public = false,
        }
    });
    names
}

#[test]
fn types_of_one_name_have_one_meaning() {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&["rs"]).into_iter().filter(|path| !is_test(path)) {
        let text = fs::read_to_string(root().join(&path)).expect("a source file");
        for name in shared_types(&text) {
            files.entry(name).or_default().insert(path.display().to_string());
        }
    }
    assert!(files.len() > 800, "only {} types were found", files.len());
    let known: BTreeSet<&str> =
        [&OF_A_GAME[..], &IN_ANSWERS, &FOR_ANOTHER_USE, &AMBIGUOUS].concat().into_iter().collect();
    let shared: BTreeSet<&str> =
        files.iter().filter(|(_, files)| files.len() > 1).map(|(name, _)| name.as_str()).collect();
    let new: Vec<_> = shared.difference(&known).map(|name| (name, &files[*name])).collect();
    assert!(new.is_empty(), "rename one of each, or say here what they have in common: {new:#?}");
    let gone: Vec<_> = known.difference(&shared).collect();
    assert!(gone.is_empty(), "not shared any more: {gone:?}");
}

#[test]
fn public_types_count_and_private_ones_do_not() {
    let text = "pub struct A; pub(crate) enum B {} struct C; pub(super) trait D {} \
                pub unsafe trait E {} pub fn f(g: G) {} #[cfg(test)] pub struct H; impl Iterator for A { type Item = u8; }";
    let names: Vec<String> = shared_types(text).into_iter().collect();
    assert_eq!(names, ["A", "B", "D", "E"]);
}
