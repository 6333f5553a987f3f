//! What a proof file says about itself, in the words of its container, and what it proves, in sentences.

use marquis_core::{Bounds, Immobile, Player, Value};
use marquis_table::Container;

use crate::ask::choice::Choice;
use crate::ask::query::{BalanceQuery, Pie, Until};
use crate::ask::setups::LaidOut;
use crate::registry::Game;
use crate::wire::answer::PlayerTwo;
use crate::wire::bound_words;
use crate::wire::reports::{ProofReport, ProvedClaim};
use crate::{Posed, Registry};

/// What a proof is about beside its claims.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// What happens to a player who cannot move; of no meaning where nothing is agreed on that.
    pub(crate) immobile: Immobile,
    /// The set-up, where the proof is that of a balance; files of earlier versions do not say.
    pub(crate) balance: Option<AboutBalance>,
}

/// A set-up and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct AboutBalance {
    pub(crate) laid_out: LaidOut,
    pub(crate) pie: Pie,
    /// `choice` and `value` of Player Two, as the answer said them.
    pub(crate) said: [String; 2],
}

impl AboutBalance {
    /// What the answer says, as it is kept in the file.
    pub(crate) fn said(player_two: &PlayerTwo) -> [String; 2] {
        [player_two.choice.clone().unwrap_or_else(|| "none".to_owned()), player_two.value.clone()]
    }
}

impl About {
    /// The words of the container.
    pub(super) fn words(&self, game: marquis_core::GameId) -> Vec<(String, String)> {
        let mut words = vec![("game", game.name().to_owned()), ("immobile", self.immobile.name().to_owned())];
        if let Some(AboutBalance { laid_out, pie, said: [choice, value] }) = &self.balance {
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

    /// What the words say; nothing where they are not understood.
    pub(super) fn read(registry: &Registry, game: &Game, container: &Container) -> Option<Self> {
        let immobile = container.get("immobile")?.parse().ok()?;
        let Some(board) = container.get("board") else { return Some(Self { immobile, balance: None }) };
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
        Some(Self { immobile, balance: Some(AboutBalance { laid_out, pie, said }) })
    }

    /// The report of a file in which nothing is replayed yet.
    pub(super) fn report(&self, game: &Game) -> ProofReport {
        let (balance, agrees) = (self.balance.as_ref(), game.about().agrees_on_immobile);
        ProofReport {
            game: game.id().name().to_owned(),
            variant: agrees.then(|| format!("immobile={}", self.immobile.name())),
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
        &self,
        game: &Game,
        proved: &[(Posed, Bounds)],
        report: &mut ProofReport,
    ) -> Result<(), String> {
        let Some(about) = &self.balance else {
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
