//! `marquis review`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style};
use marquis_engine::{Control, Limits};
use marquis_wire::review::{MarkGround, MoveMark, PlayerReview, Review, ReviewedMove};

use super::record::one;
use crate::arguments::{MachineArgs, TableArgs, seconds};
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::numbers::{GAME, NODES, number};
use crate::output::{self, Format};
use crate::{games, interrupt, throws};

/// The default time of a position.
const USUAL: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis review game.txt
  marquis review games.txt --number 2 --seconds 5
  marquis review - --nodes 20000 --json < game.txt

Each move is listed with its value for the player who made it, exact if proved, and the points of chance that it lost.
A move that loses a proved value is a blunder (??). The only move that keeps a win or a draw is great (!).
If neither the position nor the move is proved, estimates of the same depth decide: a loss of 5 points of a hundred is
an inaccuracy (?!), of 10 a mistake (?). In Senet the limits are 0.1 and 0.3, and the luck of throws is listed separately.
An open move of a proved position is `unproved` and has no mark. The accuracy counts decisions: positions where at least
two moves differ. Ctrl-C prints the moves reviewed so far.")]
pub(crate) struct ReviewCommand {
    /// A file of records, or `-` for standard input
    file: String,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u32>(GAME))]
    number: u32,
    /// Seconds for each position [default: 1, without --nodes]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Positions to search for each position of the game
    #[arg(long, value_name = "N", value_parser = number::<u64>(NODES))]
    nodes: Option<u64>,
    /// Proof file whose positions need no search
    #[arg(long, value_name = "FILE")]
    use_proof: Vec<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

impl ReviewCommand {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let game = one(&self.file, self.number)?;
        let engine = self.tables.open(self.use_proof)?;
        let time = self.seconds.or_else(|| self.nodes.is_none().then_some(USUAL));
        let limits = Limits { time, nodes: self.nodes, ..self.machine.limits() };
        let control = Control::new(interrupt::flag(), |_| {});
        let (all, game) = (game.plies(), Arc::new(game));
        let review = engine.review(&game, &limits, &control, &mut |own| {
            output::remark(&format!("{} of {all}: {}{}", own.ply, own.mv, sign(own.mark)));
        })?;
        output::answer(&review, format, say)?;
        Ok(interrupt::ending(review.complete))
    }
}

/// The sign of a mark, as players write it.
const fn sign(mark: Option<MoveMark>) -> &'static str {
    match mark {
        None => "",
        Some(MoveMark::Great) => "!",
        Some(MoveMark::Inaccuracy) => "?!",
        Some(MoveMark::Mistake) => "?",
        Some(MoveMark::Blunder) => "??",
    }
}

fn style(mark: Option<MoveMark>) -> Style {
    match mark {
        None => Style::new(),
        Some(MoveMark::Great) => AnsiColor::Cyan.on_default().bold(),
        Some(MoveMark::Inaccuracy) => AnsiColor::Yellow.on_default(),
        Some(MoveMark::Mistake) => AnsiColor::Yellow.on_default().bold(),
        Some(MoveMark::Blunder) => AnsiColor::Red.on_default().bold(),
    }
}

fn say(review: &Review) -> String {
    let mut table = TextTable::new(&[">ply", "", "move", "value", ">chance", ">lost", ">luck", "better"]);
    for own in &review.moves {
        let mv = throws::in_play(&own.mv, own.throw) + sign(own.mark);
        table.styled([
            (own.ply.to_string(), Style::new()),
            (own.turn.clone(), Style::new()),
            (mv, style(own.mark)),
            (value(own), Style::new()),
            (own.chance.map_or_else(String::new, |chance| format!("{:.1} %", 100.0 * chance)), Style::new()),
            (
                own.lost.filter(|lost| *lost > 0.0).map_or_else(String::new, |lost| format!("{lost:.2}")),
                Style::new(),
            ),
            (own.luck.map_or_else(String::new, |luck| format!("{luck:+.2}")), Style::new()),
            (better(own), Style::new().dimmed()),
        ]);
    }
    let left = review.plies - review.moves.len();
    let cut = if left > 0 { format!("{left} moves were not reviewed.\n") } else { String::new() };
    let players: String = review.players.iter().map(|player| player_words(&review.game, player)).collect();
    format!("{}  {}\n\n{}\n{players}{cut}", review.game, review.position, table.render())
}

fn value(own: &ReviewedMove) -> String {
    match (own.value, own.plies) {
        (None, _) if own.lost.is_none() => "unproved".to_owned(),
        (None, _) => "?".to_owned(),
        (Some(value), Some(plies)) => format!("{} in {plies}", value.name()),
        (Some(value), None) => value.name().to_owned(),
    }
}

/// The better line, if the move lost something or delays its win.
fn better(own: &ReviewedMove) -> String {
    let lost =
        own.mark.is_some_and(|mark| mark != MoveMark::Great) || own.delta.is_some_and(|delta| delta > 0);
    if !lost {
        return String::new();
    }
    let line: Vec<&str> = own.better.iter().take(6).map(String::as_str).collect();
    let later = own.delta.filter(|delta| *delta > 0).map_or_else(String::new, |delta| format!("+{delta} "));
    let proved = if own.ground == Some(MarkGround::Value) { "proved: " } else { "" };
    format!("{proved}{later}{}", line.join(" "))
}

fn player_words(game: &str, player: &PlayerReview) -> String {
    let PlayerReview { turn, moves, decisions, accuracy, great, inaccuracies, mistakes, blunders, luck } =
        player;
    let accuracy = accuracy.map_or_else(|| "unknown".to_owned(), |accuracy| format!("{accuracy:.1}"));
    let luck = luck.map_or_else(String::new, |luck| format!(", luck {luck:+.2} points"));
    format!(
        "{}: accuracy {accuracy}, moves {moves}, decisions {decisions}, great {great}, inaccuracies {inaccuracies}, mistakes {mistakes}, \
         blunders {blunders}{luck}\n",
        games::colour(game, turn)
    )
}
