//! Writes a record as text.

use std::fmt::{self, Write as _};

use crate::error::{Many, TextFault};
use crate::limits::{MOST_BYTES, MOST_HEADERS};
use crate::parts::{Comment, MoveSequence, Ply, RESULT, Record};

/// Width of the lines of moves, unless a word is longer.
const WIDTH: usize = 80;

impl Record {
    /// Checks that the written text can be read again: it may be longer than the text that was read.
    ///
    /// # Errors
    /// Too many headers, or too many bytes.
    pub fn check_size(&self) -> Result<(), TextFault> {
        if self.headers.len() > MOST_HEADERS {
            return Err(TextFault::TooMany(Many::Headers));
        }
        let mut length = Length(0);
        // Counting cannot fail.
        let _ = write!(length, "{self}");
        let Length(bytes) = length;
        if bytes > MOST_BYTES { Err(TextFault::TooLarge { bytes, most: MOST_BYTES }) } else { Ok(()) }
    }
}

/// Counts the bytes written to it.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
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
        let MoveSequence { comment, plies } = &self.line;
        if comment.is_none() && plies.is_empty() && self.outcome.is_none() {
            return Ok(());
        }
        if self.outcome.is_some() || !self.headers.is_empty() {
            writeln!(f)?;
        }
        let mut text = Wrapped { out: f, column: 0, before: String::new(), word: String::new() };
        text.line(&self.line, 0)?;
        if let Some(outcome) = self.outcome {
            text.word(outcome.text())?;
        }
        text.end()
    }
}

/// Words as lines, the last word held back because a bracket may close it.
struct Wrapped<'w, 'f> {
    out: &'w mut fmt::Formatter<'f>,
    /// The width of the current line.
    column: usize,
    /// Brackets that open the next word.
    before: String,
    /// The last word.
    word: String,
}

impl Wrapped<'_, '_> {
    /// The words of a line whose first move has this number, from 0.
    fn line(&mut self, own: &MoveSequence, first: usize) -> fmt::Result {
        self.comment(own.comment.as_ref())?;
        let mut is_apart = true;
        for (ply, Ply { mv, comment, variations }) in (first..).zip(&own.plies) {
            match (ply % 2 == 0, is_apart) {
                (true, _) => self.word(&format!("{}. {}", ply / 2 + 1, mv.as_str()))?,
                (false, true) => self.word(&format!("{}... {}", ply / 2 + 1, mv.as_str()))?,
                (false, false) => self.word(mv.as_str())?,
            }
            self.comment(comment.as_ref())?;
            for variation in variations {
                self.before.push('(');
                self.line(variation, ply)?;
                self.word.push(')');
            }
            is_apart = comment.is_some() || !variations.is_empty();
        }
        Ok(())
    }

    fn comment(&mut self, said: Option<&Comment>) -> fmt::Result {
        let Some(said) = said else { return Ok(()) };
        self.before.push('{');
        for word in said.as_str().split(' ') {
            self.word(word)?;
        }
        self.word.push('}');
        Ok(())
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        self.flush()?;
        self.word.push_str(&self.before);
        self.before.clear();
        self.word.push_str(word);
        Ok(())
    }

    /// Writes the word that is held back.
    fn flush(&mut self) -> fmt::Result {
        let length = self.word.chars().count();
        if length == 0 {
            return Ok(());
        }
        if self.column == 0 {
            self.column = length;
        } else if self.column + 1 + length <= WIDTH {
            self.out.write_str(" ")?;
            self.column += 1 + length;
        } else {
            writeln!(self.out)?;
            self.column = length;
        }
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }

    fn end(mut self) -> fmt::Result {
        self.flush()?;
        writeln!(self.out)
    }
}
