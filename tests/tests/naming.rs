//! A game costs its own folders, one line of the registry and one entry of the page: this counts the other places
//! that name it.
//!
//! Only code counts: a name, a text or a path. Comments do not, nor do attributes, which hold documentation and the
//! examples in the commands' help: nothing breaks if they omit a game. Tests are ignored. The line that declares a
//! game's own folder, `mod squinch;`, belongs to that folder, public or not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use marquis_engine::GameEntry;
use marquis_registry::official;
use proc_macro2::TokenStream;

use crate::sources::{each_token, is_test, root, sources};

/// Each game of the registry with the name of its folder in all [`HOMES`]: the one with its page of rules.
static GAMES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let mut pages = Vec::new();
    for path in sources(&["md"]) {
        let Ok(own) = path.strip_prefix("crates/games/src") else { continue };
        let folder = own.iter().next().and_then(|name| name.to_str()).expect("a name");
        let text = fs::read_to_string(root().join(&path)).expect("a page of rules");
        pages.push((text, folder.to_owned()));
    }
    let folder_of = |game: &GameEntry| {
        let found = pages.iter().find(|(text, _)| text == game.about().rules.text);
        let found =
            found.unwrap_or_else(|| panic!("the rules of {} are no page in crates/games/src", game.id()));
        (game.id().name(), found.1.clone())
    };
    official().games().map(folder_of).collect()
});

/// The packages with a folder for each family of games: rules, adapters for the engine, evaluation inputs.
const HOMES: [&str; 3] = ["games", "registry", "sense"];

/// The re-export of the rules, the line of the registry, the entry of the page.
const MOST: usize = 3;

/// The words of a text; a name in camel case counts as several: `SquishTable` is `squish` and `table`.
fn words(text: &str) -> BTreeSet<String> {
    let mut apart = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            apart.push(' ');
        }
        apart.push(letter);
        before = letter;
    }
    let words = apart.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The Rust code of one of the packages with a folder for each family, without the lines that declare the folders.
///
/// * `path`: relative to the root of the workspace.
fn without_declarations(path: &Path, text: &str) -> String {
    if !HOMES.iter().any(|name| path == Path::new(&format!("crates/{name}/src/lib.rs"))) {
        return text.to_owned();
    }
    let declares = |line: &&str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let name = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
        name.is_some_and(|name| GAMES.iter().any(|(_, folder)| name == folder))
    };
    text.lines().filter(|line| !declares(line)).collect::<Vec<_>>().join("\n")
}

/// The words of Rust code, without attributes and test code.
fn words_of_rust(tokens: TokenStream, found: &mut BTreeSet<String>) {
    each_token(tokens, &mut |token| found.extend(words(&token.to_string())));
}

/// A text without the parts between two markers.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once(open) {
        out.push_str(before);
        out.push('\n');
        rest = inner.split_once(close).map_or("", |(_, after)| after);
    }
    out + rest
}

/// The words of a file without its comments.
///
/// * `path`: relative to the root of the workspace, or absolute.
fn words_of(path: &Path) -> BTreeSet<String> {
    let full = root().join(path);
    let text = fs::read_to_string(full).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match path.extension().and_then(|kind| kind.to_str()) {
        Some("rs") => {
            let tokens = without_declarations(path, &text)
                .parse()
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut found = BTreeSet::new();
            words_of_rust(tokens, &mut found);
            found
        }
        Some("html") => words(&without(&text, "<!--", "-->")),
        // A URL in a text has a colon before the slashes.
        _ => words(&without(&without(&format!("\n{text}"), "/*", "*/").replace("\n//", " //"), " //", "\n")),
    }
}

/// Whether a file is in one of a game's own folders.
fn is_own(path: &Path, folder: &str) -> bool {
    HOMES.iter().any(|name| path.starts_with(format!("crates/{name}/src/{folder}")))
}

#[test]
fn a_game_is_named_in_three_files_beside_its_own() {
    let files = sources(&["rs", "js", "html", "css"]);
    let files = files.into_iter().filter(|path| !is_test(path));
    let files: Vec<_> = files.map(|path| (words_of(&path), path)).collect();
    assert!(files.len() > 250, "only {} files were read", files.len());
    for (game, folder) in GAMES.iter() {
        let names =
            |(words, path): &&(BTreeSet<String>, PathBuf)| words.contains(*game) && !is_own(path, folder);
        let found: Vec<_> = files.iter().filter(names).map(|(_, path)| path.display().to_string()).collect();
        println!("{game}: {}", found.join(", "));
        assert!(
            (2..=MOST).contains(&found.len()),
            "{game} is named in {} files, expected 2 or {MOST} (crates/registry/src/official.rs, \
             api/assets/games.js and, for a type with its name, crates/games/src/lib.rs): {}",
            found.len(),
            found.join(", ")
        );
        let own = files.iter().filter(|(words, path)| words.contains(*game) && is_own(path, folder));
        assert!(own.count() > 0, "{game} has no folder {folder}");
    }
}

#[test]
fn code_counts_and_comments_attributes_and_tests_do_not() {
    let of = |text: &str| {
        let mut found = BTreeSet::new();
        words_of_rust(text.parse().expect("tokens"), &mut found);
        found.contains("squish")
    };
    for code in
        ["use games::Squish;", "const A: &str = \"start of squish\";", "fn squish_table() {}", "f!(SQUISH)"]
    {
        assert!(of(code), "{code}");
        assert!(of(&format!("#[cfg(test)] mod tests {{ fn f() {{}} }} {code}")), "{code} after tests");
        assert!(of(&format!("#[cfg(test)] mod tests; {code}")), "{code} after tests elsewhere");
        assert!(!of(&format!("#[cfg(test)] #[allow(x)] mod tests {{ {code} }}")), "{code} in tests");
    }
    for other in
        ["// squish", "/// squish\nfn f() {}", "#[command(help = \"squish\")] struct S;", "fn squished() {}"]
    {
        assert!(!of(other), "{other}");
    }
    let script = "a(\"http://x\"); // squish\n// squish\n/* squish */ b();";
    let file = tempfile::Builder::new().suffix(".js").tempfile().expect("a file");
    for (text, expected) in [(script.to_owned(), false), (format!("{script}\nc.squish();"), true)] {
        fs::write(file.path(), &text).expect("written");
        assert_eq!(words_of(file.path()).contains("squish"), expected, "{text}");
        assert!(words_of(file.path()).contains("b"), "{text}");
    }
}

#[test]
fn the_line_that_declares_a_folder_of_a_game_is_part_of_it_and_nothing_else_is() {
    let counts = |path: &str, line: &str| {
        let mut found = BTreeSet::new();
        let left = without_declarations(Path::new(path), line);
        words_of_rust(left.parse().expect("tokens"), &mut found);
        found.contains("squinch")
    };
    for line in ["pub mod squinch;", "mod squinch;"] {
        assert!(!counts("crates/sense/src/lib.rs", line), "{line}");
    }
    for line in ["pub use squinch::Squinch;", "pub mod squinch_moves;", "pub mod squinch { fn f() {} }"] {
        assert!(counts("crates/sense/src/lib.rs", line), "{line}");
    }
    for path in ["crates/cli/src/lib.rs", "crates/sense/src/beads/mod.rs", "api/src/lib.rs"] {
        assert!(counts(path, "pub mod squinch;"), "{path}");
    }
}
