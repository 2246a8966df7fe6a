//! A calculation, read and done at once.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::functions::{NAMES, call, constant, factorial, is_function};
use super::lexer::{Placed, Token, pieces};
use super::number::{Number, Work};
use super::{Fault, MathsLimits, MathsValue, Wrong};

/// How strongly signs bind what is before them.
const COMPARE: u8 = 1;
const ADD: u8 = 2;
const MULTIPLY: u8 = 3;
const MINUS: u8 = 4;
const POWER: u8 = 5;
const POSTFIX: u8 = 6;

/// What a part comes to.
#[derive(Clone)]
enum Part {
    Number(Number),
    Truth(bool),
}

/// What reads a calculation, and where it is.
pub(super) struct Parser {
    pub(super) pieces: Vec<Placed>,
    pub(super) next: usize,
    /// Where the text ends.
    pub(super) end: usize,
    names: HashMap<String, Part>,
    work: Work,
    depth: usize,
    limit: usize,
}

/// Reads and calculates a text.
pub(super) fn run(text: &str, limits: &MathsLimits) -> Result<MathsValue, Fault> {
    let pieces = pieces(text, limits.digits)?;
    let mut parser = Parser {
        pieces,
        next: 0,
        end: text.chars().count(),
        names: HashMap::new(),
        work: Work::new(limits),
        depth: 0,
        limit: limits.depth,
    };
    let mut last = None;
    loop {
        while parser.token() == Some(&Token::Next) {
            parser.next += 1;
        }
        if parser.token().is_none() {
            break;
        }
        last = Some(parser.statement()?);
        match parser.token() {
            None | Some(Token::Next) => {}
            Some(_) => return Err(parser.unexpected()),
        }
    }
    match last {
        Some(Part::Number(number)) => Ok(number.into_value()),
        Some(Part::Truth(is_so)) => Ok(MathsValue::Truth(is_so)),
        None => Err(Wrong::new("there is nothing to calculate", "write for example 2 + 2").at(0)),
    }
}

impl Parser {
    pub(super) fn token(&self) -> Option<&Token> {
        self.pieces.get(self.next).map(|piece| &piece.token)
    }

    pub(super) fn at(&self) -> usize {
        self.pieces.get(self.next).map_or(self.end, |piece| piece.at)
    }

    fn sign(&self) -> Option<&'static str> {
        match self.token() {
            Some(Token::Sign(sign)) => Some(sign),
            _ => None,
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_here = self.sign() == Some(sign);
        self.next += usize::from(is_here);
        is_here
    }

    /// `name = value`, or a value.
    fn statement(&mut self) -> Result<Part, Fault> {
        if let Some(Token::Name(name)) = self.token().cloned()
            && let Some(Token::Sign("=")) = self.pieces.get(self.next + 1).map(|piece| &piece.token)
        {
            if constant(&name).is_some() || is_function(&name) || name == "of" {
                let hint = format!("call it my_{name}");
                return Err(Wrong::new(format!("{name} has a meaning already"), hint).at(self.at()));
            }
            self.next += 2;
            let value = self.expression(0)?;
            self.names.insert(name, value.clone());
            return Ok(value);
        }
        self.expression(0)
    }

