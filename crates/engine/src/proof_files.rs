//! Proof files of all games: read, checked and loaded.

mod judge;
mod report;

use std::io::Write;
use std::path::Path;

use marquis_proof::checker::Foregone;
use marquis_table::Container;

use self::judge::{FileJudgement, FileRefusal, ReplayedClaim};
use crate::adapter::Posed;
use crate::error::Unsuited;
use crate::files::hint_files;
use crate::files::proof::{AboutProof, Claimed, no_claims, read_claims, read_claims_of};
use crate::knowledge::proofs::{AnyProof, Proofs};
use crate::query::Query;
use crate::registry::{GameEntry, Registry};
use crate::{Control, EngineError, Limits};
use marquis_wire::reports::ProofReport;

/// A proof file, read but not yet believed.
pub(crate) struct Read {
    game: GameEntry,
    about: AboutProof,
    pub(crate) claims: Vec<(Posed, Vec<Vec<u8>>)>,
}

/// Reads a proof file.
///
/// # Errors
/// The file cannot be read, or is not a proof file of these games.
pub(crate) fn read(registry: &Registry, file: &Path) -> Result<Read, EngineError> {
    posed(registry, file, read_claims(file)?)
}

fn posed(
    registry: &Registry,
    file: &Path,
    (container, claims): (Container, Vec<Claimed>),
) -> Result<Read, EngineError> {
    let posed = || {
        let game = registry.game(container.get("game")?).ok()?;
        let about = judge::about(registry, game, &container)?;
        let pose = |(text, strategies)| {
            let query = Query { immobile: about.immobile, ..Query::new(game.id(), text) };
            Some((registry.pose(&query).ok()?, strategies))
        };
        let claims: Option<Vec<_>> = claims.into_iter().map(pose).collect();
        Some(Read { game: game.clone(), claims: claims?, about })
    };
    posed().ok_or_else(|| no_claims(file))
}

/// Replays every strategy of a proof file by the rules alone; lines that end by a theorem are played to the end.
///
/// The file's claim about a balance is not trusted either: it must follow from the replayed claims.
///
/// # Errors
/// The file cannot be read or is not a proof file. A proof that does not hold is a report, not an error.
pub fn check_proof(registry: &Registry, file: &Path) -> Result<ProofReport, EngineError> {
    check_proof_within(registry, file, Foregone::PlayedOn, &Limits::default())
}

/// The same within the memory and the disk of these limits.
///
/// * `foregone`: how to treat lines that end by a theorem of the game.
///
/// # Errors
/// As [`check_proof`]; [`EngineError::LimitReached`] if the proof fits neither.
pub fn check_proof_within(
    registry: &Registry,
    file: &Path,
    foregone: Foregone,
    limits: &Limits,
) -> Result<ProofReport, EngineError> {
    Ok(judged(read(registry, file)?, foregone, limits)?.report())
}

fn judged(
    Read { game, about, claims }: Read,
    foregone: Foregone,
    limits: &Limits,
) -> Result<FileJudgement, EngineError> {
    let mut replayed = Vec::new();
    for (posed, strategies) in claims {
        match posed.provable(Unsuited::ProofFile)?.replay(&strategies, foregone, limits) {
            Ok(shown) => replayed.push(ReplayedClaim { posed, shown }),
            Err(EngineError::Refuted(why)) => {
                let conclusion = Err(FileRefusal::Replay { posed, why });
                return Ok(FileJudgement { game, about, replayed, conclusion });
            }
            Err(error) => return Err(error),
        }
    }
    let conclusion = judge::conclude(&about, &replayed);
    Ok(FileJudgement { game, about, replayed, conclusion })
}

/// Writes the proof of a file as hints: a list of positions that a checker reads once, without searching and without
/// knowing the order in which this program lists moves.
///
/// Where a theorem ends a line, all further moves of the winner follow. `tablebases/FORMAT.md` describes the text.
///
/// # Errors
/// The file cannot be read or is not a proof file; its proof does not hold; the hints exceed the memory of the limits;
/// `out` cannot be written; an interruption.
pub fn write_hints(
    registry: &Registry,
    file: &Path,
    out: &mut dyn Write,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<(), EngineError> {
    let Read { game, about, claims } = read(registry, file)?;
    let mut head = format!("{}\ngame {}\n", hint_files::HEAD, game.id());
    if game.has_set_ups() {
        head.push_str(&format!("immobile {}\n", about.immobile.name()));
    }
    out.write_all(head.as_bytes()).map_err(hint_files::unwritten)?;
    for (posed, strategies) in claims {
        posed.provable(Unsuited::ProofFile)?.write_hints(&strategies, out, limits, control)?;
    }
    out.flush().map_err(hint_files::unwritten)
}

/// The error of a file whose proof does not hold.
pub(crate) fn refuted(file: &Path, refusal: &str) -> EngineError {
    EngineError::Refuted(format!("{}: {refusal}", file.display()))
}

/// Checks a proof file and loads its positions.
pub(crate) fn load(registry: &Registry, file: &Path, proofs: &mut Proofs) -> Result<(), EngineError> {
    proofs.extend(explored(file, read(registry, file)?)?);
    Ok(())
}

/// The proofs of a file in memory, checked by the rules alone.
///
/// * `name`: its name in errors.
///
/// # Errors
/// It is not a proof file of these games, or does not hold.
pub(crate) fn opened(registry: &Registry, name: &str, bytes: &[u8]) -> Result<Vec<AnyProof>, EngineError> {
    let file = Path::new(name);
    explored(file, posed(registry, file, read_claims_of(bytes, file)?)?)
}

fn explored(file: &Path, read: Read) -> Result<Vec<AnyProof>, EngineError> {
    let mut kept = Vec::new();
    for (posed, strategies) in read.claims {
        let explored = posed.provable(Unsuited::ProofFile)?.explore(None, &strategies);
        kept.extend(explored.map_err(|refusal| refuted(file, &refusal))?);
    }
    Ok(kept)
}
