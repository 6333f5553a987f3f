//! What the user types.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use marquis_engine::{GameId, Immobile, Limits, MemorySize, Pie, Query};

/// Solves Squish, Flowish, Swish, Squeeze, Squinch and Senet, and proves what it says.
#[derive(Debug, Parser)]
#[command(name = "marquis", version, after_help = EXAMPLES, propagate_version = true)]
pub(crate) struct Cli {
    /// Print one JSON document on standard output and nothing else there.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to colour.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  marquis solve squish start:3
  marquis balance swish w1w/4/1ooo1/4/b1b
  marquis serve

Exit codes: 0 answered, 1 checked and false, 2 bad input, 3 a limit was reached before an answer,
4 the machine or a file failed, 130 interrupted.";

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Every game: variants, position grammar, start positions
    Games,
    /// A drawing of the board
    #[command(after_help = "Example: marquis show squish start:3 --play a3xb3")]
    Show(Asked),
    /// Legal moves and the positions they lead to
    #[command(after_help = "Example: marquis moves senet start --throw 4")]
    Moves(Asked),
    /// How many positions there are after 1…DEPTH plies
    #[command(after_help = "Example: marquis perft squish start:4 3")]
    Perft {
        #[command(flatten)]
        asked: Asked,
        /// How many plies.
        depth: u32,
    },
    /// The value of a position and of its moves
    #[command(
        after_help = "Examples:\n  marquis solve squish start:3\n  marquis solve swish 'w1w/4/1ooo1/4/b1b w 0-0 2' --seconds 10\n  marquis solve squish start:3 --proof start.proof\n  printf 'start:3\\n' | marquis solve squish -"
    )]
    Solve(Solve),
    /// Which choice wins a Swish or Squeeze set-up for Player Two
    #[command(
        after_help = "Examples:\n  marquis balance swish w1w/4/1ooo1/4/b1b\n  marquis balance squeeze w1w/4/1ooo1/4/b1b --pie bait --bait 1 --both"
    )]
    Balance(Balance),
    /// Random set-ups that are hard on Player Two, the hardest first
    #[command(after_help = "Example: marquis design swish --side 3 --rooks 1 --beads 3 --tries 20")]
    Design(Design),
    /// Build tables
    #[command(
        after_help = "What to build:\n  squish|flowish --side N                  everything on that board\n  squish|flowish --side N --pieces 3v3     that layer and all that it leads to\n  squish|flowish --from POSITION           all layers that can be reached from it\n\nExample: marquis generate squish --side 3 --pieces 3v3 --out tables --dry-run"
    )]
    Generate(Generate),
    /// The same tables, packed harder
    #[command(after_help = "Example: marquis repack tables")]
    Repack {
        /// A table or a folder of tables.
        path: PathBuf,
    },
    /// Like solve, but from tables and proof files alone, never a search
    #[command(after_help = "Example: marquis probe squish '3/wb2/5/1w1b/3 w' --tables tables")]
    Probe {
        #[command(flatten)]
        asked: Asked,
        #[command(flatten)]
        tables: Tables,
    },
    /// The best line to the end of the game
    #[command(after_help = "Example: marquis line squish start:3")]
    Line {
        #[command(flatten)]
        asked: Asked,
        #[command(flatten)]
        tables: Tables,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Checksums, then every entry against its successors by the rules alone
    #[command(after_help = "Example: marquis verify tables")]
    Verify {
        /// A table or a folder of tables.
        path: PathBuf,
        /// Check about so many entries of each table instead of all.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        sample: Option<u64>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Replay a proof file by the rules alone
    #[command(after_help = "Example: marquis check-proof start.proof")]
    CheckProof {
        /// The proof file.
        file: PathBuf,
    },
    /// The designer's claims about a game, checked exhaustively
    #[command(
        after_help = "Examples:\n  marquis claims flowish --side 3\n  marquis claims squinch --size 3x3"
    )]
    Claims(Claims),
    /// The HTTP service
    #[command(after_help = "Example: marquis serve --bind 127.0.0.1:8017 --tables tablebases")]
    Serve(Serve),
    /// Completions for a shell
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// The manual page
    #[command(hide = true)]
    Man,
}

/// A position that is asked about.
#[derive(Clone, Debug, Args)]
pub(crate) struct Asked {
    /// squish, flowish, swish, squeeze, squinch or senet
    #[arg(value_parser = game)]
    pub(crate) game: GameId,
    /// A position text (`_` may stand for a space), `start`, `start:SIZE`, or `-` for one a line from standard input
    pub(crate) position: String,
    /// Moves to play first, such as "c4-c3 b2xc2"
    #[arg(long, value_name = "MOVES")]
    pub(crate) play: Option<String>,
    /// Swish and Squeeze: what happens to a player who cannot move
    #[arg(long, value_enum, default_value_t = ImmobileArg::Loss)]
    pub(crate) immobile: ImmobileArg,
    /// Senet: the throw to answer for
    #[arg(long, value_name = "N")]
    pub(crate) throw: Option<u8>,
}

