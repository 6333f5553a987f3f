//! `marquis moves`

use clap::Args;
use marquis_wire::reports::ListedMove;
use serde::Serialize;

use crate::arguments::PositionArgs;
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::registry;
use crate::output::Format;
use crate::positions::answer_each;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis moves squish start:3
  marquis moves senet start --throw 2
  printf '%s\\n' start:3 start:4 | marquis moves flowish -")]
pub(crate) struct Moves {
    #[command(flatten)]
    position: PositionArgs,
}

#[derive(Serialize)]
struct Listing {
    game: &'static str,
    position: String,
    moves: Vec<ListedMove>,
}

impl Moves {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let ask = |position: &str| {
            let posed = registry().pose(&self.position.query(position)?)?;
            let listing = Listing { game: posed.game().name(), position: posed.text(), moves: posed.moves() };
            Ok((listing, CommandEnd::Answered))
        };
        answer_each(&self.position.position, format, ask, say)
    }
}

fn say(listing: &Listing) -> String {
    if listing.moves.is_empty() {
        return "The game is over; there is no move.\n".to_owned();
    }
    let thrown = listing.moves.iter().any(|listed| listed.throw.is_some());
    let mut table =
        TextTable::new(if thrown { &[">throw", "move", "position"] } else { &["move", "position"] });
    for listed in &listing.moves {
        let throw = listed.throw.map(|throw| throw.to_string());
        table.row(throw.into_iter().chain([listed.mv.clone(), listed.position.clone()]));
    }
    table.render()
}
