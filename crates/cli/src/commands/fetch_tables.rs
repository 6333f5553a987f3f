//! `marquis fetch-tables`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use marquis_core::GameId;
use marquis_engine::{BuildQuery, TableSelection};
use marquis_wire::reports::FetchReport;

use super::generate::say_tables;
use crate::arguments::{ImmobileArgs, TABLES_FOLDER, seconds};
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::{self, registry};
use crate::log::LogArgs;
use crate::numbers::{SMALL, number};
use crate::output::{self, Format};
use crate::progress::watched;
use crate::remote_tables;
use crate::value_texts::{bytes, plural};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis fetch-tables http://tables.example/marquis --game squish --side 3 --pieces 5v5
  marquis fetch-tables http://tables.example/marquis --game senet --out tablebases
  marquis fetch-tables s3://bucket/marquis --out tablebases

URL is the folder with MANIFEST.tsv and B3SUMS, as `marquis generate` writes it. The same command resumes a download
that was stopped by Ctrl-C, a lost network or a full disk. A file gets its name only once its bytes match B3SUMS, its cells
match MANIFEST.tsv, and its rules match this program.
A program compiled without --features remote fetches only from http://.")]
pub(crate) struct FetchTables {
    /// Address of the folder with MANIFEST.tsv: http, https, s3, gs or az
    #[arg(value_name = "URL")]
    address: String,
    /// Folder for the tables
    #[arg(long, value_name = "DIR", default_value = TABLES_FOLDER)]
    out: PathBuf,
    /// Only tables of this game
    #[arg(long, value_parser = games::parser())]
    game: Option<GameId>,
    /// Only tables of this board: cells along an edge
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL), requires = "game")]
    side: Option<u8>,
    /// Pieces per side, such as 3v3, and all layers that it leads to; for swish and squeeze rooks
    #[arg(long, value_name = "IvJ", requires = "game")]
    pieces: Option<String>,
    /// For swish and squeeze: the number of beads
    #[arg(long, value_name = "K", value_parser = number::<u8>(SMALL), requires = "pieces")]
    beads: Option<u8>,
    /// Everything reachable from a position text, a set-up, `start` or `start:SIZE`
    #[arg(long, value_name = "POSITION", requires = "game", conflicts_with_all = ["side", "pieces", "beads"])]
    from: Option<String>,
    /// Keep retrying a silent server for this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    patience: Duration,
    #[command(flatten)]
    immobile: ImmobileArgs,
    #[command(flatten)]
    log: LogArgs,
}

impl FetchTables {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        self.log.open()?;
        let wanted = self.wanted()?;
        let from = remote_tables::open(&self.address, self.patience)?;
        let report = watched(|control| {
            marquis_engine::tables::fetch_tables(registry(), &*from, &wanted, &self.out, control)
        })?;
        output::answer(&report, format, say)?;
        Ok(CommandEnd::Answered)
    }

    fn wanted(&self) -> Result<TableSelection, CommandFailure> {
        let Some(game) = self.game else { return Ok(TableSelection::Everything) };
        let immobile = self.immobile.choice(game)?;
        if self.side.is_none() && self.pieces.is_none() && self.from.is_none() {
            return Ok(TableSelection::Game(game));
        }
        let (side, pieces, from) = (self.side, self.pieces.clone(), self.from.clone());
        Ok(TableSelection::Build(BuildQuery {
            side,
            pieces,
            from,
            beads: self.beads,
            immobile,
            ..BuildQuery::new(game)
        }))
    }
}

fn say(report: &FetchReport) -> String {
    let here = report.tables.len();
    let resumed = match report.resumed_bytes {
        0 => String::new(),
        already => format!(", {} of them resumed", bytes(already)),
    };
    format!(
        "{}\n{here} {} from {}: {} kept, {} fetched{resumed}, {:.1} s; all checked\n",
        say_tables(&report.tables),
        plural(here as u64, "table", "tables"),
        report.from,
        report.kept,
        bytes(report.fetched_bytes),
        report.seconds
    )
}