impl Asked {
    pub(crate) fn query(&self) -> Query {
        Query {
            game: self.game,
            position: self.position.clone(),
            play: self.play.clone(),
            immobile: self.immobile.into(),
            throw: self.throw,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ImmobileArg {
    /// He loses.
    Loss,
    /// He passes.
    Pass,
}

impl From<ImmobileArg> for Immobile {
    fn from(immobile: ImmobileArg) -> Self {
        match immobile {
            ImmobileArg::Loss => Self::Loss,
            ImmobileArg::Pass => Self::Pass,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PieArg {
    /// Move first, or choose the colour.
    Marquisian,
    /// Move first with the colour of choice, or take the bait.
    Bait,
}

impl From<PieArg> for Pie {
    fn from(pie: PieArg) -> Self {
        match pie {
            PieArg::Marquisian => Self::Marquisian,
            PieArg::Bait => Self::Bait,
        }
    }
}

/// Where tables are.
#[derive(Clone, Debug, Args)]
pub(crate) struct Tables {
    /// A folder of tables; may be repeated [default: tablebases, if there is such a folder]
    #[arg(long = "tables", value_name = "DIR", env = "MARQUIS_TABLES", value_delimiter = ':')]
    pub(crate) folders: Vec<PathBuf>,
}

impl Tables {
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        if self.folders.is_empty() { vec![PathBuf::from("tablebases")] } else { self.folders.clone() }
    }
}

/// What the work may use; without a limit it goes on until it is done or Ctrl-C.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Seconds, such as 10 or 0.5
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// Positions that a search expands
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Memory, such as 512MiB or 8GiB; a bare number is GiB
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<MemorySize>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.seconds,
            nodes: self.nodes,
            threads: self.threads.map(usize::from),
            memory: self.memory,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) asked: Asked,
    #[command(flatten)]
    pub(crate) tables: Tables,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Write the proof to this file
    #[arg(long, value_name = "FILE", conflicts_with = "use_proof")]
    pub(crate) proof: Option<PathBuf>,
    /// Answer inside this proof without a search; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) use_proof: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Balance {
    /// swish or squeeze
    #[arg(value_parser = game)]
    pub(crate) game: GameId,
    /// The set-up: a board text without a player to move
    pub(crate) board: String,
    /// Beads beside the board; only with --pie bait
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) bait: u16,
    /// How Player Two chooses
    #[arg(long, value_enum, default_value_t = PieArg::Marquisian)]
    pub(crate) pie: PieArg,
    /// The number of beads that wins [default: the majority of all]
    #[arg(long, value_name = "T")]
    pub(crate) target: Option<u16>,
    /// Go on until both colours are decided
    #[arg(long)]
    pub(crate) both: bool,
    /// What happens to a player who cannot move
    #[arg(long, value_enum, default_value_t = ImmobileArg::Loss)]
    pub(crate) immobile: ImmobileArg,
    #[command(flatten)]
    pub(crate) tables: Tables,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Write the proofs to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Design {
    /// swish or squeeze
    #[arg(value_parser = game)]
    pub(crate) game: GameId,
    /// Cells along an edge
    #[arg(long, default_value_t = 3)]
    pub(crate) side: u8,
    /// Rooks a colour
    #[arg(long, default_value_t = 2)]
    pub(crate) rooks: u8,
    /// Beads on the board
    #[arg(long, default_value_t = 3)]
    pub(crate) beads: u8,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many set-ups are tried
    #[arg(long, default_value_t = 20)]
    pub(crate) tries: u32,
    /// How many are kept
    #[arg(long, default_value_t = 3)]
    pub(crate) keep: usize,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// squish or flowish
    #[arg(value_parser = game)]
    pub(crate) game: GameId,
    /// Cells along an edge
    #[arg(long)]
    pub(crate) side: Option<u8>,
    /// Pieces of both sides, such as 3v3: that layer and all that it leads to
    #[arg(long, value_name = "AvB", requires = "side")]
    pub(crate) pieces: Option<String>,
    /// All layers that can be reached from this position
    #[arg(long, value_name = "POSITION", conflicts_with = "side")]
    pub(crate) from: Option<String>,
    /// Where the tables go
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Go on with an interrupted build; finished layers are kept with and without it
    #[arg(long)]
    pub(crate) resume: bool,
    /// Say what would be built, in layers, positions, memory and disk, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Claims {
    /// The game
    #[arg(value_parser = game)]
    pub(crate) game: GameId,
    /// Cells along an edge
    #[arg(long)]
    pub(crate) side: Option<u8>,
    /// Squinch: files, ranks and rows of checkers, such as 3x3
    #[arg(long, conflicts_with = "side")]
    pub(crate) size: Option<String>,
    /// Everything reachable from this position instead of the start
    #[arg(long, conflicts_with_all = ["side", "size"])]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen [default: 127.0.0.1:8017]
    #[arg(long, value_name = "ADDR", env = "MARQUIS_BIND")]
    pub(crate) bind: Option<String>,
    /// A folder of tables; may be repeated [default: tablebases]
    #[arg(long = "tables", value_name = "DIR", env = "MARQUIS_TABLES", value_delimiter = ':')]
    pub(crate) tables: Vec<PathBuf>,
    /// Where jobs are kept
    #[arg(long, value_name = "DIR", env = "MARQUIS_STATE")]
    pub(crate) state: Option<PathBuf>,
    /// A configuration file as --print-config writes it
    #[arg(long, value_name = "FILE", env = "MARQUIS_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Memory of all searches together, such as 8GiB
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<MemorySize>,
    /// Serve even without tables instead of building the starter set
    #[arg(long)]
    pub(crate) no_starter: bool,
    /// Print the configuration and exit
    #[arg(long)]
    pub(crate) print_config: bool,
}

fn game(text: &str) -> Result<GameId, String> {
    text.parse().map_err(|error: marquis_engine::TextError| error.to_string())
}

fn memory(text: &str) -> Result<MemorySize, String> {
    text.parse().map_err(|error: marquis_engine::TextError| error.to_string())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || format!("expected a number of seconds, found `{text}`");
    let seconds: f64 = text.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}
