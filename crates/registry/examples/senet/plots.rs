//! Drawings of facts about Senet.

use marquis_core::{ByPlayer, Player};
use marquis_games::senet::{self, Position, Set, Square, THROWS};
use svg::Document;
use svg::node::element::{Line, Rectangle, Text};

use crate::chances::SenetChances;

const INK: &str = "#333";
const FONT: &str = "sans-serif";

fn words(x: f64, y: f64, anchor: &str, what: impl Into<String>) -> Text {
    Text::new(what)
        .set("x", x)
        .set("y", y)
        .set("text-anchor", anchor)
        .set("font-family", FONT)
        .set("font-size", 12)
        .set("fill", INK)
}

/// Bars of the worth of each throw: at the start, in games, and in random positions.
pub(crate) fn throws_plot([at_start, played, random]: [&[f64]; 3], pieces: u8) -> Document {
    let series = [
        ("at the start", "#4477aa", at_start),
        ("in games", "#ccbb44", played),
        ("in random positions", "#ee6677", random),
    ];
    let (width, height, top, room) = (520.0, 330.0, 66.0, 210.0);
    let all = || series.iter().flat_map(|(_, _, worth)| worth.iter().copied());
    let (up, down) = (all().fold(0.0, f64::max), -all().fold(0.0, f64::min));
    let scale = room / (up + down);
    let middle = top + up * scale;
    let mut plot =
        Document::new().set("viewBox", (0, 0, width, height)).set("width", width).set("height", height);
    plot = plot.add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"));
    let title = format!("What a throw is worth with {pieces} pieces each, in per cent of the game");
    plot = plot.add(words(10.0, 20.0, "start", title));
    for (place, (name, colour, worth)) in series.iter().enumerate() {
        let x = 20.0 + 165.0 * place as f64;
        plot = plot.add(
            Rectangle::new().set("x", x).set("y", 32).set("width", 10).set("height", 10).set("fill", *colour),
        );
        plot = plot.add(words(x + 15.0, 41.0, "start", *name));
        for (throw, worth) in worth.iter().enumerate() {
            let (x, bar) = (30.0 + 96.0 * throw as f64 + 26.0 * place as f64, worth * scale);
            let bar_at = Rectangle::new()
                .set("x", x)
                .set("y", format!("{:.1}", middle - bar.max(0.0)))
                .set("width", 24);
            plot = plot.add(bar_at.set("height", format!("{:.1}", bar.abs())).set("fill", *colour));
            let y = if bar > 0.0 { middle - bar - 4.0 } else { middle - bar + 13.0 };
            plot = plot.add(
                words(x + 12.0, y.round(), "middle", format!("{:+.2}", 100.0 * worth)).set("font-size", 8),
            );
        }
    }
    for (place, throw) in THROWS.iter().enumerate() {
        plot = plot.add(words(
            30.0 + 96.0 * place as f64 + 38.0,
            height - 12.0,
            "middle",
            format!("{} ({} of 16)", throw.score, throw.weight),
        ));
    }
    plot.add(
        Line::new()
            .set("x1", 20)
            .set("x2", width - 20.0)
            .set("y1", format!("{middle:.1}"))
            .set("y2", format!("{middle:.1}"))
            .set("stroke", INK),
    )
}

/// The chance of the player to throw with one piece each, by the squares of both.
pub(crate) fn one_each_plot(chances: &SenetChances) -> Document {
    let (cell, left, top) = (14.0, 50.0, 50.0);
    let (width, height) = (left + 30.0 * cell + 20.0, top + 30.0 * cell + 60.0);
    let mut plot =
        Document::new().set("viewBox", (0, 0, width, height)).set("width", width).set("height", height);
    plot = plot.add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"));
    plot = plot.add(words(left, 18.0, "start", "One piece each: the chance of who throws, in per cent"));
    let axes = "across: his own piece; down: the opponent's; nobody rests on 27 and 30";
    plot = plot.add(words(left, 34.0, "start", axes).set("font-size", 10));
    let place = |square: Square| cell * f64::from(square.number() - 1);
    for square in (1..=senet::SQUARES).filter_map(Square::new).filter(|square| square.number() % 5 == 0) {
        let (at, number) = (place(square), square.number().to_string());
        plot =
            plot.add(words(left + at + cell / 2.0, top - 3.0, "middle", number.as_str()).set("font-size", 9));
        plot = plot.add(words(left - 4.0, top + at + 11.0, "end", number.as_str()).set("font-size", 9));
    }
    let shown = one_each(chances);
    let most = shown.iter().map(|&(_, _, chance)| (chance - 0.5).abs()).fold(0.0, f64::max);
    let tile = |x: f64, y: f64, chance: f64| {
        let colour = colour((chance - 0.5) / most);
        Rectangle::new().set("x", x).set("y", y).set("width", cell).set("height", cell).set("fill", colour)
    };
    for (own, other, chance) in shown {
        plot = plot.add(tile(left + place(own), top + place(other), chance));
    }
    let (first, y) = (left + 8.0 * cell, height - 40.0);
    for step in 0..=SCALE_STEPS {
        let (x, part) =
            (first + cell * f64::from(step), 2.0 * f64::from(step) / f64::from(SCALE_STEPS) - 1.0);
        let chance = 0.5 + part * most;
        plot = plot.add(tile(x, y, chance));
        if step % (SCALE_STEPS / 2) == 0 {
            let text = format!("{:.0} %", 100.0 * chance);
            plot = plot.add(words(x + cell / 2.0, y + cell + 12.0, "middle", text).set("font-size", 10));
        }
    }
    plot
}

/// Colours of the scale below the plot, minus one; even, so that even chances have a colour.
const SCALE_STEPS: u32 = 12;

/// Squares of both and the chance of the player to throw, for all positions of one piece each.
fn one_each(chances: &SenetChances) -> Vec<(Square, Square, f64)> {
    let squares = || (1..=senet::SQUARES).filter_map(Square::new);
    let both = squares().flat_map(|own| squares().map(move |other| (own, other)));
    let known = both.filter_map(|(own, other)| {
        let pieces = ByPlayer::new(Set::EMPTY.with(own), Set::EMPTY.with(other));
        let position = Position::new(pieces, Player::First)?;
        Some((own, other, chances.of(Player::First, &position)))
    });
    known.collect()
}

/// From red for -1 over white to blue for 1.
fn colour(part: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * part.abs()).round() as u8;
    let [red, green, blue] = if part < 0.0 { [204.0, 51.0, 68.0] } else { [34.0, 85.0, 153.0] };
    format!("#{:02x}{:02x}{:02x}", mix(255.0, red), mix(255.0, green), mix(255.0, blue))
}
