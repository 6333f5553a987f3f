//! Proof files: strategies for the positions that they are about, replayable by the rules alone.
//!
//! A file is a container of kind `proof`; its words name the game and the variant, and of a balance the
//! set-up, the pie and what Player Two should do. Its body is a list of claims: the position's text, then
//! the strategies that prove its bounds, each behind its length (four bytes, the low one first).

mod about;

use std::path::Path;

use marquis_core::{Bounds, Immobile, Playable, Player};
use marquis_proof::checker::{Checked, Grounds, check_never_loses, check_win};
use marquis_proof::{Explorer, NoOracle, Oracle, Strategy};
use marquis_table::{Container, Limit, read_container, write_container};

use crate::adapter::Posed;
use crate::facade::{Engine, file_error};
use crate::game::ExactGame;
use crate::know::knowledge::{Kept, Proofs};
use crate::registry::Game;
use crate::wire::reports::ProofReport;
use crate::{EngineError, Query, Registry};

pub(crate) use about::{About, AboutBalance};

const KIND: &str = "proof";
/// Larger bodies are refused before they are unpacked.
const MOST_BYTES: u64 = 4 << 30;
/// So are bodies that would be so many times as long as the file, which no strategy shrinks by.
const MOST_TIMES_PACKED: u64 = 1 << 10;

/// Writes the strategies of several positions of one game into one proof file; none where there are none.
///
/// * `immobile`: what happens to a player who cannot move; of no meaning where nothing is agreed on that.
///
/// # Errors
/// The file cannot be written.
pub fn write_proof<G: Playable>(
    game: &G,
    immobile: Immobile,
    claims: &[(G::Position, Vec<Strategy<G>>)],
    file: &Path,
) -> Result<(), EngineError> {
    let claims = claims.iter().map(|(position, strategies)| (*position, strategies.as_slice()));
    write_claims(game, &About { immobile, balance: None }, claims, file).map(|_| ())
}

/// The same with all that a file says about itself; whether there was anything to write.
pub(crate) fn write_claims<'a, G: Playable + 'a>(
    game: &G,
    about: &About,
    claims: impl Iterator<Item = (G::Position, &'a [Strategy<G>])>,
    file: &Path,
) -> Result<bool, EngineError> {
    let mut body = Vec::new();
    for (position, strategies) in claims.filter(|(_, strategies)| !strategies.is_empty()) {
        push(&mut body, game.position_text(&position).as_bytes());
        push(&mut body, &[strategies.len() as u8]);
        for strategy in strategies {
            push(&mut body, &strategy.to_bytes(game));
        }
    }
    if body.is_empty() {
        return Ok(false);
    }
    write_container(file, KIND, &about.words(game.id()), &body)
        .map(|()| true)
        .map_err(|error| file_error(file, &error))
}

fn push(body: &mut Vec<u8>, part: &[u8]) {
    body.extend_from_slice(&(part.len() as u32).to_le_bytes());
    body.extend_from_slice(part);
}

/// A proof file, read but not yet believed.
struct Read {
    game: Game,
    about: About,
    claims: Vec<(Posed, Vec<Vec<u8>>)>,
}

fn read(registry: &Registry, file: &Path) -> Result<Read, EngineError> {
    let limit = Limit { bytes: MOST_BYTES, times_packed: Some(MOST_TIMES_PACKED) };
    let container = read_container(file, KIND, limit).map_err(|error| file_error(file, &error))?;
    decode(registry, &container).ok_or_else(|| EngineError::File {
        path: file.to_owned(),
        message: "expected claims with positions and strategies, found something else; make the proof anew"
            .to_owned(),
    })
}

fn decode(registry: &Registry, container: &Container) -> Option<Read> {
    let game = registry.game(container.get("game")?).ok()?;
    let about = About::read(registry, game, container)?;
    let mut rest = container.body.as_slice();
    let mut claims = Vec::new();
    while !rest.is_empty() {
        let text = std::str::from_utf8(part(&mut rest)?).ok()?;
        let &[count] = part(&mut rest)? else { return None };
        let strategies: Option<Vec<Vec<u8>>> =
            (0..count).map(|_| part(&mut rest).map(<[u8]>::to_vec)).collect();
        let query = Query { immobile: about.immobile, ..Query::new(game.id(), text) };
        claims.push((registry.pose(&query).ok()?, strategies?));
    }
    (!claims.is_empty()).then_some(Read { game: game.clone(), about, claims })
}

fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = after;
    Some(part)
}

