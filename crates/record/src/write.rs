//! Writes a record as text.

use std::fmt;

use crate::error::{Fault, Many};
use crate::limits::{MOST_BYTES, MOST_HEADERS};
use crate::parts::{Comment, Line, Ply, RESULT, Record};

/// Width of the lines of moves, unless a word is longer.
const WIDTH: usize = 80;

impl Record {
    /// Checks that the written text can be read again: it may be longer than the text that was read.
    ///
    /// # Errors
    /// Too many headers, or too many bytes.
    pub fn check_size(&self) -> Result<(), Fault> {
        if self.headers.len() > MOST_HEADERS {
            return Err(Fault::TooMany(Many::Headers));
        }
        let bytes = self.to_string().len();
        if bytes > MOST_BYTES { Err(Fault::TooLarge { bytes, most: MOST_BYTES }) } else { Ok(()) }
    }
}

impl fmt::Display for Record {
    /// Writes the text with a final line break; reading it gives the same record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for header in &self.headers {
            let value = header.value().replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{} \"{value}\"]", header.name())?;
        }
        if let Some(outcome) = self.outcome {
            writeln!(f, "[{RESULT} \"{}\"]", outcome.text())?;
        }
        let mut words = Vec::new();
        line(&self.line, 0, &mut words);
        words.extend(self.outcome.map(|outcome| outcome.text().to_owned()));
        if !words.is_empty() && (self.outcome.is_some() || !self.headers.is_empty()) {
            writeln!(f)?;
        }
        wrapped(&words, f)
    }
}

/// The words of a line whose first move has this number, from 0.
fn line(own: &Line, first: usize, words: &mut Vec<String>) {
    comment(own.comment.as_ref(), words);
    let mut is_apart = true;
    for (ply, Ply { mv, comment: said, variations }) in (first..).zip(&own.plies) {
        match (ply % 2 == 0, is_apart) {
            (true, _) => words.push(format!("{}. {}", ply / 2 + 1, mv.as_str())),
            (false, true) => words.push(format!("{}... {}", ply / 2 + 1, mv.as_str())),
            (false, false) => words.push(mv.as_str().to_owned()),
        }
        comment(said.as_ref(), words);
        for variation in variations {
            let begin = words.len();
            line(variation, ply, words);
            if let Some(word) = words.get_mut(begin) {
                word.insert(0, '(');
            }
            if let Some(word) = words.last_mut() {
                word.push(')');
            }
        }
        is_apart = said.is_some() || !variations.is_empty();
    }
}

fn comment(said: Option<&Comment>, words: &mut Vec<String>) {
    let Some(said) = said else { return };
    let text = format!("{{{}}}", said.as_str());
    words.extend(text.split(' ').map(str::to_owned));
}

/// Wraps the words into lines.
fn wrapped(words: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column == 0 {
            column = length;
        } else if column + 1 + length <= WIDTH {
            f.write_str(" ")?;
            column += 1 + length;
        } else {
            writeln!(f)?;
            column = length;
        }
        f.write_str(word)?;
    }
    if words.is_empty() { Ok(()) } else { writeln!(f) }
}
