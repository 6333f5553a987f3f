//! Proof files: strategies for the positions that they are about, replayable by the rules alone.
//!
//! A file is a container of kind `proof`; its words name the game and the variant, and of a balance the
//! set-up, the pie and what Player Two should do. Its body is a list of claims: the position's text, then
//! the strategies that prove its bounds, each behind its length (four bytes, the low one first).

mod about;

use std::path::Path;

use marquis_core::{Bounds, Player};
use marquis_games::beads::Immobile;
use marquis_games::catalogue::{Asked, GameId, Playable};
use marquis_proof::checker::{Checked, Grounds, check_never_loses, check_win};
use marquis_proof::{Explorer, NoOracle, Oracle, Strategy};
use marquis_table::{Container, Limit, read_container, write_container};

use crate::EngineError;
use crate::dispatch::for_game;
use crate::facade::{Engine, file_error};
use crate::knowledge::{Proofs, Solvable};
use crate::reports::ProofReport;

pub(crate) use about::{About, AboutBalance};

const KIND: &str = "proof";
/// Larger bodies are refused before they are unpacked.
const MOST_BYTES: u64 = 4 << 30;
/// So are bodies that would be so many times as long as the file, which no strategy shrinks by.
const MOST_TIMES_PACKED: u64 = 1 << 10;

/// Writes the strategies of several positions of one game into one proof file; none where there are none.
///
/// * `immobile`: what happens to a player of Swish or Squeeze who cannot move; of no meaning elsewhere.
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
    game: GameId,
    about: About,
    claims: Vec<(Asked, Vec<Vec<u8>>)>,
}

fn read(file: &Path) -> Result<Read, EngineError> {
    let limit = Limit { bytes: MOST_BYTES, times_packed: Some(MOST_TIMES_PACKED) };
    let container = read_container(file, KIND, limit).map_err(|error| file_error(file, &error))?;
    decode(&container).ok_or_else(|| EngineError::File {
        path: file.to_owned(),
        message: "expected claims with positions and strategies, found something else; make the proof anew"
            .to_owned(),
    })
}

fn decode(container: &Container) -> Option<Read> {
    let game: GameId = container.get("game")?.parse().ok()?;
    let about = About::read(container)?;
    let mut rest = container.body.as_slice();
    let mut claims = Vec::new();
    while !rest.is_empty() {
        let text = std::str::from_utf8(part(&mut rest)?).ok()?;
        let &[count] = part(&mut rest)? else { return None };
        let strategies: Option<Vec<Vec<u8>>> =
            (0..count).map(|_| part(&mut rest).map(<[u8]>::to_vec)).collect();
        claims.push((Asked::parse(game, text, about.immobile).ok()?, strategies?));
    }
    (!claims.is_empty()).then_some(Read { game, about, claims })
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
pub fn check_proof(file: &Path) -> Result<ProofReport, EngineError> {
    let Read { game, about, claims } = read(file)?;
    let mut report = about.report(game);
    let mut proved = Vec::new();
    for (asked, strategies) in claims {
        let text = asked.text();
        let checked = for_game!(
            asked,
            |game, position| replay(&game, &position, &strategies)
                .map(|(bounds, all)| { (bounds, all.iter().map(|checked| checked.positions as u64).sum()) }),
            senet | _game,
            _position | Err("senet has no proofs".to_owned())
        );
        match checked {
            Ok((bounds, positions)) => {
                report.claims.push(about::claim(text.clone(), bounds, positions));
                proved.push((text, bounds));
            }
            Err(refusal) => {
                report.refused = Some(format!("{text}: {refusal}"));
                return Ok(report);
            }
        }
    }
    if let Err(refusal) = about.judge(game, &proved, &mut report) {
        report.refused = Some(refusal);
    }
    Ok(report)
}

/// Bounds, and the strategies that prove them.
type Replayed<G> = (Bounds, Vec<Checked<<G as marquis_core::Game>::Position>>);

/// What the strategies of a claim prove, and the strategies themselves; or why one is refused.
fn replay<G: Solvable>(
    game: &G,
    position: &G::Position,
    strategies: &[Vec<u8>],
) -> Result<Replayed<G>, String> {
    replay_with(game, position, strategies, &NoOracle)
}

/// The same with tables that lines may end on.
fn replay_with<G: Solvable>(
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
        for (asked, strategies) in read(file)?.claims {
            for_game!(
                asked,
                |game, position| self
                    .take_up(&game, &position, &strategies)
                    .map_err(|refusal| EngineError::Refuted(format!("{}: {refusal}", file.display())))?,
                senet | _game,
                _position | ()
            );
        }
        Ok(())
    }

    /// Replays strategies and takes them up.
    pub(crate) fn take_up<G: Solvable>(
        &self,
        game: &G,
        position: &G::Position,
        strategies: &[Vec<u8>],
    ) -> Result<(), String> {
        let (_, all) = replay_with(game, position, strategies, &self.knowledge(game))?;
        self.change_proofs(|proofs| {
            for checked in all {
                let weight = weight(&checked);
                game.clone().add_proof(Explorer::new(game.clone(), checked), weight, proofs);
            }
        });
        Ok(())
    }
}

/// Checks a proof file and takes its positions up.
pub(crate) fn load(file: &Path, proofs: &mut Proofs) -> Result<(), EngineError> {
    for (asked, strategies) in read(file)?.claims {
        for_game!(
            asked,
            |game, position| {
                let (_, all) = replay(&game, &position, &strategies)
                    .map_err(|refusal| EngineError::Refuted(format!("{}: {refusal}", file.display())))?;
                for checked in all {
                    let weight = weight(&checked);
                    game.add_proof(Explorer::new(game, checked), weight, proofs);
                }
            },
            senet | _game,
            _position | ()
        );
    }
    Ok(())
}
