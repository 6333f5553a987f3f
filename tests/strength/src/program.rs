//! A program that is called for every move: `PROGRAM solve GAME POSITION --json`, whose list starts with the best
//! move.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use marquis_core::Notation;
use marquis_play::arena::{Choice, Contestant};

/// A Marquis of any version, which plays the first move of its list.
#[derive(Clone, Debug)]
pub struct Program {
    /// The path of the program.
    pub path: PathBuf,
    /// The name of the game.
    pub game: &'static str,
    /// Positions per search, on one thread.
    pub nodes: u64,
}

impl Program {
    /// The text of the first move of the answer.
    ///
    /// Panics if the program cannot be run or its answer is invalid, because a match cannot continue then.
    fn first_move(&self, position: &str) -> String {
        let nodes = self.nodes.to_string();
        let arguments = ["solve", self.game, position, "--threads", "1", "--nodes", &nodes, "--json"];
        let output = Command::new(&self.path).args(arguments).stderr(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{} {}: {error}", self.path.display(), arguments.join(" ")));
        let mv = answer["moves"][0]["move"].as_str();
        mv.unwrap_or_else(|| panic!("an answer with a move, found {answer}")).to_owned()
    }
}

impl<G: Notation> Contestant<G> for Program {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &G, _: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let text = self.first_move(&game.position_text(position));
        let mv = game.parse_move(position, &text);
        let mv = mv.unwrap_or_else(|error| panic!("a legal move, found {text}: {error}"));
        Choice { mv, proved: None, expected: None }
    }
}
