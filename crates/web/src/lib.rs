//! The engine in a browser, for pages without a server.
//!
//! There are no files and only one thread. A script fetches proofs and ranges of tables when a question needs them.
//! Everything else is the engine of the command line and the service: the same question with the same number of
//! positions has the same answer. `.ci/web` builds it, and `api/assets/worker.js` calls it, off the thread that draws
//! the page.
//!
//! Zstandard is read and not written (`table/src/pack/no_zstd.rs`). The build starts no optional threads, and rayon
//! works on the calling thread. The clock is the browser's (`web-time`).
//!
//! Exponentials come from `libm` and random numbers from a named generator, as on all machines, since those of
//! systems differ.
//!
//! `api/assets/worker.js` runs the engine in a separate worker, whose policy alone allows WebAssembly. `offline.js` chooses between server and browser, and `sw.js` caches the page for
//! use without a network.
#![forbid(unsafe_code)]

mod long;
mod offline;
mod questions;
mod tables;
#[cfg(test)]
mod tests;

use std::ops::Range;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

/// The engine, with the networks that come with the program.
#[wasm_bindgen]
pub struct Search(offline::OfflineEngine);

#[wasm_bindgen]
impl Search {
    /// An engine before its first question.
    ///
    /// # Errors
    /// None in practice: the networks come with the program.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Search, JsError> {
        Ok(Self(offline::OfflineEngine::open()?))
    }

    /// The answer about a position, as JSON in the form of `GET /v1/{game}`.
    ///
    /// * `question`: JSON of `game` and the parameters of that call, all as texts: `position`, and as wanted `throw`,
    ///   `budget_ms`, `nodes`, `play`, `immobile`, `line`, `level`, `seed`.
    ///
    /// # Errors
    /// The question is malformed or wrong, with the reason as text.
    pub fn ask(&self, question: &str) -> Result<String, JsError> {
        Ok(self.0.ask(question)?)
    }

    /// The review of a game, as JSON in the form of `POST /v1/{game}/review`.
    ///
    /// * `question`: JSON of `game` and the fields of that call: `record`, and as wanted `move_ms`, `nodes`.
    /// * `tell`: receives the name and the data of each event of such a job, as the service sends them.
    ///
    /// # Errors
    /// The question is malformed or wrong, with the reason as text.
    pub fn review(&self, question: &str, tell: &Function) -> Result<String, JsError> {
        Ok(self.0.review(question, &teller(tell))?)
    }

    /// The balance of a set-up, as JSON in the form of `POST /v1/{game}/balance`; undecided if a limit is reached.
    ///
    /// * `question`: JSON of `game` and the fields of that call: `board`, and as wanted `bait`, `pie`, `target`,
    ///   `immobile`, `both`, `limit_ms`; also `nodes`.
    /// * `tell`: as for [`Search::review`].
    ///
    /// # Errors
    /// The question is malformed or wrong, with the reason as text.
    pub fn balance(&self, question: &str, tell: &Function) -> Result<String, JsError> {
        Ok(self.0.balance(question, &teller(tell))?)
    }

    /// The proof files that would help to answer a question and are not loaded yet, as a JSON array of names.
    ///
    /// * `call`: the function that the question is for: `ask`, `review` or `balance`.
    ///
    /// # Errors
    /// The question is malformed or wrong, with the reason as text.
    pub fn proofs(&self, call: &str, question: &str) -> Result<String, JsError> {
        Ok(self.0.proofs(call, question)?)
    }

    /// Opens tables of a service for later questions; those that cannot be used are left out.
    ///
    /// * `address`: the address of the tables, for errors.
    /// * `listed`: a JSON list of `file`, `bytes` and `checksum` of each.
    /// * `read(file, begin, end)`: the bytes of a range of a file, at once; it throws if there are none.
    ///
    /// # Errors
    /// The list is malformed, or no table can be read.
    pub fn open_tables(&self, address: &str, listed: &str, read: Function) -> Result<(), JsError> {
        Ok(self.0.open_tables(address, listed, Box::new(reader(read)))?)
    }

    /// Adds a proof file of this name; empty `bytes` mean that no such file exists.
    ///
    /// # Errors
    /// The file is not valid, with the reason as text; the search works without it.
    pub fn add_proof(&self, name: &str, bytes: &[u8]) -> Result<(), JsError> {
        Ok(self.0.add_proof(name, (!bytes.is_empty()).then_some(bytes))?)
    }

    /// The legal moves of a position, as JSON in the shape of `GET /v1/{game}/moves`.
    ///
    /// * `question`: JSON of `game` and the parameters of that call, all as texts: `position`, and as wanted `throw`,
    ///   `play`, `immobile`, `from`, `to`.
    ///
    /// # Errors
    /// The question is malformed or wrong, with the reason as text.
    pub fn moves(&self, question: &str) -> Result<String, JsError> {
        Ok(self.0.moves(question)?)
    }

    /// The game of a record, move by move with every position, as JSON in the shape of `POST /v1/{game}/record`.
    ///
    /// # Errors
    /// The record is wrong, with the reason and the place.
    pub fn record(&self, game: &str, text: &str) -> Result<String, JsError> {
        Ok(self.0.record(game, text)?)
    }
}

/// Passes events to a script.
fn teller(tell: &Function) -> impl Fn(&str, &str) + Send + Sync {
    move |name, data| {
        // A script that fails loses only the event.
        let _ = tell.call2(&JsValue::NULL, &name.into(), &data.into());
    }
}

/// Reads a range of a file by a script.
fn reader(read: Function) -> impl Fn(&str, Range<u64>) -> Result<Vec<u8>, String> + Send + Sync {
    move |path, range| {
        // A script has numbers of 53 bits, more than any table has bytes.
        let [begin, end] = [range.start, range.end].map(|at| JsValue::from_f64(at as f64));
        let bytes = read.call3(&JsValue::NULL, &path.into(), &begin, &end);
        let bytes = bytes.map_err(|error| js_sys::Error::from(error).to_string())?;
        Ok(Uint8Array::new(&bytes).to_vec())
    }
}
