//! The engine in a browser: what the page asks where no server answers.
//!
//! There are no files, no tables and one thread here, and proofs are fetched when a question needs them; everything else is the engine of the command line and the service, so
//! that the same question with the same number of positions has the same answer.
//! `.ci/web` builds it, and `api/assets/worker.js` calls it, off the thread that draws the page.
#![forbid(unsafe_code)]

mod asked;

use wasm_bindgen::prelude::*;

/// The engine, with the networks that come with the program.
#[wasm_bindgen]
pub struct Search(asked::Asked);

#[wasm_bindgen]
impl Search {
    /// An engine that was asked nothing yet.
    ///
    /// # Errors
    /// None in practice: the networks come with the program.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Search, JsError> {
        Ok(Self(asked::Asked::open()?))
    }

    /// The answer about a position, as JSON in the shape of `GET /v1/{game}`.
    ///
    /// * `question`: JSON of `game` and the parameters of that call, all as texts: `position`, and as wanted `throw`,
    ///   `budget_ms`, `nodes`, `play`, `immobile`, `line`, `level`, `seed`.
    ///
    /// # Errors
    /// What is wrong with the question, in words.
    pub fn ask(&self, question: &str) -> Result<String, JsError> {
        Ok(self.0.ask(question)?)
    }

    /// The proof files that would help to answer a question of [`Search::ask`] and are not here yet, as a JSON array of
    /// names.
    ///
    /// # Errors
    /// What is wrong with the question, in words.
    pub fn proofs(&self, question: &str) -> Result<String, JsError> {
        Ok(self.0.proofs(question)?)
    }

    /// Takes in a proof file of this name; without bytes there is none to be had.
    ///
    /// # Errors
    /// The file does not hold, in words; the search goes without it.
    pub fn add_proof(&self, name: &str, bytes: &[u8]) -> Result<(), JsError> {
        Ok(self.0.add_proof(name, (!bytes.is_empty()).then_some(bytes))?)
    }

    /// The legal moves of a position, as JSON in the shape of `GET /v1/{game}/moves`.
    ///
    /// * `question`: JSON of `game` and the parameters of that call, all as texts: `position`, and as wanted `throw`,
    ///   `play`, `immobile`, `from`, `to`.
    ///
    /// # Errors
    /// What is wrong with the question, in words.
    pub fn moves(&self, question: &str) -> Result<String, JsError> {
        Ok(self.0.moves(question)?)
    }

    /// The game of a record, move by move with every position, as JSON in the shape of `POST /v1/{game}/record`.
    ///
    /// # Errors
    /// What is wrong with the record, and where.
    pub fn record(&self, game: &str, text: &str) -> Result<String, JsError> {
        Ok(self.0.record(game, text)?)
    }
}
