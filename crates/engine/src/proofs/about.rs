//! What a proof file says about itself, in the words of its container, and what it proves, in sentences.

use marquis_core::{Bounds, Player, Value};
use marquis_games::beads::{BeadGame, Beads, Capture, Immobile, Leap, Pie, Sandwich, Setup};
use marquis_games::catalogue::GameId;
use marquis_table::Container;

use crate::answer::PlayerTwo;
use crate::choice::{Choice, pie_name};
use crate::reports::{ProofReport, ProvedClaim};

/// What a proof is about beside its claims.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// What happens to a player of Swish or Squeeze who cannot move; of no meaning elsewhere.
    pub(crate) immobile: Immobile,
    /// The set-up, where the proof is that of a balance; files of earlier versions do not say.
    pub(crate) balance: Option<AboutBalance>,
}

/// A set-up and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct AboutBalance {
    pub(crate) setup: Setup,
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

const fn immobile_name(immobile: Immobile) -> &'static str {
    match immobile {
        Immobile::Pass => "pass",
        Immobile::Loss => "loss",
    }
}

const fn has_beads(game: GameId) -> bool {
    matches!(game, GameId::Swish | GameId::Squeeze)
}

impl About {
    /// The words of the container.
    pub(super) fn words(&self, game: GameId) -> Vec<(String, String)> {
        let mut words =
            vec![("game", game.name().to_owned()), ("immobile", immobile_name(self.immobile).to_owned())];
        if let Some(AboutBalance { setup, pie, said: [choice, value] }) = &self.balance {
            words.extend([
                ("board", setup.text()),
                ("pie", pie_name(*pie).to_owned()),
                ("bait", setup.bait().0.to_string()),
                ("target", setup.target().0.to_string()),
                ("choice", choice.clone()),
                ("value", value.clone()),
            ]);
        }
        words.into_iter().map(|(name, word)| (name.to_owned(), word)).collect()
    }

    /// What the words say; nothing where they are not understood.
    pub(super) fn read(container: &Container) -> Option<Self> {
        let immobile = match container.get("immobile")? {
            "loss" => Immobile::Loss,
            "pass" => Immobile::Pass,
            _ => return None,
        };
        let Some(board) = container.get("board") else { return Some(Self { immobile, balance: None }) };
        let number = |name: &str| container.get(name)?.parse().ok().map(Beads);
        let setup = Setup::parse(board, number("bait")?, Some(number("target")?)).ok()?;
        let pie = match container.get("pie")? {
            "marquisian" => Pie::Marquisian,
            "bait" => Pie::Bait,
            _ => return None,
        };
        let said = [container.get("choice")?.to_owned(), container.get("value")?.to_owned()];
        Some(Self { immobile, balance: Some(AboutBalance { setup, pie, said }) })
    }

    /// The report of a file in which nothing is replayed yet.
    pub(super) fn report(&self, game: GameId) -> ProofReport {
        let balance = self.balance.as_ref();
        ProofReport {
            game: game.name().to_owned(),
            variant: has_beads(game).then(|| format!("immobile={}", immobile_name(self.immobile))),
            target: balance.map(|about| about.setup.target().0),
            pie: balance.map(|about| pie_name(about.pie).to_owned()),
            bait: balance.map(|about| about.setup.bait().0),
            board: balance.map(|about| about.setup.text()),
            claims: Vec::new(),
            player_two: None,
            proved: Vec::new(),
            refused: None,
        }
    }

    /// Adds what follows from claims that were replayed; an error where the file says something else.
    pub(super) fn judge(
        &self,
        game: GameId,
        proved: &[(String, Bounds)],
        report: &mut ProofReport,
    ) -> Result<(), String> {
        let Some(about) = &self.balance else {
            report.target = has_beads(game).then(|| target(&proved.first()?.0)).flatten();
            report.proved = proved.iter().map(|(text, bounds)| sentence(game, text, *bounds)).collect();
            return Ok(());
        };
        let firsts = Player::BOTH.map(|colour| match game {
            GameId::Swish => first_position::<Leap>(&about.setup, colour, self.immobile),
            _ => first_position::<Sandwich>(&about.setup, colour, self.immobile),
        });
        if let Some((other, _)) = proved.iter().find(|(text, _)| !firsts.contains(text)) {
            return Err(format!("{other}: expected a first position of the set-up, found another one"));
        }
        let bounds = firsts.each_ref().map(|first| {
            let about = proved.iter().filter(|(text, _)| text == first);
            about.map(|(_, bounds)| *bounds).fold(Bounds::UNKNOWN, Bounds::and)
        });
        let choice = Choice { pie: about.pie, bounds };
        let player_two = choice.player_two(game);
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

fn first_position<R: Capture>(setup: &Setup, colour: Player, immobile: Immobile) -> String {
    let (game, table) = setup.begin::<R>(colour, immobile);
    BeadGame::text(&game, &table)
}

/// The target in a position text of Swish or Squeeze.
fn target(text: &str) -> Option<u16> {
    text.rsplit(' ').next()?.parse().ok()
}

/// A claim that was replayed.
pub(super) fn claim(position: String, bounds: Bounds, positions: u64) -> ProvedClaim {
    let bounds = [bounds.worst.name().to_owned(), bounds.best.name().to_owned()];
    ProvedClaim { position, bounds, positions }
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

fn colour_of(letter: char) -> &'static str {
    match letter {
        'r' => "Red",
        'b' => "Black",
        _ => "White",
    }
}

fn sentence(game: GameId, text: &str, bounds: Bounds) -> String {
    let letters = game.letters();
    let turn = text.split(' ').nth(1).and_then(|turn| turn.chars().next()).unwrap_or(letters.first);
    format!("{}, to move in {text}, {}.", colour_of(turn), deed(bounds))
}

fn mover_sentence(game: GameId, player: Player, bounds: Bounds) -> String {
    format!("{}, if it moves first, {}.", colour_of(game.letters()[player]), deed(bounds))
}
