//! The page about upgrades names the format versions of the program.

use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The value of a constant of a source file.
fn constant(file: &str, name: &str) -> String {
    let text = read(file);
    let line = text
        .lines()
        .find(|line| line.contains(&format!("const {name}: ")))
        .unwrap_or_else(|| panic!("{file}: {name}"));
    let value = line.rsplit_once("= ").expect("a value").1;
    value.trim_matches(['"', ';']).to_owned()
}

/// The cells of the row with this prefix.
fn row<'a>(page: &'a str, begins: &str) -> Vec<&'a str> {
    let line = page.lines().find(|line| line.starts_with(&format!("| {begins}")));
    line.unwrap_or_else(|| panic!("no row about {begins}")).split('|').map(str::trim).collect()
}

#[test]
fn the_page_about_upgrades_has_the_numbers_of_the_program() {
    let page = read("guide/src/operate/upgrade.md");
    let version = read("Cargo.toml");
    let version = version.lines().find_map(|line| line.strip_prefix("version = ")).expect("a version");
    assert!(page.contains(&format!("## What {} reads", version.trim_matches('"'))), "{version}");
    let container = constant("crates/table/src/container.rs", "CONTAINER_VERSION");
    let numbers = [
        ("tables", "format", constant("crates/table/src/layout.rs", "FORMAT_VERSION")),
        ("rules in tables", "rules", constant("crates/engine/src/files/layer.rs", "RULES_VERSION")),
        ("containers", "container", container.clone()),
        ("checkpoints of Senet", "method", constant("crates/registry/src/senet/checkpoint.rs", "METHOD")),
        ("strips", "strips", constant("crates/engine/src/files/spill.rs", "VERSION")),
        ("studies", "study", constant("crates/engine/src/study/store.rs", "FORMAT")),
        ("proofs of the service", "container", container),
    ];
    for (begins, word, number) in numbers {
        assert_eq!(row(&page, begins)[3], format!("{word} {number}"), "{begins}");
    }
    let networks: Vec<String> = [
        ("unification", ["squish", "flowish"].as_slice()),
        ("beads", &["swish", "squeeze"]),
        ("squinch", &["squinch"]),
        ("senet", &["senet"]),
    ]
    .into_iter()
    .flat_map(|(folder, games)| {
        let number = constant(&format!("crates/sense/src/{folder}/mod.rs"), "VERSION");
        games.iter().map(move |game| format!("{game} {number}"))
    })
    .collect();
    assert!(row(&page, "networks")[3].ends_with(&networks.join(", ")), "{networks:?}");
}

/// The messages that the page quotes are those of the program.
#[test]
fn what_is_refused_is_said_in_the_words_of_the_page() {
    let page = read("guide/src/operate/upgrade.md");
    let error = marquis_table::Error::Version { name: "a.mqt".to_owned(), expected: 1, found: 2 }.to_string();
    let words = error.strip_prefix("a.mqt: ").expect("the name comes first");
    assert!(page.contains(words), "{words}");
}
