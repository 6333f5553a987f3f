//! `marquis balance`

use std::path::PathBuf;

use clap::Args;
use clap::builder::styling::Style;
use marquis_core::GameId;
use marquis_engine::{BalanceQuery, Level, Pie, Until};
use marquis_wire::answer::{Balance, ByColour, Difficulty, FirstMover, OtherPie};
use marquis_wire::ending::{SearchEnd, Unproved};

use crate::arguments::{ImmobileArgs, LimitArgs, PIES, TableArgs, one_of};
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::hint;
use crate::interrupt;
use crate::log::LogArgs;
use crate::numbers::{BEADS, number};
use crate::output::{self, Format, WithProof};
use crate::positions::{STANDARD_INPUT, answer_each};
use crate::progress::watched;
use crate::value_texts::{self, count, painted};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis balance swish w1w/4/1ooo1/4/b1b --target 2
  marquis balance squeeze w1w/4/1ooo1/4/b1b --pie bait --bait 1 --both
  marquis balance swish w1w/4/1ooo1/4/b1b --target 2 --proof swish.proof

Under the Marquisian pie Player Two moves first with the colour that Player One leaves him, or chooses the
colour and lets Player One move first. Under the bait pie he gives the bait away and moves first with
the colour of his choice. Or he takes the bait, and Player One chooses the colour and moves first.")]
pub(crate) struct BalanceCommand {
    /// Swish or Squeeze
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// A board text without a player to move, or `-` for one a line from standard input
    board: String,
    /// Beads off the board
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u16>(BEADS))]
    bait: u16,
    /// How Player Two chooses
    #[arg(long, value_parser = one_of::<Pie>(PIES), default_value = Pie::Marquisian.name())]
    pie: Pie,
    /// The number of beads that wins [default: the majority]
    #[arg(long, value_name = "T", value_parser = number::<u16>(BEADS))]
    target: Option<u16>,
    /// Continue until both colours are decided
    #[arg(long)]
    both: bool,
    #[command(flatten)]
    immobile: ImmobileArgs,
    #[command(flatten)]
    tables: TableArgs,
    /// Write a proof of the balance to this file; exit code 3 if it cannot be proved
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

impl BalanceCommand {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        if self.proof.is_some() && self.board == STANDARD_INPUT {
            let message = "--proof: expected one board, found a list on standard input; leave it out";
            return Err(CommandFailure::bad_input(message));
        }
        let engine = self.tables.open(Vec::new())?;
        let limits = self.limits.limits();
        let (mut kept, mut hint) = (None, None);
        let ask = |board: &str| {
            let set_up = engine.registry().lay_out(&self.query(board)?)?;
            let weighed = watched(|control| match &self.proof {
                Some(file) => engine.balance_with_proof(&set_up, &limits, control, file).map(WithProof::from),
                None => engine.balance(&set_up, &limits, control).map(WithProof::none),
            })?;
            kept = weighed.proof_file.clone();
            hint = hint::hint(ended(&weighed.answer), &limits);
            let ending = interrupt::ending(self.decided(&weighed.answer));
            Ok((weighed, ending))
        };
        let ending = answer_each(&self.board, format, ask, |weighed| say(&weighed.answer))?;
        hint.as_deref().into_iter().for_each(output::remark);
        Ok(kept.map_or(ending, |kept| output::proof_kept(&kept, ending)))
    }

    fn query(&self, board: &str) -> Result<BalanceQuery, CommandFailure> {
        Ok(BalanceQuery {
            game: self.game,
            board: board.to_owned(),
            bait: self.bait,
            pie: self.pie,
            target: self.target,
            immobile: self.immobile.choice(self.game)?,
            until: if self.both { Until::BothColours } else { Until::Choice },
        })
    }

    /// Whether the requested colours are decided.
    fn decided(&self, balance: &Balance) -> bool {
        let known = |mover: &FirstMover| mover.verdict.value.is_some();
        let both = known(&balance.first_mover.w) && known(&balance.first_mover.b);
        balance.balanced.is_some() && balance.player_two.value.is_some() && (both || !self.both)
    }
}

