//! The rules of a game in the product's own words: one page in the folder of the game, with its diagrams.
//!
//! A diagram is an image on a separate line, followed by a comment with the command that draws it:
//!
//! ```text
//! ![The start on side 4](start.svg)
//! <!-- marquis show squish start:4 --svg -->
//! ```

/// A page of rules.
#[derive(Debug, PartialEq, Eq)]
pub struct RulesPage {
    /// The page, in Markdown.
    pub text: &'static str,
    /// Its diagrams, in the order of the page; the first shows the start.
    pub diagrams: &'static [Diagram],
}

/// A diagram of a page of rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The name of its file, as in the page.
    pub file: &'static str,
    /// The drawing.
    pub svg: &'static str,
}

/// A piece of a page: its text, or one of its diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Lines of Markdown without a diagram.
    Text(&'static str),
    /// A diagram with its caption and the command that draws it.
    Diagram {
        /// The drawing.
        diagram: &'static Diagram,
        /// The text below the diagram.
        caption: &'static str,
        /// The arguments of the program that print the drawing.
        command: &'static str,
    },
}

impl RulesPage {
    /// The page in parts, in order.
    pub fn parts(&'static self) -> impl Iterator<Item = Part> {
        let mut rest = self.text;
        let mut drawn = None;
        std::iter::from_fn(move || {
            if let Some(part) = drawn.take() {
                return Some(part);
            }
            let Some((place, length, part)) = self.next_diagram(rest) else {
                return (!rest.is_empty()).then(|| Part::Text(std::mem::take(&mut rest)));
            };
            let before = &rest[..place];
            rest = &rest[place + length..];
            drawn = Some(part);
            Some(Part::Text(before))
        })
    }

    /// The next diagram: where it begins, the length of its text, and the part.
    fn next_diagram(&'static self, text: &'static str) -> Option<(usize, usize, Part)> {
        let mut place = 0;
        loop {
            let image = place + text.get(place..)?.find("![")?;
            if let Some((part, length)) = self.diagram(&text[image..]) {
                return Some((image, length, part));
            }
            place = image + 2;
        }
    }

    fn diagram(&'static self, text: &'static str) -> Option<(Part, usize)> {
        let (caption, rest) = text.strip_prefix("![")?.split_once("](")?;
        let (file, rest) = rest.split_once(")\n<!-- marquis ")?;
        let (command, rest) = rest.split_once(" -->\n")?;
        let diagram = self.diagrams.iter().find(|diagram| diagram.file == file)?;
        Some((Part::Diagram { diagram, caption, command }, text.len() - rest.len()))
    }
}

/// The page in a folder next to the module that names it, with its diagrams.
#[macro_export]
macro_rules! rules_page {
    ($folder:literal: $($file:literal),* $(,)?) => {
        $crate::pages::RulesPage {
            text: include_str!(concat!($folder, "rules.md")),
            diagrams: &[$($crate::pages::Diagram {
                file: $file,
                svg: include_str!(concat!($folder, $file)),
            }),*],
        }
    };
}
