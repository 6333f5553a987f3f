//! Games as lines of text: the first position, the outcome, and the moves with the estimates of their players.
//!
//! `POSITION|w|12:-35 3:+2 7:#w`: the first position, the outcome for the first player (`w`, `d`, `l`), and for each
//! move its number among the legal ones and the leaning for the player who made it, or the proved value.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use marquis_core::{Outcome, Player, Value};
use marquis_eval::Leaning;

/// The opinion of a player about a position before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// An estimate.
    Estimate(Leaning),
    /// A proved value.
    Proved(Value),
}

/// A recorded game.
///
/// ```
/// use marquis_core::{Outcome, Player};
/// use marquis_train::TrainingGame;
///
/// // White won; the first move was thought even, the second a proved loss.
/// let game: TrainingGame = "b1w/1wb1/wb1wb/1wb1/b1w w|w|2:+0 5:#l".parse()?;
/// assert_eq!(game.outcome, Outcome::Winner(Player::First));
/// assert_eq!(game.moves.len(), 2);
/// # Ok::<(), marquis_train::record::NoRecord>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// The first position.
    pub start: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The numbers of the moves, and the opinions of their players.
    pub moves: Vec<(u16, Opinion)>,
}

impl fmt::Display for TrainingGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.outcome {
            Outcome::Winner(Player::First) => 'w',
            Outcome::Draw => 'd',
            Outcome::Winner(Player::Second) => 'l',
        };
        write!(f, "{}|{outcome}|", self.start)?;
        for (number, (mv, opinion)) in self.moves.iter().enumerate() {
            if number > 0 {
                f.write_char(' ')?;
            }
            match opinion {
                Opinion::Estimate(leaning) => write!(f, "{mv}:{:+}", leaning.hundredths())?,
                Opinion::Proved(value) => write!(f, "{mv}:#{}", &value.name()[..1])?,
            }
        }
        Ok(())
    }
}

/// A line that is not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is not a game record")]
pub struct NoRecord;

impl FromStr for TrainingGame {
    type Err = NoRecord;

    fn from_str(line: &str) -> Result<Self, NoRecord> {
        let mut fields = line.split('|');
        let mut next = || fields.next().ok_or(NoRecord);
        let (start, outcome, moves) = (next()?, next()?, next()?);
        let outcome = match outcome {
            "w" => Outcome::Winner(Player::First),
            "d" => Outcome::Draw,
            "l" => Outcome::Winner(Player::Second),
            _ => return Err(NoRecord),
        };
        let moves = moves.split_whitespace().map(|text| {
            let (mv, opinion) = text.split_once(':').ok_or(NoRecord)?;
            let opinion = match opinion {
                "#w" => Opinion::Proved(Value::Win),
                "#d" => Opinion::Proved(Value::Draw),
                "#l" => Opinion::Proved(Value::Loss),
                number => Opinion::Estimate(Leaning::new(number.parse().map_err(|_| NoRecord)?)),
            };
            Ok((mv.parse().map_err(|_| NoRecord)?, opinion))
        });
        Ok(Self { start: start.to_owned(), outcome, moves: moves.collect::<Result<_, NoRecord>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_as_it_was_written() {
        let moves = vec![
            (12, Opinion::Estimate(Leaning::new(-35))),
            (3, Opinion::Estimate(Leaning::new(2))),
            (7, Opinion::Proved(Value::Win)),
        ];
        let outcome = Outcome::Winner(Player::Second);
        let record = TrainingGame { start: "b1w/3 w".to_owned(), outcome, moves };
        let line = record.to_string();
        assert_eq!(line, "b1w/3 w|l|12:-35 3:+2 7:#w");
        assert_eq!(line.parse(), Ok(record));
        assert_eq!("b1w/3 w|x|".parse::<TrainingGame>(), Err(NoRecord));
        assert_eq!("b1w/3 w|w|12".parse::<TrainingGame>(), Err(NoRecord));
    }
}
