//! `marquis generate`

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use marquis_cluster::{Peers, Rank, Ranks};
use marquis_core::GameId;
use marquis_engine::tables::NumberedBuild;
use marquis_engine::{BuildQuery, ChanceCells, Control, GameEntry, WrittenLayers};
use marquis_wire::reports::{
    BuildEstimate, BuildPlan, BuildReport, EstimatedPart, PlannedBundle, PlannedLayer, PlannedStrips,
    TableInfo,
};
use serde::Serialize;

use crate::arguments::{ImmobileArgs, MachineArgs, TABLES_FOLDER, seconds};
use crate::building::ProgressFile;
use crate::columns::TextTable;
use crate::exit::{CommandEnd, CommandFailure};
use crate::games::{self, registry};
use crate::log::LogArgs;
use crate::numbers::{SMALL, number};
use crate::output::{self, Format};
use crate::progress::{watched, watched_and_noted};
use crate::value_texts::{bytes, count, duration, plural};
use crate::{interrupt, ranks};

#[derive(Args, Debug)]
#[command(after_help = after_help("\
Examples:
  marquis generate squish --side 3 --out tablebases
  marquis generate flowish --side 4 --pieces 3v3 --dry-run
  marquis generate senet --pieces 3v3
  marquis generate squinch --from start:4x4
  marquis generate swish --from w1w/4/1ooo1/4/b1b --out tablebases
  marquis generate squish --from \"2w1/5/bb2wb/2w4/b5/5/w3 w\" --out tablebases

"))]
pub(crate) struct Generate {
    /// Which game
    #[arg(value_parser = games::parser())]
    game: GameId,
    /// Cells along an edge
    #[arg(long, value_name = "N", value_parser = number::<u8>(SMALL), required_unless_present_any = ["from", "pieces"])]
    side: Option<u8>,
    /// Pieces per side, such as 3v3; for swish and squeeze rooks
    #[arg(long, value_name = "IvJ")]
    pieces: Option<String>,
    /// For swish and squeeze: the number of beads, in any placement
    #[arg(long, value_name = "K", value_parser = number::<u8>(SMALL), requires = "pieces")]
    beads: Option<u8>,
    /// A position text, a set-up, `start` or `start:SIZE`
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["side", "pieces", "beads"])]
    from: Option<String>,
    /// Folder for the tables
    #[arg(long, value_name = "DIR", default_value = TABLES_FOLDER)]
    out: PathBuf,
    /// Only resume a build that was started in this folder; finished layers are kept in any case
    #[arg(long)]
    resume: bool,
    /// Write a checkpoint of a large layer after each interval of this many seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    checkpoint: Duration,
    /// For senet: bytes per chance, 4 (error 1e-6; 2e-6 with five pieces) or 2 (error 1e-5)
    #[arg(long, value_name = "N", value_enum, default_value = "4")]
    bytes: ChanceBytes,
    /// Leave out layers that a probe can compute from the others, one ply ahead; probes are slower. Reduces the disk
    /// space to 55% for squish and flowish, and for a small set-up to 83% for swish and 72% for squeeze
    #[arg(long)]
    half: bool,
    #[command(flatten)]
    immobile: ImmobileArgs,
    /// Only print layers, slots, memory, disk space and a time estimate from a trial of one second
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    log: LogArgs,
}

/// Examples, and the possible builds of each game.
fn after_help(examples: &str) -> String {
    let mut text = examples.to_owned();
    let mut games: Vec<&GameEntry> = registry().games().collect();
    while let Some(&first) = games.first() {
        let builds = first.about().builds;
        let (alike, others) = games.into_iter().partition(|game| game.about().builds == builds);
        let alike: Vec<&GameEntry> = alike;
        let names: Vec<&str> = alike.iter().map(|game| game.id().name()).collect();
        text = format!("{text}Possible builds for {}:\n{builds}\n\n", names.join(" and "));
        games = others;
    }
    text + RESUMED
}

const RESUMED: &str = "Finished layers are kept: the same command resumes a stopped build.";

/// How a file holds chances.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ChanceBytes {
    #[value(name = "2")]
    Two,
    #[value(name = "4")]
    Four,
}

impl From<ChanceBytes> for ChanceCells {
    fn from(bytes: ChanceBytes) -> Self {
        match bytes {
            ChanceBytes::Two => Self::TwoBytes,
            ChanceBytes::Four => Self::FourBytes,
        }
    }
}

