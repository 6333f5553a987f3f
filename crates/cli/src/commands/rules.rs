//! `marquis rules`

use clap::builder::styling::Style;
use clap::{Args, Parser as _};
use marquis_core::{GameId, Part};
use marquis_engine::EngineError;
use serde::Serialize;

use crate::commands::{Arguments, Command};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::{self, registry};
use crate::output::{self, Format};
use crate::value_texts::painted;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis rules squish
  marquis rules senet | less
  marquis rules swish --json

With --json the page is in Markdown, and its diagrams are SVG.")]
pub(crate) struct Rules {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
}

#[derive(Serialize)]
struct Document {
    game: &'static str,
    /// Markdown.
    rules: &'static str,
    /// The diagram of the start, as SVG.
    diagram: &'static str,
    /// Every diagram, by its name in the page.
    diagrams: Vec<Diagram>,
}

#[derive(Serialize)]
struct Diagram {
    file: &'static str,
    svg: &'static str,
}

impl Rules {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let page = registry().game(self.game.name()).map_err(EngineError::from)?.about().rules;
        if format == Format::Human {
            let parts: Result<String, CommandFailure> = page.parts().map(say).collect();
            output::text(&parts?)?;
            return Ok(CommandEnd::Answered);
        }
        let diagram = |diagram: &marquis_core::Diagram| Diagram { file: diagram.file, svg: diagram.svg };
        let diagrams: Vec<Diagram> = page.diagrams.iter().map(diagram).collect();
        let start = diagrams.first().map_or("", |first| first.svg);
        let document = Document { game: self.game.name(), rules: page.text, diagram: start, diagrams };
        output::answer(&document, format, |_| String::new())?;
        Ok(CommandEnd::Answered)
    }
}

/// A part of the page for a terminal: headings are highlighted, diagrams are drawn in letters.
fn say(part: Part) -> Result<String, CommandFailure> {
    match part {
        Part::Text(text) => Ok(text.lines().map(line).collect()),
        Part::Diagram { caption, command, .. } => {
            Ok(format!("{}{}\n", drawn(command)?, painted(caption, Style::new().italic())))
        }
    }
}

fn line(text: &str) -> String {
    let heading = text.trim_start_matches('#');
    let said = if heading.len() == text.len() { Style::new() } else { Style::new().bold() };
    painted(if heading.len() == text.len() { text } else { heading.trim_start() }, said) + "\n"
}

/// The board that the command of a diagram draws, in letters.
fn drawn(command: &str) -> Result<String, CommandFailure> {
    let arguments = std::iter::once("marquis").chain(command.split(' '));
    match Arguments::try_parse_from(arguments).map(|arguments| arguments.command) {
        Ok(Command::Show(show)) => show.letters(),
        _ => {
            Err(CommandFailure::failed(format!("the rules name a diagram that cannot be drawn: `{command}`")))
        }
    }
}