/// Formats the balance for a reader.
pub(super) fn say(balance: &Balance) -> String {
    let Balance { game, board, pie, bait, target, .. } = balance;
    let mut text = format!("{game}  {board}\n{pie} pie, bait {bait}, {target} beads win\n");
    text.push_str(&verdict(balance));
    if let Some(OtherPie { pie, player_two, balanced }) = &balance.other_pie {
        text.push_str(&format!("Under the {pie} pie: {}\n", player_two.sentence(*balanced)));
    }
    let mut table = TextTable::new(&["", "first mover", "value", ">plies", "best moves", "position"]);
    for (colour, mover) in [("White", &balance.first_mover.w), ("Black", &balance.first_mover.b)] {
        table.styled(mover_row(colour, mover));
    }
    text + "\n" + &table.render() + "\n" + &difficulty(&balance.difficulty)
}

fn verdict(balance: &Balance) -> String {
    let player_two = &balance.player_two;
    let sentence =
        painted(&player_two.sentence(balance.balanced), value_texts::style(player_two.value).bold()) + "\n";
    sentence + &value_texts::cut_short(ended(balance), &balance.game)
}

/// Why the search ended, and its belief about the colour with the largest proof.
fn ended(balance: &Balance) -> (Option<SearchEnd>, Option<&Unproved>) {
    let ByColour { w, b } = &balance.first_mover;
    let unproved = [w, b].into_iter().filter_map(|mover| mover.unproved.as_ref());
    (balance.ended, unproved.max_by_key(|unproved| unproved.proof_bytes))
}

fn mover_row(colour: &str, mover: &FirstMover) -> Vec<(String, Style)> {
    let plain = |text: String| (text, Style::new());
    let verdict = &mover.verdict;
    let style = value_texts::style(verdict.value);
    vec![
        (value_texts::sign(verdict.value).to_owned(), style.bold()),
        plain(colour.to_owned()),
        (value_texts::value_or_chance(verdict), style),
        plain(verdict.plies.map(|plies| plies.to_string()).unwrap_or_default()),
        plain(value_texts::shortened(&mover.best)),
        (mover.position.clone(), Style::new().dimmed()),
    ]
}

/// The levels that find Player Two's choice and win with it.
fn held_by(rating: Option<f64>) -> String {
    match rating {
        None => "nobody was tried".to_owned(),
        Some(rating) if rating <= f64::from(Level::MIN.get()) => {
            "every level in half of its games".to_owned()
        }
        Some(rating) if rating > f64::from(Level::MAX.get()) => "no level in half of its games".to_owned(),
        Some(rating) => format!("level {rating:.1} in half of its games"),
    }
}

fn difficulty(difficulty: &Difficulty) -> String {
    let all = difficulty.first_moves;
    let keeping = match difficulty.keeping_moves {
        Some(keeping) => format!("{keeping} of {all}"),
        None => format!("not proved ({all} first moves)"),
    };
    let greedy = match (&difficulty.greedy_move, difficulty.greedy_keeps) {
        (None, _) => "none captures".to_owned(),
        (Some(mv), Some(true)) => format!("{mv}, which keeps the value"),
        (Some(mv), Some(false)) => format!("{mv}, which gives the value away"),
        (Some(mv), None) => format!("{mv}, unknown whether it keeps the value"),
    };
    let only = match difficulty.only_move_line {
        Some(plies) => format!("{plies} {}", value_texts::plural(plies.into(), "ply", "plies")),
        None => "not proved".to_owned(),
    };
    let nodes = count(difficulty.nodes);
    let held = held_by(difficulty.rating);
    format!(
        "first moves that keep the value  {keeping}\ngreediest first move             {greedy}\n\
         longest line of only moves       {only}\nfound and held by                {held}\n\
         nodes of the proof               {nodes}\n"
    )
}
