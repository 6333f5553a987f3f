//! The allowed dependencies between packages, and the rules for all of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{files_below, root};

/// The manifests of all packages, by name.
fn packages() -> BTreeMap<String, (PathBuf, String)> {
    let crates = fs::read_dir(root().join("crates")).expect("crates can be listed");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("an entry").path()).collect();
    folders.extend([root().join("api"), root().join("tests")]);
    let read = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""))?;
        Some((name.trim_end_matches('"').to_owned(), (folder, manifest.clone())))
    };
    folders.into_iter().filter_map(read).collect()
}

/// The packages of this project that a manifest names outside its dev-dependencies, for any target.
fn arrows(manifest: &str) -> Vec<String> {
    let mut is_read = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        let name = if let Some(header) = line.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            let after = header.split_once("dependencies").filter(|(kind, _)| !kind.ends_with("dev-"));
            let after = after.map(|(_, after)| after);
            is_read = after == Some("");
            // `[dependencies.marquis-core]` is the section of one.
            after.and_then(|after| after.strip_prefix('.'))
        } else {
            line.split(['.', ' ', '=']).next().filter(|_| is_read)
        };
        if let Some(name) = name.filter(|name| name.starts_with("marquis")) {
            found.push(name.trim_start_matches("marquis-").to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn every_way_to_depend_on_a_package_but_for_tests_is_an_arrow() {
    let manifest = r#"
[package]
name = "marquis-any"

[dependencies]
marquis-core.workspace = true
marquis-eval = { workspace = true, optional = true }
rayon.workspace = true

[dependencies.marquis-games]
workspace = true

[target.'cfg(unix)'.dependencies]
marquis-mpi.workspace = true

[build-dependencies]
marquis-table = { path = "../table" }

[target.'cfg(unix)'.build-dependencies.marquis-rank]
workspace = true

[dev-dependencies]
marquis-play.workspace = true

[target.'cfg(unix)'.dev-dependencies]
marquis-proof.workspace = true

[dev-dependencies.marquis-retro]
workspace = true

[features]
marquis-web = []
"#;
    assert_eq!(arrows(manifest), ["core", "eval", "games", "mpi", "rank", "table"]);
}

#[test]
fn arrows_go_where_the_architecture_says() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("marquis-core", &[][..]),
        ("marquis-rank", &["core"]),
        ("marquis-games", &["core", "rank"]),
        ("marquis-retro", &["core"]),
        ("marquis-proof", &["core"]),
        ("marquis-study", &["core", "proof"]),
        ("marquis-chance", &["core"]),
        ("marquis-table", &["core"]),
        ("marquis-cluster", &[]),
        // Separate from `cluster`, which all others depend on, so that they are not compiled again for MPI.
        ("marquis-mpi", &["cluster"]),
        ("marquis-remote", &["table"]),
        ("marquis-eval", &["core"]),
        ("marquis-record", &[]),
        ("marquis-wire", &["core"]),
        ("marquis-play", &["core", "eval"]),
        ("marquis-train", &["core", "eval", "play"]),
        ("marquis-sense", &["core", "eval", "games", "play", "train"]),
        (
            "marquis-engine",
            &[
                "chance", "cluster", "core", "eval", "play", "proof", "record", "retro", "study", "table",
                "wire",
            ],
        ),
        (
            "marquis-registry",
            &[
                "chance", "core", "engine", "eval", "games", "rank", "retro", "sense", "table", "train",
                "wire",
            ],
        ),
        ("marquis-api", &["core", "engine", "table", "wire"]),
        ("marquis-web", &["core", "engine", "registry", "table", "wire"]),
        // The program starts the ranks of a build by MPI; the engine does their work.
        (
            "marquis",
            &["api", "cluster", "core", "engine", "mpi", "record", "registry", "remote", "table", "wire"],
        ),
    ]);
    let packages = packages();
    for (name, (_, manifest)) in packages.iter().filter(|(name, _)| *name != "marquis-tests") {
        let allowed = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not in the picture"));
        for arrow in arrows(manifest) {
            assert!(allowed.contains(&arrow.as_str()), "{name} must not depend on marquis-{arrow}");
        }
    }
    assert_eq!(packages.len(), allowed.len() + 1, "a package of the picture is missing");
}

