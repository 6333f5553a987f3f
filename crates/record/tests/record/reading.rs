//! Reads records, and refuses invalid texts.

use std::cell::Cell;
use std::io::{self, Read};

use marquis_record::{
    DEEPEST, GameReader, GameResult, MOST_BYTES, MOST_HEADERS, MOST_PLIES, MOST_VARIATIONS, Many, Open,
    ReadError, Record, StreamError, TextFault, decode, read_all,
};

fn read(text: &str) -> Record {
    Record::read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn refusal(text: &str) -> ReadError {
    Record::read(text).expect_err(text)
}

/// Checks place and error of a refused text.
fn refused(text: &str, place: (usize, usize), fault: &TextFault) {
    let error = refusal(text);
    assert_eq!(((error.line, error.column), &error.fault), (place, fault), "{text}");
}

#[test]
fn what_is_read_is_what_was_written() {
    let record = read(
        "[Game \"squish\"]\n[First \"A \\\"B\\\" \\\\\"]\n[Result \"0-1\"]\n\n\
         {Begin} 1. c4-c3 {one}  {two\n words} (1.c4-d4 {inner} (1. a1xb2) d1-d2 2. e1-e2) c1-c2\n2.pass 0-1\n",
    );
    assert_eq!(record.header("First"), Some("A \"B\" \\"));
    assert_eq!(record.header("Result"), None);
    assert_eq!(record.outcome, Some(GameResult::Second));
    assert_eq!(record.line.comment.as_ref().map(marquis_record::Comment::as_str), Some("Begin"));
    let moves: Vec<&str> = record.line.plies.iter().map(|ply| ply.mv.as_str()).collect();
    assert_eq!(moves, ["c4-c3", "c1-c2", "pass"]);
    let first = &record.line.plies[0];
    assert_eq!(first.comment.as_ref().map(marquis_record::Comment::as_str), Some("one two words"));
    let inner: Vec<&str> = first.variations[0].plies.iter().map(|ply| ply.mv.as_str()).collect();
    assert_eq!(inner, ["c4-d4", "d1-d2", "e1-e2"]);
    assert_eq!(first.variations[0].plies[0].variations[0].plies[0].mv.as_str(), "a1xb2");
}

#[test]
fn the_text_is_wrapped_and_numbered() {
    let record = read("[Game \"senet\"] 2:1-3 4:3-7 {a} 1:7-8 (6:8-14 1:pass) 3:2-5");
    assert_eq!(
        record.to_string(),
        "[Game \"senet\"]\n\n1. 2:1-3 4:3-7 {a} 2. 1:7-8 (2. 6:8-14 1:pass) 2... 3:2-5\n"
    );
    let long = read(&"a1-b2 ".repeat(40)).to_string();
    assert!(long.lines().all(|line| line.len() <= 80) && long.lines().count() > 3, "{long}");
}

#[test]
fn a_list_of_moves_alone_is_a_record() {
    let record = read("c4-c3 c1-c2\npass");
    assert_eq!((record.line.plies.len(), record.outcome), (3, None));
    assert_eq!(record.to_string(), "1. c4-c3 c1-c2 2. pass\n");
}

#[test]
fn a_text_cut_short_says_what_is_open_and_since_where() {
    let cut = |open, since| TextFault::CutShort { open, since };
    refused("", (1, 1), &TextFault::Empty);
    refused(" \n ", (2, 2), &TextFault::Empty);
    refused("[Game \"squ", (1, 11), &cut(Open::Header, 1));
    refused("[Game \"a\"]\n[Fi", (2, 4), &cut(Open::Header, 2));
    refused("1. a-b {so", (1, 11), &cut(Open::Comment, 1));
    refused("1. a-b\n(1. c-d", (2, 8), &cut(Open::Variation, 2));
    refused("[Result \"1-0\"]\n1. a-b", (2, 7), &cut(Open::Game, 1));
    let told = refusal("[Result \"1-0\"]\n1. a-b").to_string();
    assert!(told.contains("line 2, column 7") && told.contains("truncated"), "{told}");
}

#[test]
fn what_does_not_belong_there_is_named_with_its_place() {
    refused("1. a-b )", (1, 8), &TextFault::NotOpen);
    refused("(1. a-b)", (1, 1), &TextFault::NothingToVary('('));
    refused("1. a-b () c-d", (1, 8), &TextFault::EmptyVariation);
    refused("1. a-b c-d 3. e-f", (1, 12), &TextFault::Number { expected: "2.".into(), found: "3.".into() });
    refused(
        "1. a-b c-d 1... e-f",
        (1, 12),
        &TextFault::Number { expected: "2.".into(), found: "1...".into() },
    );
    refused("1. a-b ä", (1, 8), &TextFault::NoMove("ä".into()));
    refused("1. a-b 17", (1, 8), &TextFault::NoMove("17".into()));
    refused("1. a-b }", (1, 8), &TextFault::NoMove("}".into()));
    refused("1. a-b (1. c-d 1-0)", (1, 16), &TextFault::NoMove("1-0".into()));
    refused("1. a-b 1-0 c-d", (1, 12), &TextFault::AfterTheEnd("c-d".into()));
    refused("[A \"1\"]\n[A \"2\"]\n1. a-b", (2, 1), &TextFault::Repeated("A".into()));
    refused("[Result \"white\"] a-b *", (1, 10), &TextFault::NoResult("white".into()));
    refused("[Result \"1-0\"] a-b *", (1, 20), &TextFault::OtherResult { header: "1-0", end: "*" });
    refused("[A \"1\"] a-b * [A \"1\"] a-b *", (1, 15), &TextFault::SecondGame);
    assert!(matches!(refusal("[Ä \"x\"]").fault, TextFault::Header { .. }));
    assert!(matches!(refusal("[A x]").fault, TextFault::Header { .. }));
    assert!(matches!(refusal("[A \"x\ny\"]").fault, TextFault::Header { .. }));
    assert!(matches!(refusal(&format!("[A \"{}\"]", "x".repeat(5000))).fault, TextFault::Header { .. }));
}

#[test]
fn other_encodings_are_read_or_named() {
    assert!(decode(b"\xef\xbb\xbfa-b").is_ok_and(|text| text == "a-b"));
    assert!(decode(b"\xff\xfea\0-\0b\0").is_ok_and(|text| text == "a-b"));
    assert!(decode(b"\xfe\xff\0a\0-\0b").is_ok_and(|text| text == "a-b"));
    let place = |bytes: &[u8]| decode(bytes).map_err(|error| (error.line, error.column, error.fault));
    assert_eq!(place(b"a\0-\0b\0"), Err((1, 2, TextFault::NoText { offset: 1 })));
    assert_eq!(place(b"a-b\nc\xe4"), Err((2, 2, TextFault::NoText { offset: 5 })));
    assert_eq!(place(b"\xff\xfea\0-"), Err((1, 2, TextFault::NoText { offset: 4 })));
    assert_eq!(place(b"\xff\xfea\0\x00\xd8"), Err((1, 2, TextFault::NoText { offset: 4 })));
}

#[test]
fn bombs_are_refused_at_once() {
    let megabyte = "a-b ".repeat(MOST_BYTES / 4 + 1);
    assert!(matches!(refusal(&megabyte).fault, TextFault::TooLarge { .. }));
    let deep = "1. a-b ".to_owned() + &"(1. a-b ".repeat(100_000);
    assert_eq!(refusal(&deep).fault, TextFault::TooDeep);
    let wide = "1. a-b ".to_owned() + &"(a-b)".repeat(MOST_VARIATIONS + 1);
    assert_eq!(refusal(&wide).fault, TextFault::TooMany(Many::Variations));
    let long = "a-b ".repeat(MOST_PLIES + 1);
    assert_eq!(refusal(&long).fault, TextFault::TooMany(Many::Plies));
    let headers: String = (0..100).map(|number| format!("[H{number} \"\"]\n")).collect();
    assert_eq!(refusal(&headers).fault, TextFault::TooMany(Many::Headers));
    // Each is appended to the one before; copying all of them each time would take minutes.
    let comments = "{a}".repeat(MOST_BYTES);
    assert!(matches!(refusal(&comments).fault, TextFault::TooLarge { .. }));
}

#[test]
fn what_is_just_allowed_is_read() {
    let deep = "1. a-b ".to_owned() + &"(1. a-b ".repeat(DEEPEST) + &")".repeat(DEEPEST);
    let wide = "1. a-b ".to_owned() + &"(a-b)".repeat(MOST_VARIATIONS);
    for text in [deep, wide, "a-b ".repeat(MOST_PLIES)] {
        assert_eq!(Record::read(&read(&text).to_string()), Ok(read(&text)));
    }
}

#[test]
fn what_is_read_can_be_read_again_as_it_is_written() {
    // The result does not count as a header, wherever it is.
    let headers: String = (0..MOST_HEADERS).map(|number| format!("[H{number} \"\"]\n")).collect();
    let record = read(&format!("[Result \"*\"]\n{headers}a-b *"));
    assert_eq!(Record::read(&record.to_string()), Ok(record));
    // Move numbers and line breaks are added on writing.
    let moves = "a-b ".repeat(MOST_PLIES);
    let most = format!("{{{}}} {moves}", "c".repeat(MOST_BYTES - moves.len() - 3));
    assert_eq!(most.len(), MOST_BYTES);
    assert!(matches!(refusal(&most).fault, TextFault::TooLarge { bytes, most } if bytes > most));
}

#[test]
fn limits_hold_for_each_game_of_many() {
    let game = "[A \"1\"]\n".to_owned() + &"a-b ".repeat(MOST_PLIES) + "*\n";
    assert_eq!(read_all(&game.repeat(3)).map(|games| games.len()), Ok(3));
}

/// A generated stream that fails or ends after `most` bytes.
struct Stream<'a> {
    /// Repeated without end.
    text: &'a [u8],
    come: &'a Cell<u64>,
    most: u64,
    ends_well: bool,
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = (self.most - self.come.get()).min(into.len() as u64) as usize;
        if left == 0 && !self.ends_well {
            return Err(io::Error::other("the cable is out"));
        }
        for byte in &mut into[..left] {
            *byte = self.text[(self.come.get() % self.text.len() as u64) as usize];
            self.come.set(self.come.get() + 1);
        }
        Ok(left)
    }
}

