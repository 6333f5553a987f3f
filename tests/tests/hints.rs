//! Hints of proofs, checked as `tablebases/FORMAT.md` says and by the second implementation of the rules alone; and
//! hints that were changed, which must not pass.

use std::collections::HashSet;
use std::path::Path;

use marquis_engine::{Control, Engine, EngineOptions, Limits, Query, write_hints};
use marquis_registry::official;
use marquis_tests::reference::{self, Rules};
use marquis_wire::Goal;
use tempfile::tempdir;

use crate::sources::root;

/// The hints of a proof file.
fn hints(file: &Path) -> String {
    let mut out = Vec::new();
    write_hints(&official(), file, &mut out, &Limits::default(), &Control::none())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    String::from_utf8(out).expect("text")
}

/// A checked claim: position, holder, and whether he wins (or does not lose).
type Claim = (String, char, bool);

/// The player to move in a position text.
fn turn(position: &str) -> Option<char> {
    position.split(' ').nth(1)?.chars().next()
}

/// Whether a finished game keeps the promise; `None` if the game is not over.
fn keeps(rules: &Rules, position: &str, holder: char, wins: bool) -> Option<bool> {
    let end = rules.over(position)?;
    let is_own = turn(position) == Some(holder);
    Some(match end.value {
        "draw" => !wins,
        value => (value == "win") == is_own,
    })
}

/// The claims of hints, or the first fault.
fn check(text: &str) -> Result<Vec<Claim>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    let mut word = |name: &str| -> Result<&str, String> {
        at += 1;
        let line = lines.get(at - 1).ok_or("the text ends")?;
        line.strip_prefix(name).ok_or_else(|| format!("expected {name}, found {line}"))
    };
    if word("marquis-hints ")? != "2" {
        return Err("another version".to_owned());
    }
    let game = word("game ")?;
    let immobile = match game {
        "swish" | "squeeze" => word("immobile ")?,
        "squish" | "flowish" | "squinch" => "loss",
        other => return Err(format!("game {other}")),
    };
    let immobile = match immobile {
        "loss" => reference::Immobile::Loss,
        "pass" => reference::Immobile::Pass,
        other => return Err(format!("immobile {other}")),
    };
    let rules = Rules::of(game, immobile);
    let mut claims = Vec::new();
    while at < lines.len() {
        claims.push(strategy(&rules, &lines, &mut at)?);
    }
    Ok(claims)
}

/// Checks one strategy, whose lines begin at `at`.
fn strategy(rules: &Rules, lines: &[&str], at: &mut usize) -> Result<Claim, String> {
    let mut line = || {
        *at += 1;
        lines.get(*at - 1).copied().ok_or("the text ends")
    };
    let head = line()?.strip_prefix("strategy ").ok_or("no strategy")?;
    let (holder, wins) = match head.split_once(' ') {
        Some((letter, "wins")) => (letter.chars().next(), true),
        Some((letter, "does-not-lose")) => (letter.chars().next(), false),
        _ => (None, false),
    };
    let holder = holder.ok_or("no holder")?;
    let claimed = line()?.strip_prefix("position ").ok_or("no position")?.to_owned();
    let count: usize = line()?.strip_prefix("entries ").and_then(|n| n.parse().ok()).ok_or("no entries")?;
    let entries: Vec<[&str; 3]> = (0..count)
        .map(|_| {
            let parts: Vec<&str> = line()?.split(';').collect();
            parts.try_into().map_err(|_| "an entry has three parts")
        })
        .collect::<Result<_, &str>>()?;
    match entries.last() {
        Some([last, ..]) if *last == claimed => {}
        Some(_) => return Err("the last entry is about another position".to_owned()),
        None if keeps(rules, &claimed, holder, wins) == Some(true) => return Ok((claimed, holder, wins)),
        None => return Err("no entry".to_owned()),
    }
    for (number, entry) in entries.iter().enumerate() {
        entry_holds(rules, &entries, (number, entry), (holder, wins))
            .map_err(|why| format!("{number}: {why}"))?;
    }
    Ok((claimed, holder, wins))
}