impl Generate {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        if self.dry_run {
            return self.estimate(format);
        }
        ranks::among(
            |peers| if peers.rank() == Rank::FIRST { self.build(peers, format) } else { self.help(peers) },
        )
    }

    fn query(&self) -> Result<BuildQuery, CommandFailure> {
        Ok(BuildQuery {
            side: self.side,
            pieces: self.pieces.clone(),
            from: self.from.clone(),
            beads: self.beads,
            immobile: self.immobile.choice(self.game)?,
            chances: self.bytes.into(),
            extent: if self.half { WrittenLayers::Half } else { WrittenLayers::Whole },
            ..BuildQuery::new(self.game)
        })
    }

    /// The build, ready to start.
    fn prepared(&self) -> Result<(NumberedBuild<'_>, BuildPlan), CommandFailure> {
        let build = NumberedBuild::new(registry(), &self.query()?, &self.out, self.checkpoint)?;
        let plan = build.plan()?;
        if self.resume && !build.is_begun() {
            return Err(self.nothing_to_resume(&plan));
        }
        Ok((build, plan))
    }

    /// Prints the result of `--dry-run`, once if a launcher started several processes.
    fn estimate(&self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let (build, plan) = self.prepared()?;
        self.warn(&plan);
        let limits = self.machine.limits();
        let methods = build.methods(&limits)?;
        let strips = strips_of(&methods);
        let estimate = watched(|control| build.estimate(&limits, control))?;
        output::answer(&DryRun { plan, methods, strips, estimate }, format, say_dry_run)?;
        Ok(CommandEnd::Answered)
    }

    /// Builds and reports; alone, or as the first of several ranks.
    fn build(&self, peers: &dyn Peers, format: Format) -> Result<CommandEnd, CommandFailure> {
        let prepared = self.log.open().and_then(|()| self.prepared());
        let (build, plan) = ranks::together(peers, prepared)?;
        let is_alone = peers.ranks() == Ranks::ONE;
        if is_alone {
            self.warn(&plan);
        }
        self.announce(&plan);
        if is_alone {
            say_strips(&strips_of(&build.methods(&self.machine.limits())?)).lines().for_each(output::remark);
        }
        let keeper = ProgressFile::new(&self.out, &plan);
        let (limits, asked) = (self.machine.limits(), self.asked());
        let report = watched_and_noted(
            |progress| keeper.note(progress),
            |control| build.run_among(&limits, control, ranks::team(peers, &asked)),
        )?;
        keeper.finished();
        output::answer(&report, format, say_report)?;
        Ok(CommandEnd::Answered)
    }

    /// Builds with other ranks; the first rank reports.
    fn help(&self, peers: &dyn Peers) -> Result<CommandEnd, CommandFailure> {
        let (build, _) = ranks::together(peers, self.prepared())?;
        let control = Control::new(interrupt::flag(), |_| {});
        build.run_among(&self.machine.limits(), &control, ranks::team(peers, &self.asked()))?;
        Ok(CommandEnd::Answered)
    }

    /// The requested build, for other ranks to compare with theirs.
    fn asked(&self) -> String {
        let Self { game, side, pieces, beads, from, bytes, half, .. } = self;
        let mut asked = game.name().to_owned();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                asked += &format!(" --{name} {value}");
            }
        };
        add("side", side.map(|side| side.to_string()));
        add("pieces", pieces.clone());
        add("beads", beads.map(|beads| beads.to_string()));
        add("from", from.clone());
        add("bytes", bytes.to_possible_value().map(|value| value.get_name().to_owned()));
        add("half", half.then(String::new));
        asked
    }

    fn warn(&self, plan: &BuildPlan) {
        let limits = self.machine.limits();
        if plan.least_memory_bytes > limits.memory_bytes() {
            let (needed, limit) = (bytes(plan.least_memory_bytes), bytes(limits.memory_bytes()));
            output::remark(&format!(
                "warning: this build needs {needed} of memory, and the limit is {limit}"
            ));
        }
    }

    fn nothing_to_resume(&self, plan: &BuildPlan) -> CommandFailure {
        let BuildPlan { game, variant, .. } = plan;
        let out = self.out.display();
        CommandFailure::bad_input(format!(
            "--resume: expected a build of {game} {variant} that was started in {out}, found none; \
             leave it out to start one, or name the folder with --out"
        ))
    }

    /// Prints the plan before the build starts.
    fn announce(&self, plan: &BuildPlan) {
        output::remark(&summary(plan));
        plan.outlook.iter().for_each(|line| output::remark(line));
        let finished = plan.layers.iter().filter(|layer| layer.finished).count();
        if finished > 0 {
            let layers = plural(finished as u64, "layer is", "layers are");
            output::remark(&format!("{finished} {layers} finished already and kept"));
        }
    }
}

fn summary(plan: &BuildPlan) -> String {
    let BuildPlan { game, variant, layers, .. } = plan;
    let number = layers.len();
    format!(
        "{game} {variant}: {number} {}, {} slots, {} of memory, about {} on disk",
        plural(number as u64, "layer", "layers"),
        count(plan.slots),
        bytes(plan.memory_bytes),
        bytes(plan.disk_bytes),
    )
}

/// The planned build, and an estimate of its time.
#[derive(Serialize)]
struct DryRun {
    #[serde(flatten)]
    plan: BuildPlan,
    /// How each bundle of layers is solved.
    methods: Vec<PlannedBundle>,
    /// Layers that do not fit into memory.
    strips: Vec<PlannedStrips>,
    /// `None` if the trial does not get far enough.
    estimate: Option<BuildEstimate>,
}