#[test]
fn games_of_a_stream_are_those_of_its_text() {
    let text = "[A \"\u{e4}\"]\n1. a-b {\u{1f600}} (c-d) *\n\n[A \"2\"]\n\n*\n";
    let wide = |number: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(number).collect::<Vec<u8>>();
    let all = read_all(text).expect("two games");
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe".to_vec(), wide(u16::to_le_bytes)].concat(),
        [b"\xfe\xff".to_vec(), wide(u16::to_be_bytes)].concat(),
    ] {
        let games: Result<Vec<Record>, StreamError> = GameReader::of(bytes.as_slice()).collect();
        assert_eq!(games.expect("two games"), all);
        assert_eq!(read_all(&decode(&bytes).expect("a text")).as_ref(), Ok(&all));
        // Wherever it is cut, a stream is refused like its text; a whole game before that was read by then.
        for end in 0..bytes.len() {
            let cut = &bytes[..end];
            let expected = decode(cut).and_then(|text| read_all(&text));
            let found: Result<Vec<Record>, StreamError> = GameReader::of(cut).collect();
            match found {
                Ok(games) => assert_eq!(Ok(games), expected, "{end}"),
                Err(StreamError::Read(found)) => assert_eq!(Err(found), expected, "{end}"),
                Err(StreamError::Io(error)) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn one_game_of_a_stream_is_held_and_one_without_an_end_is_refused() {
    let game = format!("[A \"1\"]\n\n{}*\n\n", "a-b c-d {said} ".repeat(500)).into_bytes();
    let most = 2_000 * game.len() as u64;
    let come = Cell::new(0);
    let whole = Stream { text: &game, come: &come, most, ends_well: true };
    assert_eq!(GameReader::of(whole).filter(Result::is_ok).count(), 2_000);
    come.set(0);
    let broken = Stream { text: &game, come: &come, most: most + 1, ends_well: false };
    let broken: Vec<_> = GameReader::of(broken).collect();
    assert_eq!(broken.len(), 2_001);
    assert!(matches!(broken.last(), Some(Err(StreamError::Io(_)))));
    for endless in ["a", "a-b ", "{a", "[A", "( ", "1. a-b (", "[A \"", ") "] {
        come.set(0);
        let text = endless.as_bytes();
        let mut games = GameReader::of(Stream { text, come: &come, most: u64::MAX, ends_well: true });
        let Some(Err(StreamError::Read(_))) = games.next() else { panic!("{endless} is a game") };
        assert!(games.next().is_none(), "{endless}: something comes after an error");
        assert!(come.get() < 3 * MOST_BYTES as u64, "{endless}: {} bytes were read", come.get());
    }
}
