//! Compares the header of a proof file with what its claims prove.

use marquis_core::Bounds;
use marquis_table::Container;

use crate::adapter::Posed;
use crate::files::proof::{AboutBalance, AboutProof, Said};
use crate::knowledge::proofs::Shown;
use crate::query::{BalanceQuery, Until};
use crate::registry::{GameEntry, Registry};
use crate::results::pie::FirstMovers;

/// Parses the header; `None` if it is not valid.
pub(super) fn about(registry: &Registry, game: &GameEntry, container: &Container) -> Option<AboutProof> {
    let immobile = container.get("immobile")?.parse().ok()?;
    let Some(board) = container.get("board") else { return Some(AboutProof { immobile, balance: None }) };
    let number = |name: &str| container.get(name)?.parse().ok();
    let pie = container.get("pie")?.parse().ok()?;
    let word = |name: &str| container.get(name).map(str::to_owned);
    let said = Said { choice: word("choice")?, value: word("value")? };
    let laid_out = registry.lay_out(&BalanceQuery {
        game: game.id(),
        board: board.to_owned(),
        bait: number("bait")?,
        pie,
        target: Some(number("target")?),
        immobile,
        until: Until::Choice,
    });
    let laid_out = laid_out.ok()?.laid_out().clone();
    Some(AboutProof { immobile, balance: Some(AboutBalance { laid_out, pie, said }) })
}

/// A claim that was replayed and holds.
pub(super) struct ReplayedClaim {
    pub(super) posed: Posed,
    pub(super) shown: Shown,
}

/// The judgement of a proof file.
pub(super) struct FileJudgement {
    pub(super) game: GameEntry,
    pub(super) about: AboutProof,
    /// The claims, up to the first that does not hold.
    pub(super) replayed: Vec<ReplayedClaim>,
    pub(super) conclusion: Result<Conclusion, FileRefusal>,
}

/// The conclusion from claims that hold.
pub(super) enum Conclusion {
    /// Only the claims themselves.
    Values,
    /// The value of moving first with each colour of a set-up.
    Balance(FirstMovers),
}

/// Why a proof is refused.
pub(super) enum FileRefusal {
    /// A strategy does not replay.
    Replay { posed: Posed, why: String },
    /// Every claim has unknown bounds.
    Nothing,
    /// The file is about a set-up, and a claim is about a position that the set-up does not begin with.
    Foreign(String),
    /// The header's claim about Player Two does not follow.
    Contradiction { follows: Said, said: Said },
}

/// The conclusion from the replayed claims, or a refusal if the header contradicts it.
pub(super) fn conclude(about: &AboutProof, replayed: &[ReplayedClaim]) -> Result<Conclusion, FileRefusal> {
    if replayed.iter().all(|claim| claim.shown.bounds == Bounds::UNKNOWN) {
        return Err(FileRefusal::Nothing);
    }
    let Some(about) = &about.balance else { return Ok(Conclusion::Values) };
    let firsts = &about.laid_out.firsts;
    let proved: Vec<(String, Bounds)> =
        replayed.iter().map(|claim| (claim.posed.text(), claim.shown.bounds)).collect();
    if let Some((other, _)) = proved.iter().find(|(text, _)| !firsts.contains(text)) {
        return Err(FileRefusal::Foreign(other.clone()));
    }
    let bounds = firsts.each_ref().map(|first| {
        let about = proved.iter().filter(|(text, _)| text == first);
        about.map(|(_, bounds)| *bounds).fold(Bounds::UNKNOWN, Bounds::and)
    });
    let movers = FirstMovers { pie: about.pie, bounds };
    let follows = movers.player_two().said();
    if about.said != follows {
        return Err(FileRefusal::Contradiction { follows, said: about.said.clone() });
    }
    Ok(Conclusion::Balance(movers))
}