/// Checks one entry: the move, that all replies are there, and where they lead.
fn entry_holds(
    rules: &Rules,
    entries: &[[&str; 3]],
    (number, &[position, mv, replies]): (usize, &[&str; 3]),
    (holder, wins): (char, bool),
) -> Result<(), String> {
    if rules.over(position).is_some() {
        return Err("the game is over".to_owned());
    }
    let turn = turn(position).ok_or("no player to move")?;
    if mv == "line" {
        return if wins && turn == holder {
            line_holds(rules, position, replies)
        } else {
            Err("a line".to_owned())
        };
    }
    let after = if mv == "-" {
        if turn == holder || number + 1 != entries.len() {
            return Err("a move is missing".to_owned());
        }
        position.to_owned()
    } else {
        if turn != holder {
            return Err("the other player is to move".to_owned());
        }
        rules.moves(position, None).get(mv).cloned().ok_or_else(|| format!("{mv} is not legal"))?
    };
    if let Some(kept) = keeps(rules, &after, holder, wins) {
        return if kept && replies.is_empty() { Ok(()) } else { Err("the game is over".to_owned()) };
    }
    let legal = rules.moves(&after, None);
    let mut given = HashSet::new();
    for reply in replies.split(' ').filter(|reply| !reply.is_empty()) {
        let (reply, next) = reply.split_once('=').ok_or("no entry of a reply")?;
        let reached = legal.get(reply).ok_or_else(|| format!("{reply} is not legal"))?;
        if !given.insert(reply) {
            return Err(format!("{reply} is there twice"));
        }
        match (next, keeps(rules, reached, holder, wins)) {
            (".", Some(true)) => {}
            (".", _) => return Err(format!("after {reply} the game is not over as promised")),
            (next, _) => {
                let next: usize = next.parse().map_err(|_| format!("{next} is no number"))?;
                if wins && next >= number || entries.get(next).is_none_or(|entry| entry[0] != reached) {
                    return Err(format!("{reply} does not lead to entry {next}"));
                }
            }
        }
    }
    if given.len() == legal.len() { Ok(()) } else { Err("a reply is missing".to_owned()) }
}

/// Checks a line of moves by playing every reply to each: all moves are legal, the last one wins, and no reply does.
fn line_holds(rules: &Rules, position: &str, moves: &str) -> Result<(), String> {
    let mut reached = HashSet::from([position.to_owned()]);
    for mv in moves.split(' ') {
        let mut next = HashSet::new();
        for before in &reached {
            let after = rules.moves(before, None).get(mv).cloned();
            let after = after.ok_or_else(|| format!("{mv} is not legal in {before}"))?;
            if let Some(end) = rules.over(&after) {
                if end.value != "loss" {
                    return Err(format!("{mv} loses in {before}"));
                }
                continue;
            }
            next.extend(rules.moves(&after, None).into_values());
        }
        if let Some(end) = next.iter().find(|position| rules.over(position).is_some()) {
            return Err(format!("the other player has won: {end}"));
        }
        reached = next;
    }
    if reached.is_empty() { Ok(()) } else { Err("the line does not end the game".to_owned()) }
}

/// Hints of small proofs of all five games, with wins of both players and a strategy that does not lose.
fn samples() -> Vec<String> {
    let folder = root().join("tablebases/proofs");
    let files = ["flowish-4/f1xf2", "gallery/01", "gallery/02", "gallery/13", "gallery/14"];
    let mut all: Vec<String> =
        files.iter().map(|name| hints(&folder.join(format!("{name}.proof")))).collect();
    let own = tempdir().expect("a folder");
    let (engine, _) = Engine::open(official(), EngineOptions::default()).expect("an engine");
    for (game, start) in [("squish", "start:3"), ("squinch", "start:3x3")] {
        let file = own.path().join(game);
        let query = Query::new(official().game(game).expect("a game").id(), start);
        let limits = Limits { threads: Some(1), ..Limits::default() };
        engine.solve_with_proof(&query, &limits, &Control::none(), &file).expect("a proof");
        all.push(hints(&file));
    }
    all
}

#[test]
fn hints_hold_by_the_second_implementation_of_the_rules() {
    let mut games = HashSet::new();
    let (mut claims, mut lines) = (Vec::new(), 0);
    for text in samples() {
        lines += text.matches(";line;").count();
        games.extend(text.lines().nth(1).map(str::to_owned));
        claims.extend(check(&text).unwrap_or_else(|why| panic!("{why}: {}", &text[..200.min(text.len())])));
    }
    assert_eq!(games.len(), 5, "{games:?}");
    assert!(claims.iter().any(|(_, _, wins)| *wins) && claims.iter().any(|(_, _, wins)| !wins), "{claims:?}");
    assert!(claims.len() > 8, "{claims:?}");
    assert!(lines > 10, "{lines} lines that no reply prevents");
}

