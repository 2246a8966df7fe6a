//! The text of a query becomes a tree.
//!
//! A parser by recursive descent, of the clauses of openCypher 9 and of what Neo4j 5 added and
//! language models write: `CALL {…}`, `EXISTS {…}`, `COUNT {…}`, `COLLECT {…}`, label expressions,
//! statements about indexes. Words are keywords only where one can stand, so that `type`, `order` and
//! `end` are names elsewhere.

mod clauses;
mod expressions;
mod lexer;
pub(crate) mod look_alikes;
mod patterns;

use crate::ast::{Expr, ExprKind, Script, Statement};
use crate::error::{Cause, CypherError, Position};
use lexer::{Placed, Token};

/// The most bytes of a query.
pub(crate) const MAX_QUERY: usize = 1_000_000;
/// The most expressions and queries within each other. A level takes some kilobytes of stack, of
/// which a browser gives one megabyte.
const MAX_DEPTH: usize = 60;
/// The most levels of the tree of an expression: `1 + 1 + 1` has three. Whoever walks over it takes a
/// kilobyte of stack a level.
const MAX_HEIGHT: usize = 120;
/// The most queries in expressions within each other, each of which may have that height.
const MAX_SUBQUERIES: usize = 4;

type Parsed<T> = Result<T, CypherError>;

/// Reads a query, or several with semicolons between them.
///
/// # Errors
/// The first place that no query can have, with what was expected there.
pub(crate) fn parse(text: &str) -> Parsed<Script> {
    if text.len() > MAX_QUERY {
        let message = format!("the query has {} bytes; expected at most {MAX_QUERY}", text.len());
        return Err(CypherError::syntax(Cause::UnexpectedSyntax, 0, message));
    }
    let tokens = lexer::tokens(text)?;
    let closing = closing_brackets(text, &tokens)?;
    let mut parser = Parser {
        text,
        tokens,
        closing,
        next: 0,
        depth: 0,
        n_subqueries: 0,
        bar_ends: false,
        n_hidden: 0,
        parameters: Vec::new(),
    };
    let mut statements = Vec::new();
    loop {
        while parser.takes(";") {}
        if parser.token() == &Token::End {
            break;
        }
        statements.push(parser.statement()?);
        if parser.token() != &Token::End && !parser.is(";") {
            return Err(parser.unexpected("the next clause, or the end"));
        }
    }
    if statements.is_empty() {
        let error = CypherError::syntax(Cause::UnexpectedSyntax, 0, "the query is empty");
        return Err(error.hint("expected for example: MATCH (n) RETURN n"));
    }
    Ok(Script { statements, parameters: parser.parameters })
}

