//! Parses games from text.

use std::io::{self, BufReader, Read};
use std::str::Chars;

use crate::bytes::{Broken, Letters};
use crate::error::{Many, Open, ReadError, TextFault};
use crate::limits::{DEEPEST, MOST_BYTES, MOST_HEADERS, MOST_PLIES, MOST_VARIATIONS};
use crate::parts::{
    Comment, GameResult, Header, MoveSequence, MoveText, Ply, RESULT, Record, is_name, is_value,
};

/// A line and a column, from 1.
type Place = (usize, usize);

impl Record {
    /// Parses a text with exactly one game.
    ///
    /// # Errors
    /// The text is not a record; the error has the place, what was expected and what was found. Or it has more than
    /// one game.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        sized(text, MOST_BYTES)?;
        let mut reader = Reader::of(text);
        let record = reader.game()?;
        match reader.glance() {
            None => Ok(record),
            Some(_) => Err(TextFault::SecondGame.at(reader.place)),
        }
    }
}

/// Parses all games of a text, at least one.
///
/// # Errors
/// As [`Record::read`]; the limits apply to each game.
pub fn read_all(text: &str) -> Result<Vec<Record>, ReadError> {
    let mut reader = Reader::of(text);
    let mut records = vec![reader.game()?];
    while reader.glance().is_some() {
        records.push(reader.game()?);
    }
    Ok(records)
}

/// Parses the games of a byte stream one by one, holding only one at a time.
///
/// Expects at least one; nothing follows an error.
pub struct GameReader<R: Read> {
    reader: Reader<Letters<BufReader<R>>>,
    is_begun: bool,
    is_over: bool,
}

/// Why a game of a stream cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// It is not a record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The bytes cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<R: Read> GameReader<R> {
    /// Parses games from bytes in any encoding that [`decode`](crate::decode) supports.
    #[must_use]
    pub fn of(read: R) -> Self {
        let letters = Letters::of(BufReader::new(read));
        Self { reader: Reader::from(letters), is_begun: false, is_over: false }
    }

    /// The error in the next bytes, if any.
    fn broken(&mut self) -> Option<StreamError> {
        let place = self.reader.place;
        self.reader.letters.broken().map(|broken| match broken {
            Broken::NoText { offset } => TextFault::NoText { offset }.at(place).into(),
            Broken::Io(error) => error.into(),
        })
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<Record, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if !is_first && self.reader.glance().is_none() {
            self.is_over = true;
            return self.broken().map(Err);
        }
        let read = self.reader.game();
        self.is_over = read.is_err();
        // A decoding error explains a truncated game.
        Some(read.map_err(|error| self.broken().unwrap_or(error.into())))
    }
}

fn sized(text: &str, most: usize) -> Result<(), ReadError> {
    let bytes = text.len();
    if bytes > most { Err(TextFault::TooLarge { bytes, most }.at((1, 1))) } else { Ok(()) }
}

/// A cursor over characters.
struct Reader<I> {
    letters: I,
    /// The next character, if already read.
    ahead: Option<Option<char>>,
    /// The place of the next character.
    place: Place,
    /// The remaining limits of the game.
    bytes_left: usize,
    plies_left: usize,
    variations_left: usize,
}

/// The end of a line of moves.
enum End {
    /// `)`, a header or the end of the text, which comes next.
    Here,
    Result(GameResult, Place),
}

impl<'a> Reader<Chars<'a>> {
    fn of(text: &'a str) -> Self {
        Self::from(text.strip_prefix('\u{feff}').unwrap_or(text).chars())
    }
}

impl<I: Iterator<Item = char>> Reader<I> {
    fn from(letters: I) -> Self {
        Self { letters, ahead: None, place: (1, 1), bytes_left: 0, plies_left: 0, variations_left: 0 }
    }