    /// A value, up to the first sign that binds less than `least`.
    fn expression(&mut self, least: u8) -> Result<Part, Fault> {
        self.depth += 1;
        if self.depth > self.limit {
            let problem = format!("it is nested deeper than {}", self.limit);
            return Err(Wrong::new(problem, "give parts of it names: x = …; x + 1").at(self.at()));
        }
        let mut left = self.operand()?;
        while let Some((sign, binds)) = self.operator()? {
            if binds < least || binds == COMPARE && least > 0 {
                break;
            }
            let at = self.at();
            self.work.take(1).map_err(|wrong| wrong.at(at))?;
            if binds == COMPARE {
                left = self.comparison(left)?;
                continue;
            }
            self.next += 1;
            if binds == POSTFIX {
                left = self.postfix(sign, left, at)?;
                continue;
            }
            // A power binds to its right, and less than a minus there: 2^-1.
            let right = self.expression(if binds == POWER { MINUS } else { binds + 1 })?;
            let (one, two) = (number(left, at)?, number(right, at)?);
            left = Part::Number(self.binary(sign, &one, &two).map_err(|wrong| wrong.at(at))?);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The sign that is next, if it goes between values or behind one, and how it binds.
    fn operator(&self) -> Result<Option<(&'static str, u8)>, Fault> {
        Ok(match self.token() {
            Some(Token::Sign(sign)) => match *sign {
                "<" | "<=" | ">" | ">=" | "==" | "!=" => Some((sign, COMPARE)),
                "+" | "-" => Some((sign, ADD)),
                "*" | "/" | "//" => Some((sign, MULTIPLY)),
                "%" if self.is_percent()? => Some(("percent", POSTFIX)),
                "%" => Some((sign, MULTIPLY)),
                "^" => Some((sign, POWER)),
                "!" | "²" | "³" => Some((sign, POSTFIX)),
                "=" => {
                    return Err(Wrong::new(
                        "= gives a name to a value, and must come after a name alone",
                        "write == to compare",
                    )
                    .at(self.at()));
                }
                _ => None,
            },
            Some(Token::Name(name)) if name == "of" => Some(("of", MULTIPLY)),
            Some(Token::Name(name)) if name == "mod" => Some(("%", MULTIPLY)),
            _ => None,
        })
    }

    /// Whether a `%` means hundredths, not the rest of a division.
    fn is_percent(&self) -> Result<bool, Fault> {
        let is_value = |token: &Token| match token {
            Token::Number(_) => true,
            Token::Name(name) => name != "of" && name != "mod",
            Token::Sign(sign) => matches!(*sign, "(" | "√"),
            Token::Next => false,
        };
        let Some(after) = self.pieces.get(self.next + 1) else { return Ok(true) };
        if is_value(&after.token) {
            return Ok(false);
        }
        let is_apart = self.pieces.get(self.next).is_some_and(|piece| piece.is_apart);
        if is_apart && matches!(after.token, Token::Sign("-" | "+")) {
            return Err(Wrong::new(
                "% may mean two things here",
                "write mod(a, -b) for the rest of a division, or a% - b for hundredths",
            )
            .at(self.at()));
        }
        Ok(true)
    }

    fn comparison(&mut self, first: Part) -> Result<Part, Fault> {
        let (mut left, mut is_so) = (first, true);
        while let Some(sign @ ("<" | "<=" | ">" | ">=" | "==" | "!=")) = self.sign() {
            let at = self.at();
            self.next += 1;
            let right = self.expression(ADD)?;
            let (one, two) = (number(left, at)?, number(right, at)?);
            let order = self.work.compare(&one, &two).map_err(|wrong| wrong.at(at))?;
            is_so &= match sign {
                "<" => order == Ordering::Less,
                "<=" => order != Ordering::Greater,
                ">" => order == Ordering::Greater,
                ">=" => order != Ordering::Less,
                "==" => order == Ordering::Equal,
                _ => order != Ordering::Equal,
            };
            left = Part::Number(two);
        }
        Ok(Part::Truth(is_so))
    }

    fn postfix(&mut self, sign: &str, left: Part, at: usize) -> Result<Part, Fault> {
        let value = number(left, at)?;
        let result = match sign {
            "!" => factorial(&mut self.work, &value),
            "²" => self.work.power(&value, &Number::whole(2)),
            "³" => self.work.power(&value, &Number::whole(3)),
            _ => self.work.divide(&value, &Number::whole(100)),
        };
        Ok(Part::Number(result.map_err(|wrong| wrong.at(at))?))
    }

    fn binary(&mut self, sign: &str, one: &Number, two: &Number) -> Result<Number, Wrong> {
        match sign {
            "+" | "-" => self.work.simple(sign, one, two),
            "/" => self.work.divide(one, two),
            "//" => Ok(self.work.divide_whole(one, two)?.0),
            "%" => Ok(self.work.divide_whole(one, two)?.1),
            "^" => self.work.power(one, two),
            _ => self.work.simple("*", one, two),
        }
    }

    /// A number, a name, a call, brackets, or a sign and what it is of.
    fn operand(&mut self) -> Result<Part, Fault> {
        let at = self.at();
        match self.token().cloned() {
            Some(Token::Number(value)) => {
                self.next += 1;
                self.no_value_next()?;
                Ok(Part::Number(Number::Exact(value)))
            }
            Some(Token::Name(name)) => {
                self.next += 1;
                if self.sign() == Some("(") {
                    return self.call(&name, at);
                }
                if let Some(value) = self.names.get(&name) {
                    return Ok(value.clone());
                }
                if let Some(value) = constant(&name) {
                    return Ok(Part::Number(value));
                }
                if matches!(name.as_str(), "true" | "True" | "false" | "False") {
                    return Ok(Part::Truth(name.eq_ignore_ascii_case("true")));
                }
                Err(unknown(&name).at(at))
            }
            Some(Token::Sign("(")) => {
                self.next += 1;
                let value = self.expression(0)?;
                if self.sign() == Some(",") {
                    return Err(self.unexpected());
                }
                self.close(")", at)?;
                self.no_value_next()?;
                Ok(value)
            }
            Some(Token::Sign(sign @ ("-" | "+"))) => {
                self.next += 1;
                let value = number(self.expression(MINUS)?, at)?;
                Ok(Part::Number(if sign == "-" { value.negated() } else { value }))
            }
            Some(Token::Sign("√")) => {
                self.next += 1;
                let value = number(self.expression(POSTFIX)?, at)?;
                let root = call(&mut self.work, "sqrt", &[value]);
                Ok(Part::Number(root.map_err(|wrong| wrong.at(at))?))
            }
            _ => Err(self.unexpected()),
        }
    }

    fn call(&mut self, name: &str, at: usize) -> Result<Part, Fault> {
        if !is_function(name) {
            let wrong = match self.names.contains_key(name) || constant(name).is_some() {
                true => Wrong::new(
                    format!("{name} is a value, not a function"),
                    format!("write {name} * ( to multiply"),
                ),
                false => unknown(name),
            };
            return Err(wrong.at(at));
        }
        self.next += 1;
        let mut values = Vec::new();
        let opens = self.next - 1;
        if !self.take(")") {
            self.check_commas(opens)?;
            loop {
                let start = self.at();
                if self.take("[") {
                    while self.sign() != Some("]") {
                        let start = self.at();
                        values.push(number(self.expression(0)?, start)?);
                        if !self.take(",") {
                            break;
                        }
                    }
                    self.close("]", start)?;
                } else {
                    values.push(number(self.expression(0)?, start)?);
                }
                if !self.take(",") {
                    break;
                }
            }
            self.close(")", at)?;
        }
        self.no_value_next()?;
        let result = call(&mut self.work, name, &values);
        Ok(Part::Number(result.map_err(|wrong| wrong.at(at))?))
    }

    fn close(&mut self, sign: &str, opened: usize) -> Result<(), Fault> {
        if self.take(sign) {
            return Ok(());
        }
        if self.token().is_none() {
            let problem = format!("what opens at column {} is never closed", opened + 1);
            return Err(Wrong::new(problem, format!("write {sign}")).at(self.at()));
        }
        Err(self.unexpected())
    }
}

fn unknown(name: &str) -> Wrong {
    let short: String = name.chars().take(50).collect();
    Wrong::new(
        format!("{short} is not known"),
        format!("give it a value before ({short} = 3;), or take one of pi, e, tau, {NAMES}"),
    )
}

fn number(part: Part, at: usize) -> Result<Number, Fault> {
    match part {
        Part::Number(number) => Ok(number),
        Part::Truth(_) => Err(Wrong::new(
            "a comparison is no number",
            "compare numbers, and calculate with numbers",
        )
        .at(at)),
    }
}