/// The names that a file re-exports at its root.
fn re_exported(code: &str) -> usize {
    let uses = code.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    uses.map(|names| {
        names
            .split(['{', ','])
            .filter(|name| !name.trim().ends_with("::") && !name.trim_matches(['}', '\n', ' ']).is_empty())
            .count()
    })
    .sum()
}

#[test]
fn the_root_of_the_engine_has_few_names() {
    assert_eq!(re_exported("\npub use a::B;\npub use c::{D, e::F,\n    G,\n};\n"), 4);
    let code = fs::read_to_string(root().join("crates/engine/src/lib.rs")).expect("the engine's root");
    let count = re_exported(&code);
    assert!((20..=60).contains(&count), "{count} names: modules such as `game` and `tables` have their own");
}

/// The word after `key` in a file at the root.
fn word_after(file: &str, key: &str) -> String {
    let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(key));
    line.unwrap_or_else(|| panic!("{file} has no {key}")).trim_matches([' ', '=', '"', ':']).to_owned()
}

#[test]
fn files_agree_on_the_version_and_on_the_toolchain() {
    assert_eq!(word_after("CITATION.cff", "version:"), word_after("Cargo.toml", "version"));
    let oldest = word_after("Cargo.toml", "rust-version");
    let toolchain = word_after("rust-toolchain.toml", "channel");
    // The checks run with the oldest toolchain that is promised to work.
    assert!(toolchain == oldest || toolchain.strip_suffix(".0") == Some(&oldest), "{toolchain} and {oldest}");
    assert_eq!(word_after("Containerfile", "ENV RUSTUP_TOOLCHAIN="), toolchain);
}

#[test]
fn every_package_forbids_unsafe_code() {
    for (name, (folder, _)) in packages() {
        let roots = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        for file in roots.iter().filter(|file| file.exists()) {
            let text = fs::read_to_string(file).expect("a source file can be read");
            assert!(text.contains("#![forbid(unsafe_code)]"), "{name}: {} does not", file.display());
        }
    }
}

/// The texts of all source files in the workspace, by path.
fn sources() -> BTreeMap<PathBuf, String> {
    let folders = packages().into_values().map(|(folder, _)| folder.join("src")).collect();
    let text = |path: PathBuf| fs::read_to_string(root().join(&path)).ok().map(|text| (path, text));
    files_below(folders).into_iter().filter_map(text).collect()
}

#[test]
fn bincode_is_used_in_one_module() {
    let sources = sources();
    let users: Vec<_> = sources.iter().filter(|(_, text)| text.contains("bincode::")).collect();
    let users: Vec<&Path> = users.into_iter().map(|(path, _)| path.as_path()).collect();
    assert_eq!(users, [Path::new("crates/table/src/codec.rs")]);
}

/// The verifier scans layers, solvers do not; and scans find moves by the rules, without what solvers read.
#[test]
fn scans_and_solvers_share_no_moves() {
    let sources = sources();
    let users = sources.iter().filter(|(_, text)| text.contains(".scan(layer"));
    let users: Vec<&Path> = users.map(|(path, _)| path.as_path()).collect();
    assert_eq!(users, [Path::new("crates/retro/src/scanned.rs")]);
    let scans = |path: &Path| path.starts_with("crates/games") && path.ends_with("scan.rs");
    let scans: Vec<_> = sources.iter().filter(|(path, _)| scans(path)).collect();
    assert_eq!(scans.len(), 2);
    for (path, text) in scans {
        for word in [".successors(", "rows::", "lists::", "R::quiet", "R::captures", "leaps("] {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
    }
}

/// Files next to a `main.rs` of tests that it does not name, in a folder and its subfolders.
fn forgotten(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let main = fs::read_to_string(folder.join("main.rs")).ok();
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in plain letters");
        if path.is_dir() {
            forgotten(&path, found);
        } else if let Some(main) = &main
            && path.extension().is_some_and(|extension| extension == "rs")
            && name != "main"
            && !main.lines().any(|line| line == format!("mod {name};"))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_tests_is_compiled() {
    let mut found = Vec::new();
    for (_, (folder, _)) in packages() {
        forgotten(&folder.join("tests"), &mut found);
    }
    assert_eq!(found, Vec::<PathBuf>::new());
}
