//! Written records are read back unchanged.

use marquis_record::{Comment, GameResult, Header, MoveSequence, MoveText, Ply, Record, decode, read_all};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn comment() -> impl Strategy<Value = Option<Comment>> {
    option::weighted(0.3, "[ -|~äß♞\"\\\\(\\[;%]{1,60}").prop_map(|text| Comment::new(&text?))
}

fn mv() -> impl Strategy<Value = MoveText> {
    let words = ["[a-h][1-9][-x][a-h][1-9]", "[1-6]:[1-9]{1,2}[-x>][1-9]{1,2}", "pass", "[0-9a-z>:-]{1,32}"];
    let one = words.map(|pattern| pattern.prop_map(|text| MoveText::new(&text)).boxed());
    proptest::strategy::Union::new(one).prop_filter_map("no move", |mv| mv)
}

fn line() -> impl Strategy<Value = MoveSequence> {
    let ply = |variations: BoxedStrategy<Vec<MoveSequence>>| {
        (mv(), comment(), variations).prop_map(|(mv, comment, variations)| Ply { mv, comment, variations })
    };
    let leaf = (comment(), vec(ply(Just(Vec::new()).boxed()), 1..5));
    let leaf = leaf.prop_map(|(comment, plies)| MoveSequence { comment, plies });
    leaf.prop_recursive(4, 60, 3, move |inner| {
        let plies = vec(ply(vec(inner, 0..3).boxed()), 1..6);
        (comment(), plies).prop_map(|(comment, plies)| MoveSequence { comment, plies })
    })
}

fn record() -> impl Strategy<Value = Record> {
    let header = ("[A-Z][A-Za-z0-9_]{0,10}", "[ -~äß♞]{0,40}");
    let header = header.prop_filter_map("no header", |(name, value)| Header::new(&name, &value));
    let outcome = option::of(proptest::sample::select(GameResult::ALL.to_vec()));
    (vec(header, 0..6), line(), outcome).prop_map(|(headers, line, outcome)| {
        let mut record = Record { headers: Vec::new(), line, outcome };
        headers.into_iter().for_each(|header| record.set(header));
        record
    })
}

/// The same text with other line breaks.
fn with_breaks(text: &str, line_break: &str) -> String {
    text.replace('\n', line_break)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_as_it_was(record in record()) {
        let text = record.to_string();
        let read = Record::read(&text);
        prop_assert_eq!(read.as_ref(), Ok(&record), "{}", text);
        prop_assert_eq!(read.unwrap().to_string(), text);
    }

    #[test]
    fn encodings_and_breaks_of_lines_make_no_difference(record in record()) {
        let text = with_breaks(&record.to_string(), "\r\n");
        let wide = |of: fn(u16) -> [u8; 2]| {
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(of).collect::<Vec<u8>>()
        };
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for bytes in [text.as_bytes(), &marked, &wide(u16::to_le_bytes), &wide(u16::to_be_bytes)] {
            let read = decode(bytes).and_then(|text| Record::read(&text));
            prop_assert_eq!(read.as_ref(), Ok(&record));
        }
    }

    #[test]
    fn many_games_are_read_one_by_one(mut records in vec(record(), 1..4)) {
        // A game without a header continues the one before it if that has no result.
        let name = Header::new("Game", "any").unwrap();
        records.iter_mut().for_each(|record| record.set(name.clone()));
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        let read = read_all(&text);
        prop_assert_eq!(read.as_ref(), Ok(&records), "{}", text);
    }

    #[test]
    fn a_text_cut_anywhere_is_a_shorter_record_or_an_error(record in record(), cut in 0.0..1.0_f64) {
        let text = record.to_string();
        let cut = (text.chars().count() as f64 * cut) as usize;
        let head: String = text.chars().take(cut).collect();
        match Record::read(&head) {
            Ok(read) => prop_assert_eq!(Record::read(&read.to_string()), Ok(read)),
            Err(error) => {
                prop_assert!(error.line <= head.matches('\n').count() + 1);
                prop_assert!(error.to_string().len() < 400, "{}", error);
            }
        }
    }

    #[test]
    fn no_text_breaks_the_reader(text in "([ \\n]|\\[|\\]|\\(|\\)|\\{|\\}|\"|\\\\|1\\.|2\\.\\.\\.|a1-b2|1-0|\\*|Game|ä){0,60}") {
        if let Ok(records) = read_all(&text) {
            for record in records {
                prop_assert_eq!(Record::read(&record.to_string()), Ok(record));
            }
        }
    }
}