/// Replays every strategy of a proof file by the rules alone.
///
/// What the file says of a balance is not believed either: it must follow from what was replayed.
///
/// # Errors
/// The file cannot be read or is no proof file. A proof that does not hold is a report, not an error.
pub fn check_proof(registry: &Registry, file: &Path) -> Result<ProofReport, EngineError> {
    let Read { game, about, claims } = read(registry, file)?;
    let mut report = about.report(&game);
    let mut proved = Vec::new();
    for (posed, strategies) in claims {
        match posed.position().replay(&strategies) {
            Ok((bounds, positions)) => {
                report.claims.push(about::claim(posed.text(), bounds, positions));
                proved.push((posed, bounds));
            }
            Err(refusal) => {
                report.refused = Some(format!("{}: {refusal}", posed.text()));
                return Ok(report);
            }
        }
    }
    if let Err(refusal) = about.judge(&game, &proved, &mut report) {
        report.refused = Some(refusal);
    }
    Ok(report)
}

/// Bounds, and the strategies that prove them.
type Replayed<G> = (Bounds, Vec<Checked<<G as marquis_core::Game>::Position>>);

/// What the strategies of a claim prove, and the strategies themselves; or why one is refused.
pub(crate) fn replay<G: Playable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
) -> Result<Replayed<G>, String> {
    replay_with(game, position, strategies, &NoOracle)
}

/// The same with tables that lines may end on.
fn replay_with<G: Playable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
    oracle: &dyn Oracle<G>,
) -> Result<Replayed<G>, String> {
    let turn = game.turn(position);
    let mut bounds = Bounds::UNKNOWN;
    let mut all = Vec::new();
    for bytes in strategies {
        let holder =
            if bytes.first().is_some_and(|head| head & 1 == 1) { Player::Second } else { Player::First };
        let grounds = Grounds { oracle, stop: &|| false };
        let wins = bytes.first().is_some_and(|head| head >> 1 == 0);
        let checked = if wins {
            check_win(game, position, holder, bytes, grounds)
        } else {
            check_never_loses(game, position, holder, bytes, grounds)
        };
        let checked = checked.map_err(|refusal| refusal.to_string())?;
        let kind = if wins { marquis_proof::Kind::Win } else { marquis_proof::Kind::NeverLose };
        bounds = bounds.and(kind.bounds(holder, turn));
        all.push(checked);
    }
    Ok((bounds, all))
}

/// About the bytes that a checked strategy takes.
fn weight<P>(checked: &Checked<P>) -> u64 {
    /// Beside the position: its reply, its state, and the room that a hash table leaves.
    const BESIDE: usize = 24;
    (checked.positions * (size_of::<P>() + BESIDE)) as u64
}

impl Engine {
    /// Takes up a proof file: from now on positions inside it are answered without a search.
    ///
    /// The proof is replayed before it is believed, with the loaded tables where its lines end on them. Of
    /// many proofs the latest are kept, as many as [`EngineOptions::proof_bytes`](crate::EngineOptions) allows.
    ///
    /// # Errors
    /// The file cannot be read, is no proof file, or its proof does not hold.
    pub fn take_up_proof(&self, file: &Path) -> Result<(), EngineError> {
        for (posed, strategies) in read(self.registry(), file)?.claims {
            let explored = posed.position().explore(Some(self), &strategies);
            let explored = explored.map_err(|refusal| refuted(file, &refusal))?;
            self.change_proofs(|proofs| proofs.extend(explored));
        }
        Ok(())
    }

    /// Replays strategies and takes them up.
    pub(crate) fn take_up<G: ExactGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        strategies: &[Vec<u8>],
    ) -> Result<(), String> {
        let explored = explored::<G>(game, position, strategies, &self.knowledge::<G>(game))?;
        self.change_proofs(|proofs| proofs.extend(explored));
        Ok(())
    }
}

fn refuted(file: &Path, refusal: &str) -> EngineError {
    EngineError::Refuted(format!("{}: {refusal}", file.display()))
}

/// Proofs that hold, ready to be asked about the positions inside them.
///
/// * `oracle`: tables that their lines may end on.
pub(crate) fn explored<G: ExactGame>(
    game: &G::Rules,
    position: &G::Position,
    strategies: &[Vec<u8>],
    oracle: &dyn Oracle<G::Rules>,
) -> Result<Vec<Kept>, String> {
    let (_, all) = replay_with(game, position, strategies, oracle)?;
    let kept = |checked| {
        let weight = weight(&checked);
        Kept::new::<G>(game.clone(), Explorer::new(game.clone(), checked), weight)
    };
    Ok(all.into_iter().map(kept).collect())
}

/// Checks a proof file and takes its positions up.
pub(crate) fn load(registry: &Registry, file: &Path, proofs: &mut Proofs) -> Result<(), EngineError> {
    for (posed, strategies) in read(registry, file)?.claims {
        let explored = posed.position().explore(None, &strategies);
        proofs.extend(explored.map_err(|refusal| refuted(file, &refusal))?);
    }
    Ok(())
}