/// For each opening bracket, by its token, the token that closes it.
fn closing_brackets(text: &str, tokens: &[Placed]) -> Parsed<Vec<usize>> {
    let mut closing = vec![0; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    let fail =
        |at: usize, message: String| Err(CypherError::syntax(Cause::UnexpectedSyntax, at, message));
    for (i, placed) in tokens.iter().enumerate() {
        let Token::Sign(sign) = placed.token else { continue };
        let opener = match sign {
            "(" | "[" | "{" => {
                open.push(i);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        let Some(last) = open.pop() else {
            return fail(
                placed.start,
                format!("{sign} closes nothing; expected a {opener} before"),
            );
        };
        if tokens[last].token != Token::Sign(opener) {
            let there = &tokens[last];
            let opened = &text[there.start..there.end];
            let at = Position::of(text, there.start);
            let message = format!("{sign} does not close the {opened} of {at}");
            return fail(placed.start, message);
        }
        closing[last] = i;
    }
    match open.pop() {
        Some(last) => {
            let there = &tokens[last];
            let opened = &text[there.start..there.end];
            fail(there.start, format!("the {opened} that opens here is never closed"))
        }
        None => Ok(closing),
    }
}

pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Placed>,
    closing: Vec<usize>,
    next: usize,
    depth: usize,
    n_subqueries: usize,
    /// Whether `|` ends an expression, as in `[x IN list WHERE x:A | x.name]`, where it cannot stand
    /// between labels.
    bar_ends: bool,
    /// How many variables without names there are.
    n_hidden: usize,
    /// The names behind `$`, and where each is.
    parameters: Vec<(String, usize)>,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> &Token {
        self.tokens.get(self.next + n).map_or(&Token::End, |placed| &placed.token)
    }

    /// The byte at which the next token begins.
    fn at(&self) -> usize {
        self.tokens[self.next].start
    }

    fn advance(&mut self) {
        // The last token is the end, behind which nothing is.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn is(&self, sign: &str) -> bool {
        self.is_ahead(0, sign)
    }

    fn is_ahead(&self, n: usize, sign: &str) -> bool {
        matches!(self.ahead(n), Token::Sign(s) if *s == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.advance();
        }
        is
    }

    /// A parameter, which is given before the query is run.
    fn parameter(&mut self, name: String) -> ExprKind {
        self.parameters.push((name.clone(), self.at()));
        self.advance();
        ExprKind::Parameter(name)
    }

    /// Refuses a sign that is read as one of ours only in patterns, such as a dash in a subtraction.
    fn check_sign(&self) -> Parsed<()> {
        let placed = &self.tokens[self.next];
        let text = &self.text[placed.start..placed.end];
        match text.chars().find(|c| !c.is_ascii()) {
            Some(letter) if matches!(placed.token, Token::Sign(_)) => {
                Err(lexer::odd_sign(letter, placed.start))
            }
            _ => Ok(()),
        }
    }

    fn expect(&mut self, sign: &str, what_for: &str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("{sign} {what_for}"))) }
    }

    fn is_word(&self, word: &str) -> bool {
        self.is_word_ahead(0, word)
    }

    fn is_word_ahead(&self, n: usize, word: &str) -> bool {
        matches!(self.ahead(n), Token::Word(w) if w.eq_ignore_ascii_case(word))
    }

    /// Takes words that stand after each other, all or none.
    fn takes_words(&mut self, words: &[&str]) -> bool {
        let all = words.iter().enumerate().all(|(i, word)| self.is_word_ahead(i, word));
        if all {
            words.iter().for_each(|_| self.advance());
        }
        all
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes_words(&[word])
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    /// A name, also one that is a keyword elsewhere.
    fn name(&mut self, what: &str) -> Parsed<String> {
        let (Token::Word(name) | Token::Quoted(name)) = self.token() else {
            return Err(self.unexpected(what));
        };
        let name = name.clone();
        self.advance();
        Ok(name)
    }

    /// A name for a variable that has none; no query can write it.
    fn hidden(&mut self) -> String {
        self.n_hidden += 1;
        format!(" {}", self.n_hidden)
    }

    /// Runs `inner` one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} expressions stand within each other here");
            return Err(self.fault(message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Refuses an expression that is too high to be walked over.
    fn check_height(&self, expr: &Expr) -> Parsed<()> {
        if expr.depth > MAX_HEIGHT {
            let message = format!("an expression has more than {MAX_HEIGHT} operators in a row");
            return Err(self.fault(message).hint("write a list, with IN, all, reduce or UNWIND"));
        }
        Ok(())
    }

    /// Reads what `|` ends, or what it does not end because brackets stand around it.
    fn with_bar<T>(&mut self, ends: bool, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.bar_ends, ends);
        let result = inner(self);
        self.bar_ends = before;
        result
    }

    fn fault(&self, message: impl Into<String>) -> CypherError {
        CypherError::syntax(Cause::UnexpectedSyntax, self.at(), message)
    }

    /// What stands at the next token, where `expected` was expected.
    fn unexpected(&self, expected: &str) -> CypherError {
        let placed = &self.tokens[self.next];
        let found = match &placed.token {
            Token::End => "the end of the query".to_owned(),
            _ => {
                let text = &self.text[placed.start..placed.end];
                let shown: String = text.chars().take(40).collect();
                format!("`{shown}`")
            }
        };
        let error = self.fault(format!("expected {expected}, found {found}"));
        if let Token::Word(found) = &placed.token
            && let Some((meant, letter, script)) = look_alikes::latin(found)
        {
            return error.hint(look_alikes::word(found, letter, script, &meant));
        }
        match self.what_else_was_meant() {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    /// What is right in Cypher in place of what stands there in other languages.
    fn what_else_was_meant(&self) -> Option<&'static str> {
        Some(match self.token() {
            Token::Sign("=") => "equality is one `=`, and a name for a value is `AS name`",
            Token::Sign("!") => "write `<>` or `NOT`",
            Token::Sign("&") if self.is_ahead(1, "&") => "write `AND`",
            Token::Sign("|") if self.is_ahead(1, "|") => "write `OR`",
            Token::Sign("?") => "write `coalesce(value, other)` for a value that may be missing",
            Token::Word(word) => match word.to_ascii_uppercase().as_str() {
                "GROUP" => {
                    "rows are grouped by the items of WITH or RETURN that have no count, sum, …: \
                     leave GROUP BY out"
                }
                "HAVING" => "write WITH …, count(*) AS n WHERE n > 1",
                "SELECT" => "write MATCH (n:Label) WHERE … RETURN n.name",
                "INSERT" => "write CREATE (n:Label {name: 'x'})",
                "UPDATE" => "write MATCH (n) SET n.name = 'x'",
                "FROM" | "JOIN" => "write a pattern: MATCH (a)-[:TYPE]->(b)",
                "BETWEEN" => "write 1 <= n.x <= 9",
                "LIKE" => "write CONTAINS, STARTS WITH, ENDS WITH or =~ with a regular expression",
                "LOAD" => "files cannot be loaded here; write the values into the query",
                "PREFIX" | "ASK" | "CONSTRUCT" => "this is SPARQL; expected Cypher",
                _ => return None,
            },
            _ => return None,
        })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        if self.takes_word("PROFILE") {
            return self.statement();
        }
        if self.takes_word("EXPLAIN") {
            // What is only explained is not carried out.
            self.statement()?;
            return Ok(Statement::Schema);
        }
        if self.is_schema() {
            while !self.is(";") && self.token() != &Token::End {
                self.advance();
            }
            return Ok(Statement::Schema);
        }
        self.union().map(Statement::Query)
    }

    /// Whether a statement about indexes or constraints begins here.
    fn is_schema(&self) -> bool {
        let is_about = |n: usize| {
            ["INDEX", "INDEXES", "CONSTRAINT", "CONSTRAINTS"]
                .iter()
                .any(|word| self.is_word_ahead(n, word))
        };
        let begins = ["CREATE", "DROP", "SHOW"].iter().any(|word| self.is_word(word));
        let sorts = ["RANGE", "TEXT", "POINT", "LOOKUP", "FULLTEXT", "VECTOR", "UNIQUE", "ALL"];
        begins
            && (is_about(1) || is_about(2) && sorts.iter().any(|sort| self.is_word_ahead(1, sort)))
    }
}
