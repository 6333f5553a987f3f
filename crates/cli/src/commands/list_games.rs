//! `marquis games`

use std::fmt::Write as _;

use clap::Args;
use clap::builder::styling::Style;
use marquis_engine::{GameEntry, StartPosition};
use serde::Serialize;

use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::output::{self, Format};
use crate::value_texts::painted;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  marquis games\n  marquis games --json")]
pub(crate) struct Games {}

#[derive(Serialize)]
struct GameListing {
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    variants: &'static str,
    grammar: &'static str,
    starts: Vec<Start>,
}

#[derive(Serialize)]
struct Start {
    name: String,
    position: String,
    usual: bool,
}

impl Games {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let start = |StartPosition { name, position, is_usual }| Start { name, position, usual: is_usual };
        let listed = |game: &GameEntry| Listed {
            id: game.id().name(),
            variants: game.about().variants,
            grammar: game.about().grammar,
            starts: game.starts().into_iter().map(start).collect(),
        };
        let listing = GameListing { games: registry().games().map(listed).collect() };
        output::answer(&listing, format, say)?;
        Ok(CommandEnd::Answered)
    }
}

fn say(listing: &GameListing) -> String {
    let mut text = String::new();
    for (number, game) in listing.games.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let id = painted(game.id, Style::new().bold());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{id}\n  boards    {}\n  position  {}", game.variants, game.grammar);
        for start in &game.starts {
            let _ = writeln!(text, "  {:<13} {}", start.name, start.position);
        }
    }
    text
}
