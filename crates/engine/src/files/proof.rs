//! Proof files: strategies for the positions that they are about, replayable by the rules alone.
//!
//! A file is a container of kind `proof`; its words name the game and the variant, and of a balance the
//! set-up, the pie and what Player Two should do. Its body is a list of claims: the position's text, then
//! the strategies that prove its bounds, each behind its length (four bytes, the low one first).

use std::path::Path;

use marquis_core::{GameId, Immobile, Playable};
use marquis_proof::Strategy;
use marquis_table::{Container, Limit, read_container, read_container_from, write_container};

use crate::EngineError;
use crate::error::FileError;
use crate::query::{LaidOut, Pie};

/// The header of a proof: its subject apart from the claims.
#[derive(Clone, Debug)]
pub(crate) struct AboutProof {
    /// The rule for a player who cannot move; meaningless in games without that choice.
    pub(crate) immobile: Immobile,
    /// The set-up, if the proof is that of a balance; missing in files of earlier versions.
    pub(crate) balance: Option<AboutBalance>,
}

/// A set-up and the claim about it.
#[derive(Clone, Debug)]
pub(crate) struct AboutBalance {
    pub(crate) laid_out: LaidOut,
    pub(crate) pie: Pie,
    pub(crate) said: Said,
}

/// The claim about Player Two, word for word: an answer's `choice`, or `none`, and its `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) choice: String,
    pub(crate) value: String,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "choice {}, value {}", self.choice, self.value)
    }
}

impl AboutProof {
    /// The text fields of the container.
    fn words(&self, game: GameId) -> Vec<(String, String)> {
        let mut words = vec![("game", game.name().to_owned()), ("immobile", self.immobile.name().to_owned())];
        if let Some(AboutBalance { laid_out, pie, said: Said { choice, value } }) = &self.balance {
            words.extend([
                ("board", laid_out.board.clone()),
                ("pie", pie.name().to_owned()),
                ("bait", laid_out.bait.to_string()),
                ("target", laid_out.target.to_string()),
                ("choice", choice.clone()),
                ("value", value.clone()),
            ]);
        }
        words.into_iter().map(|(name, word)| (name.to_owned(), word)).collect()
    }
}

const KIND: &str = "proof";
/// Larger bodies are refused before they are unpacked.
const MOST_BYTES: u64 = 4 << 30;
/// The largest ratio of a body to its file; no strategy compresses this well, so larger bodies are refused.
const MOST_TIMES_PACKED: u64 = 1 << 10;
const LIMIT: Limit = Limit { bytes: MOST_BYTES, times_packed: Some(MOST_TIMES_PACKED) };

/// Writes the strategies of several positions of one game into one proof file; writes no file if there are none.
///
/// * `immobile`: the rule for a player who cannot move; meaningless in games without that choice.
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
    write_claims(game, &AboutProof { immobile, balance: None }, claims, file).map(|_| ())
}

/// The same with a full header; returns whether there was anything to write.
pub(crate) fn write_claims<'a, G: Playable + 'a>(
    game: &G,
    about: &AboutProof,
    claims: impl Iterator<Item = (G::Position, &'a [Strategy<G>])>,
    file: &Path,
) -> Result<bool, EngineError> {
    let mut body = Vec::new();
    for (position, strategies) in claims.filter(|(_, strategies)| !strategies.is_empty()) {
        push(&mut body, game.position_text(&position).as_bytes());
        push(&mut body, &[strategies.len() as u8]);
        for strategy in strategies {
            push(&mut body, strategy.bytes());
        }
    }
    if body.is_empty() {
        return Ok(false);
    }
    write_container(file, KIND, &about.words(game.id()), &body)?;
    Ok(true)
}

fn push(body: &mut Vec<u8>, part: &[u8]) {
    body.extend_from_slice(&(part.len() as u32).to_le_bytes());
    body.extend_from_slice(part);
}

/// The text of a position, and the strategies that claim to prove its bounds.
pub(crate) type Claimed = (String, Vec<Vec<u8>>);

/// A parsed proof file: its header and its claims.
///
/// # Errors
/// The file cannot be read, or is not a proof file.
pub(crate) fn read_claims(file: &Path) -> Result<(Container, Vec<Claimed>), EngineError> {
    claimed(read_container(file, KIND, LIMIT)?, file)
}

/// The same for a file in memory.
///
/// * `file`: its name in errors.
///
/// # Errors
/// As [`read_claims`].
pub(crate) fn read_claims_of(bytes: &[u8], file: &Path) -> Result<(Container, Vec<Claimed>), EngineError> {
    let name = file.display().to_string();
    claimed(read_container_from(bytes, bytes.len() as u64, &name, KIND, LIMIT)?, file)
}

fn claimed(container: Container, file: &Path) -> Result<(Container, Vec<Claimed>), EngineError> {
    let claims = claims(&container.body).ok_or_else(|| no_claims(file))?;
    Ok((container, claims))
}

/// The error of a file whose claims cannot be parsed.
pub(crate) fn no_claims(file: &Path) -> EngineError {
    let expected = "claims with positions and strategies";
    FileError::unexpected(file, expected, "something else", "create the proof again").into()
}

fn claims(body: &[u8]) -> Option<Vec<Claimed>> {
    let mut rest = body;
    let mut claims = Vec::new();
    while !rest.is_empty() {
        let text = std::str::from_utf8(part(&mut rest)?).ok()?.to_owned();
        let &[count] = part(&mut rest)? else { return None };
        let strategies: Option<Vec<Vec<u8>>> =
            (0..count).map(|_| part(&mut rest).map(<[u8]>::to_vec)).collect();
        claims.push((text, strategies?));
    }
    (!claims.is_empty()).then_some(claims)
}

fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = after;
    Some(part)
}