    /// Takes a character of the game; `None` once its size limit is used up.
    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.bytes_left = self.bytes_left.saturating_sub(letter.len_utf8());
        self.skip()
    }

    /// Takes a character, in a game or between two.
    fn skip(&mut self) -> Option<char> {
        let letter = self.come()?;
        self.ahead = None;
        let (line, column) = self.place;
        self.place = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        Some(letter)
    }

    fn peek(&mut self) -> Option<char> {
        if self.bytes_left == 0 { None } else { self.come() }
    }

    /// Peeks at the next character.
    fn come(&mut self) -> Option<char> {
        let Self { letters, ahead, .. } = self;
        *ahead.get_or_insert_with(|| letters.next())
    }

    /// Skips white space, which has no limit, and peeks at the next character.
    fn glance(&mut self) -> Option<char> {
        while self.come().is_some_and(char::is_whitespace) {
            self.skip();
        }
        self.come()
    }

    fn while_it<T: Extend<char> + Default>(&mut self, holds: impl Fn(char) -> bool) -> T {
        let mut taken = T::default();
        while let Some(letter) = self.peek().filter(|&letter| holds(letter)) {
            taken.extend([letter]);
            self.next();
        }
        taken
    }

    /// The next game.
    fn game(&mut self) -> Result<Record, ReadError> {
        if self.glance().is_none() {
            return Err(TextFault::Empty.at(self.place));
        }
        let begun = self.place;
        self.bytes_left = MOST_BYTES + 1;
        let read = self.game_from(begun);
        if self.bytes_left == 0 {
            return Err(TextFault::TooLarge { bytes: MOST_BYTES + 1, most: MOST_BYTES }.at(begun));
        }
        read
    }

    fn game_from(&mut self, begun: Place) -> Result<Record, ReadError> {
        self.plies_left = MOST_PLIES;
        self.variations_left = MOST_VARIATIONS;
        let since = begun.0;
        let (headers, told) = self.headers()?;
        let (line, end) = self.line(0, 0)?;
        let outcome = match (told, end) {
            (Some(_), End::Here) => {
                return Err(TextFault::CutShort { open: Open::Game, since }.at(self.place));
            }
            (Some(told), End::Result(end, place)) if told != end => {
                let (header, end) = (told.text(), end.text());
                return Err(TextFault::OtherResult { header, end }.at(place));
            }
            (_, End::Result(end, _)) => Some(end),
            (None, End::Here) => None,
        };
        let record = Record { headers, line, outcome };
        record.check_size().map_err(|fault| fault.at(begun))?;
        match self.glance() {
            None | Some('[') if record == Record::default() => Err(TextFault::Empty.at(self.place)),
            None | Some('[') => Ok(record),
            Some(_) => {
                let place = self.place;
                let word = self.word();
                Err(TextFault::AfterTheEnd(word).at(place))
            }
        }
    }

    /// The headers, and the result if one of them has it.
    fn headers(&mut self) -> Result<(Vec<Header>, Option<GameResult>), ReadError> {
        let mut headers: Vec<Header> = Vec::new();
        let mut told = None;
        while self.glance() == Some('[') {
            let place = self.place;
            let (name, value, at) = self.header()?;
            if name == RESULT {
                let outcome = GameResult::of(&value).ok_or_else(|| TextFault::NoResult(value).at(at))?;
                if told.replace(outcome).is_some() {
                    return Err(TextFault::Repeated(name).at(place));
                }
                continue;
            }
            if headers.len() == MOST_HEADERS {
                return Err(TextFault::TooMany(Many::Headers).at(place));
            }
            if headers.iter().any(|header| header.name() == name) {
                return Err(TextFault::Repeated(name).at(place));
            }
            let expected = "a value of at most 4096 characters without control characters";
            let header = Header::new(&name, &value);
            headers.push(header.ok_or_else(|| TextFault::Header { expected, found: value }.at(at))?);
        }
        Ok((headers, told))
    }

    /// Name, value and the place of the value of the header that starts here.
    fn header(&mut self) -> Result<(String, String, Place), ReadError> {
        let since = self.place.0;
        let cut = |reader: &Self| TextFault::CutShort { open: Open::Header, since }.at(reader.place);
        self.next();
        self.glance();
        let place = self.place;
        let name: String = self.while_it(|letter| !letter.is_whitespace() && !"\"[]".contains(letter));
        if self.glance().is_none() {
            return Err(cut(self));
        }
        if !is_name(&name) {
            let expected = "a name of at most 64 letters, digits and `_`";
            return Err(TextFault::Header { expected, found: name }.at(place));
        }
        self.expect('"', "a `\"` before what the header says", since)?;
        let at = self.place;
        let mut value = String::new();
        loop {
            match self.next().ok_or_else(|| cut(self))? {
                '"' => break,
                '\\' => value.push(self.next().ok_or_else(|| cut(self))?),
                '\n' => {
                    let expected = "a `\"` after what the header says, in the same line";
                    return Err(TextFault::Header { expected, found: value }.at(at));
                }
                letter => value.push(letter),
            }
        }
        if !is_value(&value) {
            let expected = "a value of at most 4096 characters without control characters";
            return Err(TextFault::Header { expected, found: value }.at(at));
        }
        self.expect(']', "a `]` after the header", since)?;
        Ok((name, value, at))
    }

    /// Takes a delimiter of a header that started in line `since`.
    fn expect(&mut self, sign: char, expected: &'static str, since: usize) -> Result<(), ReadError> {
        match self.glance() {
            Some(found) if found == sign => {
                self.next();
                Ok(())
            }
            Some(found) => Err(TextFault::Header { expected, found: found.to_string() }.at(self.place)),
            None => Err(TextFault::CutShort { open: Open::Header, since }.at(self.place)),
        }
    }

    /// The moves from here on.
    ///
    /// * `first`: the number of the first one, from 0.
    /// * `depth`: the number of enclosing variations.
    fn line(&mut self, first: usize, depth: usize) -> Result<(MoveSequence, End), ReadError> {
        let mut line = MoveSequence::default();
        loop {
            let next = first + line.plies.len();
            match self.glance() {
                None | Some('[') => return Ok((line, End::Here)),
                Some(')') if depth > 0 => return Ok((line, End::Here)),
                Some(')') => return Err(TextFault::NotOpen.at(self.place)),
                Some('{') => {
                    let said = self.comment()?;
                    let place = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
                    *place = Comment::and(place.take(), said);
                }
                Some('(') => {
                    let place = self.place;
                    let Some(before) = line.plies.last_mut() else {
                        return Err(TextFault::NothingToVary('(').at(place));
                    };
                    before.variations.push(self.variation(next - 1, depth + 1)?);
                }
                Some(_) => {
                    if let Some(end) = self.step(next, depth, &mut line)? {
                        return Ok((line, end));
                    }
                }
            }
        }
    }

    /// Takes a number, a move or the result.
    ///
    /// * `next`: the number of the next move, from 0.
    /// * Result: the end of the line, if the word is the result.
    fn step(&mut self, next: usize, depth: usize, line: &mut MoveSequence) -> Result<Option<End>, ReadError> {
        let place = self.place;
        let word = self.word();
        if depth == 0
            && let Some(outcome) = GameResult::of(&word)
        {
            return Ok(Some(End::Result(outcome, place)));
        }
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let dots = word[digits..].len() - word[digits..].trim_start_matches('.').len();
        let (number, mv) = word.split_at(if digits > 0 && dots > 0 { digits + dots } else { 0 });
        if !number.is_empty() {
            let expected = next / 2 + 1;
            if number[..digits].parse() != Ok(expected) {
                let expected = format!("{expected}{}", if next.is_multiple_of(2) { "." } else { "..." });
                return Err(TextFault::Number { expected, found: number.to_owned() }.at(place));
            }
            if mv.is_empty() {
                return Ok(None);
            }
        }
        let mv = MoveText::new(mv).ok_or_else(|| TextFault::NoMove(word.clone()).at(place))?;
        self.plies_left = self.plies_left.checked_sub(1).ok_or(TextFault::TooMany(Many::Plies).at(place))?;
        line.plies.push(Ply::new(mv));
        Ok(None)
    }

    /// The text up to white space or a delimiter.
    fn word(&mut self) -> String {
        let word: String = self.while_it(|letter| !letter.is_whitespace() && !"{}()[]".contains(letter));
        if word.is_empty() { self.next().into_iter().collect() } else { word }
    }

    fn comment(&mut self) -> Result<Option<Comment>, ReadError> {
        let (place, since) = (self.place, self.place.0);
        self.next();
        let text: String = self.while_it(|letter| letter != '}');
        if self.next().is_none() {
            return Err(TextFault::CutShort { open: Open::Comment, since }.at(self.place));
        }
        let is_blank = text.chars().all(char::is_whitespace);
        match Comment::new(&text) {
            None if !is_blank => Err(TextFault::NoMove(text).at(place)),
            said => Ok(said),
        }
    }

    fn variation(&mut self, first: usize, depth: usize) -> Result<MoveSequence, ReadError> {
        let (place, since) = (self.place, self.place.0);
        if depth > DEEPEST {
            return Err(TextFault::TooDeep.at(place));
        }
        let left = self.variations_left.checked_sub(1);
        self.variations_left = left.ok_or(TextFault::TooMany(Many::Variations).at(place))?;
        self.next();
        let (line, _) = self.line(first, depth)?;
        match self.next() {
            Some(')') if line.plies.is_empty() => Err(TextFault::EmptyVariation.at(place)),
            Some(')') => Ok(line),
            _ => Err(TextFault::CutShort { open: Open::Variation, since }.at(self.place)),
        }
    }
}