/// The layers that do not fit into memory.
fn strips_of(methods: &[PlannedBundle]) -> Vec<PlannedStrips> {
    methods.iter().filter_map(|bundle| bundle.strips.clone()).collect()
}

fn say_dry_run(DryRun { plan, methods, strips, estimate }: &DryRun) -> String {
    let time = match estimate {
        None => "no time estimate: a trial of one second covers too little\n".to_owned(),
        Some(estimate) => say_estimate(estimate),
    };
    say_plan(plan, methods) + &say_strips(strips) + &time
}

/// The estimate of the whole build, then its parts, if there are several.
fn say_estimate(estimate: &BuildEstimate) -> String {
    let BuildEstimate { seconds, parts, trial_layer, trial_layers, trial_slots, trial_seconds, .. } =
        estimate;
    let others = match trial_layers - 1 {
        0 => String::new(),
        more => format!(" and {more} other {}", plural(more as u64, "layer", "layers")),
    };
    let trial =
        format!("{trial_layer}{others}, {} slots, took {trial_seconds:.2} s just now", count(*trial_slots));
    let total = format!("about {}, an estimate", duration(*seconds));
    if parts.iter().all(|part| part.by_trial) {
        return format!("{total}: {trial}\n");
    }
    let part = |part: &EstimatedPart| {
        let (layers, seconds) = (part.layers.len(), duration(part.seconds));
        if part.by_trial {
            let layers = format!("{layers} other {}", plural(layers as u64, "layer", "layers"));
            format!("  {seconds} for {layers}: {trial}\n")
        } else {
            format!("  {seconds} for {}, by the time of similar layers\n", part.layers.join(" and "))
        }
    };
    format!("{total}:\n{}", parts.iter().map(part).collect::<String>())
}

/// The layers that do not fit into memory, one line each.
fn say_strips(strips: &[PlannedStrips]) -> String {
    let line = |PlannedStrips { layers, strips, memory_bytes, disk_bytes }: &PlannedStrips| {
        let (number, memory, disk) = (count(*strips), bytes(*memory_bytes), bytes(*disk_bytes));
        let layers = layers.join(" and ");
        let strips = plural(*strips, "strip", "strips");
        format!(
            "{layers}: solved in {number} {strips} on disk, with {memory} of memory besides the layers below and about {disk} of temporary disk space\n"
        )
    };
    strips.iter().map(line).collect()
}

/// Beyond this number of layers only the largest are listed for a reader.
const LISTED: usize = 40;

fn say_plan(plan: &BuildPlan, methods: &[PlannedBundle]) -> String {
    let mut table = TextTable::new(&["layer", ">slots", "method", "passes", ">memory", "finished"]);
    let of_layer: HashMap<&str, &PlannedBundle> = methods
        .iter()
        .flat_map(|bundle| bundle.layers.iter().map(move |layer| (layer.as_str(), bundle)))
        .collect();
    let mut layers: Vec<&PlannedLayer> = plan.layers.iter().collect();
    let mut rest = String::new();
    if layers.len() > LISTED {
        layers.sort_by_key(|layer| std::cmp::Reverse(layer.slots));
        let smaller = layers.split_off(LISTED);
        let slots = smaller.iter().map(|layer| layer.slots).sum();
        let finished = smaller.iter().filter(|layer| layer.finished).count();
        rest = format!(
            "and {} smaller layers with {} slots, {finished} of them finished; --json lists all\n",
            smaller.len(),
            count(slots)
        );
    }
    for layer in layers {
        let finished = if layer.finished { "yes" } else { "" };
        let (method, passes, memory) =
            of_layer.get(layer.layer.as_str()).map_or_else(Default::default, |bundle| {
                (bundle.method.to_string(), bundle.passes.to_string(), bytes(bundle.memory_bytes))
            });
        table.row([layer.layer.clone(), count(layer.slots), method, passes, memory, finished.to_owned()]);
    }
    let outlook: String = plan.outlook.iter().map(|line| format!("{line}\n")).collect();
    table.render() + &rest + "\n" + &summary(plan) + "\n" + &outlook
}

fn say_report(report: &BuildReport) -> String {
    let built = report.tables.len() - report.kept.min(report.tables.len());
    let total = report.tables.iter().map(|table| table.bytes).sum();
    format!(
        "{}\n{built} built, {} kept, {} on disk, {:.1} s\n",
        say_tables(&report.tables),
        report.kept,
        bytes(total),
        report.seconds
    )
}

/// The tables for a reader, one a line.
pub(super) fn say_tables(tables: &[TableInfo]) -> String {
    let headings =
        [">layer", ">positions", ">wins", ">draws", ">losses", ">longest win", ">bytes", "file", "checksum"];
    let mut table = TextTable::new(&headings);
    for info in tables {
        let checksum: String = info.checksum.chars().take(16).collect();
        table.row([
            info.layer.clone(),
            count(info.positions),
            count(info.wins),
            count(info.draws),
            count(info.losses),
            info.longest_win.to_string(),
            count(info.bytes),
            info.file.clone(),
            checksum,
        ]);
    }
    table.render()
}
