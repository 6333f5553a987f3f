//! A question costs few files: this counts the files that name each one.
//!
//! Only code counts, as in [`crate::naming`]: no comments, no attributes, no tests. Names are whole identifiers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenTree;

use crate::sources::{each_token, is_test, root, sources};

/// A question, the functions and types that belong to it alone, and the number of files that may name one of them.
///
/// The numbers are those of today. A number that falls is lowered here; none rises.
const QUESTIONS: [(&str, &[&str], usize); 11] = [
    ("solve", &["Answer", "ExactAnswer", "ChanceAnswer", "Solution", "ChanceSolution"], 40),
    ("line", &["BestLine", "LineEnd", "solve_with_line"], 13),
    ("perft", &["perft"], 8),
    ("balance", &["Balance", "BalanceQuery", "FirstMover", "PosedSetUp"], 29),
    ("design", &["DesignQuery", "Designed", "design_with_proofs"], 11),
    (
        "review",
        &["Review", "ReviewSoFar", "ReviewedMove", "PlayerReview", "Appraisal", "Appraised", "appraise"],
        19,
    ),
    ("claims", &["ClaimsQuery", "ClaimsReport", "ClaimId"], 13),
    ("book", &["BookEntry", "BookReport", "BookSource", "BookUse", "Booked", "Books"], 21),
    ("records", &["GameRecord", "RecordCheck", "RecordFile", "Replayed", "read_record"], 17),
    (
        "study",
        &["StudyOptions", "StudyReport", "SetUpStudyReport", "StudyTree", "WorkReport", "study_status"],
        17,
    ),
    ("vectors", &["vectors", "Vectors", "TestVector", "KnownValue", "GameEnd", "MOST_VECTORS"], 7),
];

/// The identifiers of a file.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_token(text.parse().expect("Rust code"), &mut |token| {
        if let TokenTree::Ident(name) = token {
            found.insert(name.to_string());
        }
    });
    found
}

#[test]
fn no_question_spreads() {
    let read = |path: &PathBuf| fs::read_to_string(root().join(path)).expect("a source file can be read");
    let files = sources(&["rs"]).into_iter().filter(|path| !is_test(path));
    let files: Vec<_> = files.map(|path| (identifiers(&read(&path)), path)).collect();
    assert!(files.len() > 400, "only {} files were read", files.len());
    let mut spread = Vec::new();
    for (question, names, most) in QUESTIONS {
        for name in names {
            assert!(
                files.iter().any(|(found, _)| found.contains(*name)),
                "{question}: nothing is called {name}"
            );
        }
        let naming = files.iter().filter(|(found, _)| names.iter().any(|name| found.contains(*name)));
        let naming: Vec<_> = naming.map(|(_, path)| path.display().to_string()).collect();
        println!("{question}: {}", naming.len());
        if naming.len() > most {
            spread.push(format!(
                "{question}, in {} files and not {most}: {}",
                naming.len(),
                naming.join(", ")
            ));
        }
    }
    assert!(spread.is_empty(), "{}", spread.join("\n"));
}

#[test]
fn names_are_whole_and_tests_do_not_count() {
    let text = "#[doc = \"Review\"] struct ReviewCommand; // Review\n\
                #[cfg(test)] mod tests { use crate::Review; } fn f() -> Advice { \"Balance\" }";
    let found = identifiers(text);
    assert!(found.contains("Advice") && found.contains("ReviewCommand"));
    assert!(["Review", "Balance", "tests"].iter().all(|name| !found.contains(*name)), "{found:?}");
    assert!(is_test(Path::new("crates/games/src/senet/tests.rs")));
    assert!(is_test(Path::new("crates/registry/src/senet/tests/games.rs")));
    assert!(!is_test(Path::new("crates/engine/src/ask/solve.rs")));
}
