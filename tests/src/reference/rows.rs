//! A row of board text, and the same row as one letter per cell.

/// The letter for an empty cell.
pub const EMPTY: char = '.';

/// The cells of a row such as `2wb11`, left to right, with [`EMPTY`] for each empty one.
#[must_use]
pub fn read_row(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    let mut number = String::new();
    for letter in row.chars() {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        push_empty(&mut cells, &mut number);
        cells.push(letter);
    }
    push_empty(&mut cells, &mut number);
    cells
}

fn push_empty(cells: &mut Vec<char>, number: &mut String) {
    if !number.is_empty() {
        let count: usize = number.parse().expect("digits make a number");
        cells.extend(std::iter::repeat_n(EMPTY, count));
        number.clear();
    }
}

/// The text of a row, as read by [`read_row`].
#[must_use]
pub fn write_row(cells: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &cell in cells {
        if cell == EMPTY {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(cell);
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// The single letter of a field such as the player to move.
#[must_use]
pub fn only_letter(field: &str) -> char {
    let mut letters = field.chars();
    let letter = letters.next().expect("the field has a letter");
    assert_eq!(letters.next(), None, "the field {field:?} has one letter");
    letter
}

/// The opponent of a colour among the two `colours`.
#[must_use]
pub fn opponent(colours: [char; 2], colour: char) -> char {
    if colour == colours[0] { colours[1] } else { colours[0] }
}
