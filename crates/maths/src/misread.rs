//! What could be misread is refused: commas between thousands, values without a sign between.

use num_traits::One;

use super::lexer::{Placed, Token};
use super::parser::Parser;
use super::{Fault, Wrong};

impl Parser {
    /// Refuses commas between thousands where values are listed: three digits right behind a
    /// comma that begin with 0, or stand beside commas with a space.
    pub(super) fn check_commas(&self, opens: usize) -> Result<(), Fault> {
        let (mut level, mut tight, mut has_loose) = (0_usize, None, false);
        for (place, piece) in self.pieces.iter().enumerate().skip(opens) {
            match &piece.token {
                Token::Sign("(" | "[") => level += 1,
                Token::Sign(")" | "]") => {
                    level -= 1;
                    if level == 0 {
                        break;
                    }
                }
                Token::Next => break,
                Token::Sign(",") => {
                    let is_number = |place: usize| {
                        matches!(
                            self.pieces.get(place),
                            Some(Placed { token: Token::Number(_), .. })
                        )
                    };
                    let after = self.pieces.get(place + 1);
                    let length = self.pieces.get(place + 2).map_or(self.end, |next| next.at)
                        - after.map_or(self.end, |after| after.at);
                    if after.is_some_and(|after| after.is_apart) {
                        has_loose = true;
                    } else if is_number(place - 1)
                        && is_number(place + 1)
                        && !piece.is_apart
                        && length == 3
                    {
                        tight = tight.or(Some(piece.at));
                    }
                }
                _ => {}
            }
        }
        match tight {
            Some(at) if has_loose => Err(Wrong::new(
                "a comma may stand here within a number or between two",
                "write 1000, not 1,000, and a space after each comma between values",
            )
            .at(at)),
            _ => Ok(()),
        }
    }

    /// Refuses `2x`, `2(3)` and `1 000`, which could be misread.
    pub(super) fn no_value_next(&self) -> Result<(), Fault> {
        let hint = match self.token() {
            Some(Token::Number(_)) => {
                "write * to multiply; in a number, write nothing between thousands"
            }
            Some(Token::Name(name)) if name != "of" && name != "mod" => "write * to multiply",
            Some(Token::Sign("(" | "√")) => "write * to multiply",
            _ => return Ok(()),
        };
        Err(Wrong::new("there is no sign between two values", hint).at(self.at()))
    }

    /// What is wrong with the piece that is next.
    pub(super) fn unexpected(&self) -> Fault {
        let wrong = match self.token() {
            None | Some(Token::Next) => {
                Wrong::new("the calculation ends too early", "write a number, a name or ( here")
            }
            Some(Token::Sign(",")) => {
                let whole = |place: Option<usize>| {
                    let piece = self.pieces.get(place?)?;
                    match &piece.token {
                        Token::Number(value) if value.denom().is_one() => {
                            Some(value.numer().to_string())
                        }
                        _ => None,
                    }
                };
                match (whole(self.next.checked_sub(1)), whole(Some(self.next + 1))) {
                    (Some(one), Some(two)) if one.len() <= 20 && two.len() <= 3 => Wrong::new(
                        "a comma may not stand within a number",
                        format!("write {one}{two:0>3}, not {one},{two:0>3}"),
                    ),
                    _ => Wrong::new(
                        "a comma may stand between the values of a function only",
                        "write a point before decimals, and ; between calculations",
                    ),
                }
            }
            Some(Token::Sign(sign)) => Wrong::new(
                format!("{sign} may not stand here"),
                "write a number, a name or ( before it, or leave it out",
            ),
            Some(_) => Wrong::new("there is no sign between two values", "write * to multiply"),
        };
        wrong.at(self.at())
    }
}