/// Each changes one entry of the first sample of the gallery so that it no longer proves its claim.
#[test]
fn forged_hints_are_refused() {
    let sound = hints(&root().join("tablebases/proofs/gallery/01.proof"));
    let root_entry = "2b w 0-0 3;e2-e1;a3-b4=0 a3-c5=1 a3-a2=2 a3-a1=3";
    for (from, to, why) in [
        (" a3-a1=3", "", "a reply is missing"),
        ("a3-a1=3", "a3-a1=4", "does not lead to entry 4"),
        ("a3-a1=3", "a3-a1=2", "does not lead to entry 2"),
        ("a3-a1=3", "a3-a1=.", "not over as promised"),
        ("a3-a1=3", "a3-a2=2", "there twice"),
        ("a3-a1=3", "a3-xx=3", "is not legal"),
        (root_entry, "2b w 0-0 3;-;", "a move is missing"),
        ("e2-e1", "e2-e5", "is not legal"),
        ("strategy w wins", "strategy b wins", "the other player is to move"),
        ("position 1w1/1o2", "position 1w1/2o1", "another position"),
        ("entries 5", "entries 4", "another position"),
        ("e2-e1;a3-b4=0", "line;a3-b4=0", "is not legal"),
    ] {
        assert!(sound.contains(from), "{from}");
        let refusal = check(&sound.replacen(from, to, 1)).expect_err(why);
        assert!(refusal.contains(why), "{from} to {to}: {refusal}");
    }
}

/// A number below `end`, the next of a fixed sequence.
fn next(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end
}

/// The same text with one line removed, repeated or exchanged with another, or with one word removed or one letter
/// replaced.
fn changed(text: &str, state: &mut u64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (one, other) = (next(state, lines.len()), next(state, lines.len()));
    match next(state, 5) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one].clone()),
        2 => lines.swap(one, other),
        3 => {
            let mut words: Vec<&str> = lines[one].split(' ').collect();
            words.remove(next(state, words.len()));
            lines[one] = words.join(" ");
        }
        _ => {
            const LETTERS: &[u8] = b"wbor0123456789-x=.; /abcdef";
            let mut letters = lines[one].clone().into_bytes();
            let (at, letter) = (next(state, letters.len().max(1)), LETTERS[next(state, LETTERS.len())]);
            if let Some(place) = letters.get_mut(at) {
                *place = letter;
            }
            lines[one] = String::from_utf8(letters).expect("plain letters");
        }
    }
    lines.join("\n") + "\n"
}

/// The texts that stand where hints have positions.
fn positions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| match line.split_once(';') {
        Some((position, _)) => Some(position),
        None => line.strip_prefix("position "),
    })
}

/// The claims of a changed text may differ from those of the first one, but then hold by themselves: whatever passes is
/// compared with a solver.
#[test]
fn changed_hints_prove_nothing_false() {
    let (engine, _) = Engine::open(official(), EngineOptions::default()).expect("an engine");
    let (mut state, mut refused) = (1, 0);
    let limits = Limits { goal: Some(Goal::Value), ..Limits::default() };
    for text in samples().into_iter().filter(|text| text.len() < 12_000) {
        let game = text.lines().nth(1).and_then(|line| line.strip_prefix("game ")).expect("a game");
        let game = official().game(game).expect("a game").id();
        for _ in 0..60 {
            let changed = changed(&text, &mut state);
            // The second implementation reads correct texts only.
            let is_position = |text: &str| {
                let posed = official().pose(&Query::new(game, text));
                posed.is_ok_and(|posed| posed.text() == text)
            };
            let claims = positions(&changed).all(is_position).then(|| check(&changed));
            let Some(Ok(claims)) = claims else {
                refused += 1;
                continue;
            };
            let immobile = if changed.contains("\nimmobile pass\n") {
                marquis_core::Immobile::Pass
            } else {
                marquis_core::Immobile::Loss
            };
            for (position, holder, wins) in claims {
                let query = Query { immobile, ..Query::new(game, position.clone()) };
                let answer = engine.solve(&query, &limits, &Control::none()).expect("an answer");
                let marquis_wire::answer::Answer::Exact(answer) = answer else {
                    panic!("a game with throws")
                };
                let is_own = turn(&position) == Some(holder);
                let value = answer.verdict.value.expect("a small position");
                let value = if is_own { value } else { value.for_opponent() };
                let holds =
                    if wins { value == marquis_core::Value::Win } else { value != marquis_core::Value::Loss };
                assert!(holds, "{position}: {holder} has {value}\n{changed}");
            }
        }
    }
    assert!(refused > 150, "{refused} were refused");
}
