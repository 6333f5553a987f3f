//! `marquis design`

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::styling::Style;
use marquis_core::GameId;
use marquis_engine::{Control, DesignKind, DesignQuery, Engine, EngineError, Lease, Pie, SetUpPattern};
use marquis_wire::reports::Designed;
use serde::Serialize;

use super::balance;
use crate::arguments::{LimitArgs, PIES, TableArgs, one_of};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games;
use crate::interrupt;
use crate::log::LogArgs;
use crate::numbers::{MOST_TRIES, SEED, SMALL, number};
use crate::output::{self, Format, WithProof};
use crate::progress::watched;
use crate::value_texts::painted;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis design swish
  marquis design squeeze --side 3 --rooks 2 --beads 3 --tries 100 --keep 3 --seconds 5
  marquis design swish --beads 3 --max-beads 6 --harder-than 4 --tries 200
  marquis design swish --from w1w/4/1ooo1/4/b1b --change 2
  marquis design swish --side 5 --rooks 3 --beads 19 --layout point-symmetric --pie bait --seconds 20 --proofs DIR

Tries random set-ups, and lists those whose balance is proved, the hardest first. The limits apply to each set-up.
With --from the pieces of a board are kept, except for --change of them, and missing ones are added at random.
The same seed finds the same set-ups.
In a point-symmetric set-up neither colour has an advantage: half a turn of the board exchanges them.")]
pub(crate) struct Design {
    /// Swish or Squeeze
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// Cells along an edge [default: those of the board to start from, or 3]
    #[arg(long, value_parser = number::<u8>(SMALL))]
    side: Option<u8>,
    /// Rooks per colour [default: those of the board to start from, or 2]
    #[arg(long, value_parser = number::<u8>(SMALL))]
    rooks: Option<u8>,
    /// Beads on the board [default: those of the board to start from, or 3]
    #[arg(long, value_parser = number::<u8>(SMALL))]
    beads: Option<u8>,
    #[command(flatten)]
    range: RangeArgs,
    /// Arrangement of the pieces
    #[arg(long, value_parser = one_of::<SetUpPattern>(LAYOUTS), default_value = SetUpPattern::Random.name())]
    layout: SetUpPattern,
    /// How Player Two chooses
    #[arg(long, value_parser = one_of::<Pie>(PIES), default_value = Pie::Marquisian.name())]
    pie: Pie,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(SEED))]
    seed: u64,
    /// Set-ups to try, at most 1000000
    #[arg(long, default_value_t = 20, value_parser = number::<u32>(1..=MOST_TRIES))]
    tries: u32,
    /// Set-ups to list
    #[arg(long, default_value_t = 5, value_parser = number::<usize>(0..=MOST_TRIES))]
    keep: usize,
    /// Write a proof of each listed set-up to 1.proof, 2.proof … in this folder; exit code 3 if one is missing
    #[arg(long, value_name = "DIR")]
    proofs: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
}

/// Which of these set-ups to look at.
#[derive(Args, Debug)]
struct RangeArgs {
    /// Try numbers of rooks from --rooks to this one
    #[arg(long, value_name = "ROOKS", value_parser = number::<u8>(SMALL))]
    max_rooks: Option<u8>,
    /// Try numbers of beads from --beads to this one
    #[arg(long, value_name = "BEADS", value_parser = number::<u8>(SMALL))]
    max_beads: Option<u8>,
    /// Start from this board, complete or not
    #[arg(long, value_name = "BOARD")]
    from: Option<String>,
    /// Pieces of that board to move at random [default: 1, or 0 if pieces are added]
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL))]
    change: Option<u8>,
    /// List only set-ups with a difficulty above this level
    #[arg(long, value_name = "LEVEL", value_parser = number::<u8>(SMALL))]
    harder_than: Option<u8>,
    /// List only set-ups with a difficulty below this level
    #[arg(long, value_name = "LEVEL", value_parser = number::<u8>(SMALL))]
    easier_than: Option<u8>,
}

/// The names of the layouts.
const LAYOUTS: &[&str] = &[SetUpPattern::Random.name(), SetUpPattern::PointSymmetric.name()];

#[derive(Serialize)]
struct Designs {
    game: &'static str,
    designs: Vec<WithProof<Designed>>,
}

impl Design {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        let engine = self.tables.open(Vec::new())?;
        let doing = format!("design {}", self.game);
        let _lease = self.proofs.as_ref().map(|folder| Lease::of_folder(folder, &doing)).transpose()?;
        self.clear_the_way();
        let designs = watched(|control| self.find(&engine, control))?;
        let found = !designs.is_empty() && !interrupt::stopped();
        let kept: Vec<_> = designs.iter().filter_map(|design| design.proof_file.clone()).collect();
        output::answer(&Designs { game: self.game.name(), designs }, format, say)?;
        let ending = interrupt::ending(found);
        Ok(kept.iter().map(|kept| output::proof_kept(kept, ending)).fold(ending, Ord::max))
    }

    /// Removes proofs of an earlier design, because this one may not use all of their names.
    fn clear_the_way(&self) {
        let Some(folder) = &self.proofs else { return };
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".proof")?.parse::<usize>().ok());
            if number.is_some_and(|number| (1..=self.keep).contains(&number)) {
                // A file that stays is reported when the proof of this name is written.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn query(&self) -> DesignQuery {
        let Self { game, side, rooks, beads, layout, pie, seed, tries, keep, .. } = *self;
        let RangeArgs { max_rooks, max_beads, change, harder_than, easier_than, .. } = self.range;
        let from = self.range.from.clone();
        let kind = DesignKind {
            side,
            rooks,
            beads,
            max_rooks,
            max_beads,
            layout,
            from,
            change,
            harder_than,
            easier_than,
        };
        DesignQuery { game, kind, pie, seed, tries, keep }
    }

    /// The hardest set-ups, with their proofs written if that was requested.
    fn find(&self, engine: &Engine, control: &Control<'_>) -> Result<Vec<WithProof<Designed>>, EngineError> {
        let (query, limits) = (self.query(), self.limits.limits());
        let prove = |(number, design): (usize, Designed)| {
            let Some(folder) = &self.proofs else { return Ok(WithProof::none(design)) };
            let file = folder.join(format!("{}.proof", number + 1));
            let (_, kept) = engine.prove_design(&query, &design, &limits, control, &file)?;
            Ok(WithProof::from((design, kept)))
        };
        engine.design(&query, &limits, control)?.into_iter().enumerate().map(prove).collect()
    }
}

fn say(designs: &Designs) -> String {
    if designs.designs.is_empty() {
        return "No set-up was decided within the limits, or none is that hard; give each more, or try more of them.\n"
            .to_owned();
    }
    let mut text = String::new();
    for (number, WithProof { answer: design, .. }) in (1..).zip(&designs.designs) {
        let number: usize = number;
        let title = painted(&format!("{number}. difficulty {:.1}", design.score), Style::new().bold());
        let between = if number > 1 { "\n" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{between}{title}\n{}", balance::say(&design.balance).trim_end());
    }
    text
}
