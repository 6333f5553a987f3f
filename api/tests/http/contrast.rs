//! The colours of the page: the contrast that WCAG 2.2 AA requires, light and dark.

use std::collections::HashMap;

/// Text and background colours: at least 4.5 to 1.
const READ: [(&str, &str); 14] = [
    ("ink", "paper"),
    ("ink", "card"),
    ("soft", "paper"),
    ("soft", "card"),
    ("accent", "paper"),
    ("accent", "card"),
    ("on-accent", "accent"),
    ("label", "cell"),
    ("loss", "paper"),
    ("on-win", "win"),
    ("on-draw", "draw"),
    ("on-loss", "loss"),
    ("on-unknown", "unknown"),
    ("light", "red"),
];
/// Colours of shapes and their backgrounds: at least 3 to 1.
const SEEN: [(&str, &str); 9] = [
    ("light-edge", "cell"),
    ("dark-edge", "cell"),
    ("red-edge", "cell"),
    ("bead-edge", "bead"),
    ("focus", "cell"),
    ("focus", "paper"),
    ("soft", "paper"),
    ("win", "cell"),
    ("loss", "cell"),
];

/// The colours of the page, light and dark.
fn palettes() -> [HashMap<String, [f64; 3]>; 2] {
    let css = include_str!("../../assets/style.css");
    let block = css.split('}').find(|block| block.contains("--paper:")).expect("colours");
    [Theme::Light, Theme::Dark]
        .map(|theme| block.split([';', '{']).filter_map(|declaration| colour(declaration, theme)).collect())
}

#[derive(Clone, Copy)]
enum Theme {
    Light,
    Dark,
}

/// The name and the colour of a declaration: one of two colours, or the same for both themes.
fn colour(declaration: &str, theme: Theme) -> Option<(String, [f64; 3])> {
    let (name, value) = declaration.trim().strip_prefix("--")?.split_once(':')?;
    let value = value.trim();
    let pair = value.strip_prefix("light-dark(").and_then(|rest| rest.strip_suffix(')')?.split_once(", "));
    let (light, dark) = pair.unwrap_or((value, value));
    let digits = match theme {
        Theme::Light => light,
        Theme::Dark => dark,
    }
    .strip_prefix('#')?;
    let wide: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let part = |at: usize| u8::from_str_radix(&wide[at..at + 2], 16).map(f64::from);
    Some((name.to_owned(), [part(0).ok()?, part(2).ok()?, part(4).ok()?]))
}

/// Source: WCAG 2.2, "relative luminance".
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| match part / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn what_is_read_and_what_is_seen_stands_out_in_light_and_dark() {
    let palettes = palettes();
    assert_ne!(palettes[0]["paper"], palettes[1]["paper"]);
    for mut colours in palettes {
        // The stylesheet names the accent for it.
        colours.insert("win".to_owned(), colours["accent"]);
        for (pairs, least) in [(&READ[..], 4.5), (&SEEN[..], 3.0)] {
            for &(front, ground) in pairs {
                let ratio = contrast(colours[front], colours[ground]);
                assert!(ratio >= least, "{front} on {ground}: {ratio:.2} to 1, {least} are needed");
            }
        }
    }
}
