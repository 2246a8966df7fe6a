//! Reads the body of a composed function.
//!
//! Recursive descent with one token of look-ahead. Every nested expression goes through
//! [`Parser::expression`], which counts the levels, so no text makes the stack grow.

use super::fault::ProposalFault;
use super::lex::{Token, tokens};
use super::operations;
use super::syntax::{Expr, Kind, MAX_DEPTH, MAX_EXPRESSIONS, Named, Operator, Statement};

/// Words that are no names.
const KEYWORDS: [&str; 10] =
    ["let", "if", "then", "else", "and", "or", "not", "true", "false", "null"];

/// Whether a name may stand for a value.
pub(super) fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && word.len() <= 40
        && !KEYWORDS.contains(&word)
}

/// Reads a body. O(length).
///
/// # Errors
/// The first place that cannot be read, with what could stand there.
pub(super) fn parse(source: &str) -> Result<Expr, ProposalFault> {
    let mut parser = Parser { source, tokens: tokens(source)?, next: 0, n_made: 0, level: 0 };
    let body = parser.block()?;
    match parser.peek() {
        None => Ok(body),
        Some(_) => Err(parser.expected("\";\" or the end of the body")),
    }
}

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<(usize, Token)>,
    next: usize,
    n_made: usize,
    level: usize,
}

