//! Set-ups that are hard for Player Two, found one by one.

use std::cell::RefCell;
use std::time::Duration;

use marquis_engine::{DesignKind, DesignQuery, DesignSearch, Find, Limits, Registry};
use marquis_wire::answer::Balance;
use marquis_wire::reports::{Designed, ProofFile};
use serde::{Deserialize, Serialize};

use super::{JobContext, JobResult, JobWork};
use crate::faults::without_damaged;
use crate::identity::JobId;
use crate::params;
use crate::problem::Problem;
use crate::proof_files::{ProofAt, ProofFiles};

/// Which set-ups to look for, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct DesignQuestion {
    /// The game.
    pub(crate) game: String,
    /// Cells along an edge; omitted if they are those of `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<u8>,
    /// Rooks per colour; omitted if they are those of `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rooks: Option<u8>,
    /// Beads on the board; omitted if they are those of `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beads: Option<u8>,
    /// The maximum number of rooks per colour, if it is not the minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_rooks: Option<u8>,
    /// The maximum number of beads, if it is not the minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_beads: Option<u8>,
    /// The board to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The number of its pieces that are moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<u8>,
    /// Only difficulties above this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) harder_than: Option<u8>,
    /// Only difficulties below this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) easier_than: Option<u8>,
    /// The arrangement of the pieces: `random` or `point-symmetric`.
    pub(crate) layout: String,
    /// How Player Two chooses: `marquisian` or `bait`.
    pub(crate) pie: String,
    /// The random seed.
    pub(crate) seed: u64,
    /// The number of set-ups to try.
    pub(crate) tries: u32,
    /// The number of set-ups to keep, the hardest first.
    pub(crate) keep: u32,
    /// Milliseconds for each tried set-up.
    pub(crate) set_up_ms: u64,
    /// The maximum number of positions to look at for each tried set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
}

impl DesignQuestion {
    pub(super) fn id(&self) -> JobId {
        let Self { game, layout, pie, seed, tries, keep, set_up_ms, .. } = self;
        let number = |number: Option<u8>| number.map_or(String::new(), |number| number.to_string());
        let [side, rooks, beads] = [self.side, self.rooks, self.beads].map(number);
        let nodes = self.nodes.map_or(String::new(), |nodes| format!("-{nodes}"));
        let range = self.range_text();
        JobId(format!(
            "{game}-design-{side}-{rooks}-{beads}{range}-{layout}-{pie}-{seed}-{tries}-{keep}-{set_up_ms}{nodes}"
        ))
    }

    /// The part of the id about the range of set-ups; empty without one.
    fn range_text(&self) -> String {
        let named = [
            ("r", self.max_rooks),
            ("b", self.max_beads),
            ("c", self.change),
            ("h", self.harder_than),
            ("e", self.easier_than),
        ];
        let named = named.into_iter().filter_map(|(name, number)| Some(format!("-{name}{}", number?)));
        let from = self.from.iter().map(|from| format!("-{}", from.replace('/', ".")));
        from.chain(named).collect()
    }

    /// The question for the façade.
    ///
    /// # Errors
    /// An unknown game, layout or pie.
    fn query(&self, registry: &Registry) -> Result<DesignQuery, Problem> {
        let (layout, pie) = (params::layout(Some(&self.layout))?, params::pie(Some(&self.pie))?);
        let (game, keep) = (params::game(registry, &self.game)?.id(), self.keep as usize);
        let kind = DesignKind {
            side: self.side,
            rooks: self.rooks,
            beads: self.beads,
            max_rooks: self.max_rooks,
            max_beads: self.max_beads,
            layout,
            from: self.from.clone(),
            change: self.change,
            harder_than: self.harder_than,
            easier_than: self.easier_than,
        };
        Ok(DesignQuery { game, kind, pie, seed: self.seed, tries: self.tries, keep })
    }

    pub(super) fn read(&self, registry: &Registry) -> Result<Designing, Problem> {
        let query = self.query(registry)?;
        registry.check_design(&query)?;
        let (time, nodes) = (Duration::from_millis(self.set_up_ms), self.nodes);
        Ok(Designing { game: self.game.clone(), query, time, nodes })
    }
}

/// The result of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Designs {
    /// The game.
    pub(crate) game: String,
    /// The number of set-ups tried.
    pub(crate) tried: u32,
    /// Whether all set-ups were tried.
    pub(crate) complete: bool,
    /// The hardest of the set-ups with a proved verdict, the hardest first.
    pub(crate) designs: Vec<FindDocument>,
}

/// A set-up that is hard for Player Two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct FindDocument {
    /// The number of the tried set-up, from 1.
    pub(crate) number: u32,
    /// The canonical board text.
    pub(crate) board: String,
    /// Its difficulty rating, 0 if nobody can win.
    pub(crate) score: f64,
    /// Its balance, with verdict and difficulty.
    pub(crate) balance: Balance,
    /// The file with its proof; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<ProofAt>,
    /// Whether the file proves everything that the verdict depends on.
    pub(crate) proved: bool,
}

/// A design under way.
pub(super) struct Designing {
    game: String,
    query: DesignQuery,
    /// The time for each tried set-up.
    time: Duration,
    nodes: Option<u64>,
}

impl JobWork for Designing {
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem> {
        let limits = Limits { time: Some(self.time), nodes: self.nodes, ..desk.limits };
        let known = RefCell::new(match desk.earlier {
            Some(JobResult::Design(designs)) => designs.clone(),
            _ => Designs { game: self.game.clone(), tried: 0, complete: false, designs: Vec::new() },
        });
        let file = |number| desk.proofs.of_find(desk.id, number);
        // Results from before a table turned out to be damaged remain valid.
        let design = || {
            let Designs { tried, designs, .. } = known.borrow().clone();
            let kept = designs.iter().map(|find| found_earlier(find, desk.proofs, desk.id)).collect();
            let mut so_far = |tried: u32, kept: &[Find]| {
                let mut known = known.borrow_mut();
                known.tried = tried;
                known.designs = kept.iter().map(|find| told(find, desk.proofs, desk.id)).collect();
                (desk.so_far)(JobResult::Design(known.clone()));
            };
            let finder =
                DesignSearch { time: desk.limits.time, tried, kept, file: &file, so_far: &mut so_far };
            desk.engine.design_with_proofs(&self.query, &limits, desk.control, finder)
        };
        without_damaged(desk.engine, desk.faults, design)?;
        desk.proofs.make_room();
        let mut known = known.into_inner();
        known.complete = known.tried >= self.query.tries;
        Ok(JobResult::Design(known))
    }
}

fn told(find: &Find, proofs: &ProofFiles, id: &JobId) -> FindDocument {
    let Find { number, design: Designed { board, balance, score }, proof } = find;
    FindDocument {
        number: *number,
        board: board.clone(),
        score: *score,
        balance: balance.clone(),
        proof: proofs.at(id, Some(*number)),
        proved: proof.complete,
    }
}

fn found_earlier(find: &FindDocument, proofs: &ProofFiles, id: &JobId) -> Find {
    let FindDocument { number, board, score, balance, proof, proved } = find.clone();
    let file = proofs.of_find(id, number).display().to_string();
    let (written, missing) = (proof.is_some(), Vec::new());
    let proof = ProofFile { file, written, complete: proved, missing, failed: None };
    Find { number, design: Designed { board, balance, score }, proof }
}
