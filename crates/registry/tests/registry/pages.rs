//! Properties of all pages of rules.

use marquis_core::Part;
use marquis_registry::official;

#[test]
fn every_page_has_all_its_diagrams_and_no_other() {
    for game in official().games() {
        let (id, page) = (game.id(), game.about().rules);
        let parts: Vec<Part> = page.parts().collect();
        let drawn = parts.iter().filter_map(|part| match part {
            Part::Diagram { diagram, .. } => Some(diagram.file),
            Part::Text(_) => None,
        });
        let files: Vec<&str> = page.diagrams.iter().map(|diagram| diagram.file).collect();
        assert_eq!(drawn.collect::<Vec<_>>(), files, "{id}");
        assert!(files.len() >= 2 && page.text.matches("![").count() == files.len(), "{id}");
    }
}

#[test]
fn the_parts_of_a_page_are_all_of_it_but_the_diagrams() {
    for game in official().games() {
        let (id, page) = (game.id(), game.about().rules);
        let text: String = page.parts().filter_map(text_of).collect();
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&text) + 2 * page.diagrams.len(), lines(page.text), "{id}");
        assert!(!text.contains("<!--"), "{id}");
    }
}

fn text_of(part: Part) -> Option<&'static str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Diagram { .. } => None,
    }
}

#[test]
fn every_page_tells_all_that_a_stranger_asks() {
    for game in official().games() {
        for heading in ["Board", "Start", "Moves", "End", "Notation", "Variants", "Check numbers"] {
            assert!(
                game.about().rules.text.contains(&format!("\n## {heading}\n")),
                "{}: {heading}",
                game.id()
            );
        }
    }
}