type Parsed<T = Expr> = Result<T, ProposalFault>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn peek_after(&self) -> Option<&Token> {
        self.tokens.get(self.next + 1).map(|(_, token)| token)
    }

    /// The byte at which the next token begins.
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.source.len(), |(at, _)| *at)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        self.next += usize::from(is);
        is
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.next += usize::from(is);
        is
    }

    fn need_sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("{sign:?}"))) }
    }

    fn need_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("{word:?}"))) }
    }

    fn expected(&self, what: &str) -> ProposalFault {
        let found = self.peek().map_or_else(|| "the body ends".to_owned(), Token::words);
        self.fault(format!("{found}, where {what} is expected"))
    }

    fn fault(&self, message: String) -> ProposalFault {
        ProposalFault::at(self.source, self.at(), "syntax", message)
    }

    /// An expression over others.
    fn made(&mut self, at: usize, below: usize, kind: Kind) -> Parsed {
        self.n_made += 1;
        if self.n_made > MAX_EXPRESSIONS {
            return Err(ProposalFault::at(
                self.source,
                at,
                "too_long",
                format!("the body has more than {MAX_EXPRESSIONS} expressions"),
            ));
        }
        if below >= MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        Ok(Expr { at, depth: below + 1, kind })
    }

    fn too_deep(&self, at: usize) -> ProposalFault {
        let message = format!(
            "expressions are nested deeper than {MAX_DEPTH} levels: name parts of them with let"
        );
        ProposalFault::at(self.source, at, "too_long", message)
    }

    /// Statements up to the value at their end.
    fn block(&mut self) -> Parsed {
        let at = self.at();
        let mut statements = Vec::new();
        loop {
            if self.take_word("let") {
                let name = self.name("a name for the value")?;
                self.need_sign("=")?;
                let value = self.expression()?;
                self.need_sign(";")?;
                statements.push(Statement { name: Some(name), value });
                continue;
            }
            let value = self.expression()?;
            if self.take_sign(";") && !self.is_sign(")") && self.peek().is_some() {
                statements.push(Statement { name: None, value });
                continue;
            }
            if statements.is_empty() {
                return Ok(value);
            }
            let below =
                statements.iter().map(|s| s.value.depth).chain([value.depth]).max().unwrap_or(0);
            return self.made(at, below, Kind::Block(statements, Box::new(value)));
        }
    }

    fn name(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(word)) if is_name(word) => {
                let word = word.clone();
                self.next += 1;
                Ok(word)
            }
            _ => Err(self.expected(&format!(
                "{what} (small letters, digits and _, at most 40; no keyword)"
            ))),
        }
    }

    fn expression(&mut self) -> Parsed {
        self.level += 1;
        if self.level > MAX_DEPTH {
            return Err(self.too_deep(self.at()));
        }
        let found = if self.is_word("if") { self.conditional() } else { self.binary(0) };
        self.level -= 1;
        found
    }

    fn conditional(&mut self) -> Parsed {
        let at = self.at();
        self.need_word("if")?;
        let test = self.expression()?;
        self.need_word("then")?;
        let yes = self.expression()?;
        self.need_word("else")?;
        let no = self.expression()?;
        let below = test.depth.max(yes.depth).max(no.depth);
        self.made(at, below, Kind::If(Box::new(test), Box::new(yes), Box::new(no)))
    }

    /// Operators, the weakest level first; those of one level bind from the left.
    fn binary(&mut self, level: usize) -> Parsed {
        use Operator as O;
        const LEVELS: [&[O]; 6] = [
            &[O::Or],
            &[O::And],
            &[O::Equal, O::NotEqual, O::LessOrEqual, O::GreaterOrEqual, O::Less, O::Greater],
            &[O::Otherwise],
            &[O::Add, O::Subtract],
            &[O::Multiply, O::Divide, O::Remainder],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        if level == 2 && self.is_word("not") {
            let at = self.at();
            let mut n = 0;
            while self.take_word("not") {
                n += 1;
            }
            let of = self.binary(level)?;
            // Twice is not at all.
            return if n % 2 == 0 {
                Ok(of)
            } else {
                self.made(at, of.depth, Kind::Not(Box::new(of)))
            };
        }
        let mut left = self.binary(level + 1)?;
        let mut n = 0;
        while let Some(operator) =
            operators.iter().copied().find(|o| self.is_sign(o.sign()) || self.is_word(o.sign()))
        {
            if level == 2 && n > 0 {
                return Err(self.fault(format!(
                    "comparisons cannot follow each other: join them with \"and\" before {:?}",
                    operator.sign()
                )));
            }
            self.next += 1;
            n += 1;
            let right = self.binary(level + 1)?;
            let (at, below) = (left.at, left.depth.max(right.depth));
            left = self.made(at, below, Kind::Binary(operator, Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let at = self.at();
        let mut n = 0;
        while self.take_sign("-") {
            n += 1;
        }
        let of = self.postfix()?;
        if n % 2 == 0 { Ok(of) } else { self.made(at, of.depth, Kind::Negative(Box::new(of))) }
    }

    fn postfix(&mut self) -> Parsed {
        let mut of = self.primary()?;
        loop {
            let at = of.at;
            if self.take_sign(".") {
                let Some(Token::Word(field)) = self.peek().cloned() else {
                    return Err(self.expected("the name of a field"));
                };
                self.next += 1;
                of = self.made(at, of.depth, Kind::Field(Box::new(of), field))?;
            } else if self.take_sign("[") {
                let index = self.expression()?;
                self.need_sign("]")?;
                let below = of.depth.max(index.depth);
                of = self.made(at, below, Kind::Index(Box::new(of), Box::new(index)))?;
            } else {
                return Ok(of);
            }
        }
    }

    fn primary(&mut self) -> Parsed {
        let at = self.at();
        let Some(token) = self.peek().cloned() else {
            return Err(self.expected("a value"));
        };
        let simple = match &token {
            Token::Number(n) => Some(Kind::Number(*n)),
            Token::Text(text) => Some(Kind::Text(text.clone())),
            Token::Word(word) if word == "true" => Some(Kind::Boolean(true)),
            Token::Word(word) if word == "false" => Some(Kind::Boolean(false)),
            Token::Word(word) if word == "null" => Some(Kind::Null),
            _ => None,
        };
        if let Some(kind) = simple {
            self.next += 1;
            return self.made(at, 0, kind);
        }
        match token {
            Token::Sign("(") => {
                self.next += 1;
                let block = self.block()?;
                self.need_sign(")")?;
                Ok(block)
            }
            Token::Sign("[") => {
                self.next += 1;
                let items = self.listed("]", Self::expression)?;
                let below = items.iter().map(|i| i.depth).max().unwrap_or(0);
                self.made(at, below, Kind::List(items))
            }
            Token::Sign("{") => {
                self.next += 1;
                let fields = self.listed("}", |p| p.named("a field"))?;
                let below = fields.iter().map(|f| f.2.depth).max().unwrap_or(0);
                self.made(at, below, Kind::Record(fields))
            }
            Token::Word(word) if matches!(self.peek_after(), Some(Token::Sign("("))) => {
                self.next += 2;
                if let Some(name) = operations::named(&word) {
                    let given = self.listed(")", Self::operand)?;
                    let below = given.iter().map(|i| i.depth).max().unwrap_or(0);
                    return self.made(at, below, Kind::Operation(name, given));
                }
                let given = self.listed(")", |p| p.named("an argument"))?;
                let below = given.iter().map(|f| f.2.depth).max().unwrap_or(0);
                self.made(at, below, Kind::Call(word, given))
            }
            Token::Word(word) if is_name(&word) => {
                self.next += 1;
                self.made(at, 0, Kind::Name(word))
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// Entries with commas between, up to a sign.
    fn listed<T>(
        &mut self,
        end: &str,
        mut entry: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut entries = Vec::new();
        while !self.take_sign(end) {
            entries.push(entry(self)?);
            if !self.is_sign(end) && !self.take_sign(",") {
                return Err(self.expected(&format!("\",\" or {end:?}")));
            }
        }
        Ok(entries)
    }

    /// `name: value`
    fn named(&mut self, what: &str) -> Parsed<Named> {
        let at = self.at();
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return Err(self.expected(&format!("the name of {what}, as in start: s")));
        };
        if !matches!(self.peek_after(), Some(Token::Sign(":"))) {
            self.next += 1;
            return Err(self.expected(&format!("\":\" behind the name of {what}, as in start: s")));
        }
        self.next += 2;
        Ok((name, at, self.expression()?))
    }

    /// A value, or an item and what is made of it: `x => x + 1`.
    fn operand(&mut self) -> Parsed {
        if !matches!(self.peek_after(), Some(Token::Sign("=>"))) {
            return self.expression();
        }
        let at = self.at();
        let name = self.name("a name for the item")?;
        self.need_sign("=>")?;
        let made = self.expression()?;
        self.made(at, made.depth, Kind::Each(name, Box::new(made)))
    }
}
