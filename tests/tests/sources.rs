//! The source files of the packages, and the tokens of their code.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace holds this package").to_owned()
}

/// The sources of the packages and the files of the page, relative to the root of the workspace.
///
/// * `kinds`: only files with these extensions.
pub(crate) fn sources(kinds: &[&str]) -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("crates can be listed");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("an entry").path().join("src")).collect();
    folders.retain(|folder| folder.exists());
    folders.extend(["api/src", "api/assets"].map(|folder| root().join(folder)));
    let mut files = files_below(folders);
    files.retain(|path| {
        path.extension().and_then(|kind| kind.to_str()).is_some_and(|kind| kinds.contains(&kind))
    });
    files
}

/// All files in some folders and their subfolders, relative to the root of the workspace.
pub(crate) fn files_below(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(root()).expect("inside the workspace").to_owned());
            }
        }
    }
    files.sort();
    files
}

/// Whether a file belongs to the tests of its package; they alone compile the API description.
pub(crate) fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs" || part == "schema.rs")
}

/// Calls `see` with each token of Rust code, groups apart, without comments, attributes and test code.
pub(crate) fn each_token(tokens: TokenStream, see: &mut dyn FnMut(&TokenTree)) {
    let mut tokens = tokens.into_iter().peekable();
    let mut of_tests = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                if let Some(TokenTree::Group(attribute)) = tokens.next() {
                    of_tests |= attribute.stream().to_string().replace(' ', "") == "cfg(test)";
                }
            }
            // The item after an attribute ends with a semicolon or with braces.
            TokenTree::Punct(mark) if mark.as_char() == ';' => of_tests = false,
            TokenTree::Group(group) => {
                if !of_tests {
                    each_token(group.stream(), see);
                } else if group.delimiter() == Delimiter::Brace {
                    of_tests = false;
                }
            }
            token if !of_tests => see(&token),
            _ => {}
        }
    }
}
