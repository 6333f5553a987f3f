//! What a proof file says about itself, and what it proves, in sentences.

use marquis_core::{Bounds, Player, Value};
use marquis_table::Container;

use crate::adapter::Posed;
use crate::ask::choice::Choice;
use crate::files::proof::{About, AboutBalance};
use crate::query::{BalanceQuery, Until};
use crate::registry::{Game, Registry};
use crate::wire::reports::{ProofReport, ProvedClaim};
use crate::wire::words::bound_words;

/// What the words say; nothing where they are not understood.
pub(super) fn about(registry: &Registry, game: &Game, container: &Container) -> Option<About> {
    let immobile = container.get("immobile")?.parse().ok()?;
    let Some(board) = container.get("board") else { return Some(About { immobile, balance: None }) };
    let number = |name: &str| container.get(name)?.parse().ok();
    let pie = container.get("pie")?.parse().ok()?;
    let said = [container.get("choice")?.to_owned(), container.get("value")?.to_owned()];
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
    Some(About { immobile, balance: Some(AboutBalance { laid_out, pie, said }) })
}

/// The report of a file in which nothing is replayed yet.
pub(super) fn report(about: &About, game: &Game) -> ProofReport {
    let (balance, agrees) = (about.balance.as_ref(), game.about().agrees_on_immobile);
    ProofReport {
        game: game.id().name().to_owned(),
        variant: agrees.then(|| format!("immobile={}", about.immobile.name())),
        target: balance.map(|about| about.laid_out.target),
        pie: balance.map(|about| about.pie.name().to_owned()),
        bait: balance.map(|about| about.laid_out.bait),
        board: balance.map(|about| about.laid_out.board.clone()),
        claims: Vec::new(),
        player_two: None,
        proved: Vec::new(),
        refused: None,
    }
}

/// Adds what follows from claims that were replayed; an error where the file says something else.
pub(super) fn judge(
    about: &About,
    game: &Game,
    proved: &[(Posed, Bounds)],
    report: &mut ProofReport,
) -> Result<(), String> {
    let Some(about) = &about.balance else {
        report.target = proved.first().and_then(|(posed, _)| posed.position().target());
        report.proved = proved.iter().map(|(posed, bounds)| sentence(game, posed, *bounds)).collect();
        return Ok(());
    };
    let firsts = &about.laid_out.firsts;
    let proved: Vec<(String, Bounds)> =
        proved.iter().map(|(posed, bounds)| (posed.text(), *bounds)).collect();
    if let Some((other, _)) = proved.iter().find(|(text, _)| !firsts.contains(text)) {
        return Err(format!("{other}: expected a first position of the set-up, found another one"));
    }
    let bounds = firsts.each_ref().map(|first| {
        let about = proved.iter().filter(|(text, _)| text == first);
        about.map(|(_, bounds)| *bounds).fold(Bounds::UNKNOWN, Bounds::and)
    });
    let choice = Choice { pie: about.pie, bounds };
    let player_two = choice.player_two(game.letters());
    let found = AboutBalance::said(&player_two);
    if about.said != found {
        let words = |[choice, value]: &[String; 2]| format!("choice {choice}, value {value}");
        return Err(format!("expected what follows, {}, found {}", words(&found), words(&about.said)));
    }
    let movers = Player::BOTH.into_iter().zip(bounds).filter(|(_, bounds)| *bounds != Bounds::UNKNOWN);
    report.proved = movers.map(|(player, bounds)| mover_sentence(game, player, bounds)).collect();
    let balanced = choice.worth().value().map(|value| value == Value::Draw);
    report.proved.push(player_two.sentence(balanced));
    report.player_two = Some(player_two);
    Ok(())
}

/// A claim that was replayed.
pub(super) fn claim(position: String, bounds: Bounds, positions: u64) -> ProvedClaim {
    ProvedClaim { position, bounds: bound_words(bounds), positions }
}

/// What bounds say of a player.
const fn deed(bounds: Bounds) -> &'static str {
    match (bounds.worst, bounds.best) {
        (Value::Win, _) => "wins",
        (_, Value::Loss) => "loses",
        (Value::Draw, Value::Draw) => "draws: neither player can be beaten",
        (Value::Draw, Value::Win) => "cannot be beaten",
        (Value::Loss, Value::Draw) => "cannot win",
        (Value::Loss, Value::Win) => "may win or lose: nothing is proved",
    }
}

fn sentence(game: &Game, posed: &Posed, bounds: Bounds) -> String {
    let colour = game.colour(posed.position().turn());
    format!("{colour}, to move in {}, {}.", posed.text(), deed(bounds))
}

fn mover_sentence(game: &Game, player: Player, bounds: Bounds) -> String {
    format!("{}, if it moves first, {}.", game.colour(player), deed(bounds))
}
