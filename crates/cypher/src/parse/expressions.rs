//! Expressions.

use super::lexer::Token;
use super::{MAX_SUBQUERIES, Parsed, Parser};
use crate::ast::{
    Aggregate, AggregateFunction, BinaryOp, Call, Case, CompareOp, Expr, ExprKind,
    ListComprehension, MapItem, PatternComprehension, Quantifier, QuantifierKind, Reduce,
    SubqueryExpr, SubqueryKind, Variable,
};
use crate::ast::{Clause, ClauseKind, Match, Single, Union};
use crate::error::{Cause, CypherError};
use crate::functions::Function;
use crate::value::CypherValue;

/// How tightly comparisons hold; what is looser stands before, what is tighter after.
const OR: u8 = 1;
const XOR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARE: u8 = 5;
const TEST: u8 = 6;
const ADD: u8 = 7;
const MULTIPLY: u8 = 8;
const POWER: u8 = 9;

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let expr = self.deeper(|parser| parser.above(OR))?;
        self.check_height(&expr)?;
        Ok(expr)
    }

    /// An expression whose operators hold at least as tightly as `level`.
    fn above(&mut self, level: u8) -> Parsed<Expr> {
        let at = self.at();
        if level <= NOT && self.is_word("NOT") {
            self.advance();
            let inner = self.deeper(|parser| parser.above(NOT))?;
            let not = Expr::new(ExprKind::Not(Box::new(inner)), at);
            return self.operators(not, level);
        }
        let first = self.unary()?;
        self.operators(first, level)
    }

    fn operators(&mut self, mut left: Expr, level: u8) -> Parsed<Expr> {
        loop {
            self.check_height(&left)?;
            let at = self.at();
            if level <= COMPARE
                && let Some(first) = self.compare_op()
            {
                let mut rest = Vec::new();
                let mut next = Some(first);
                while let Some(op) = next {
                    self.check_sign()?;
                    self.advance();
                    rest.push((op, self.above(TEST)?));
                    next = self.compare_op();
                }
                left = Expr::new(ExprKind::Compare(Box::new(left), rest), at);
                continue;
            }
            if level <= TEST && self.is_word("IS") {
                left = self.is_test(left)?;
                continue;
            }
            let Some((op, of, n_words)) = self.binary_op() else { return Ok(left) };
            if of < level {
                return Ok(left);
            }
            self.check_sign()?;
            if matches!(op, BinaryOp::And | BinaryOp::Or) {
                left = self.chain_of(op, of, left)?;
                continue;
            }
            for _ in 0..n_words {
                self.advance();
            }
            let right = self.deeper(|parser| parser.above(of + 1))?;
            left = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), at);
        }
    }

    /// What stands between many ANDs, or many ORs, as a tree that is as low as it can be.
    fn chain_of(&mut self, op: BinaryOp, of: u8, first: Expr) -> Parsed<Expr> {
        let mut parts = vec![(first, self.at())];
        while self.binary_op().is_some_and(|(next, ..)| next == op) {
            let at = self.at();
            self.advance();
            parts.push((self.deeper(|parser| parser.above(of + 1))?, at));
        }
        while parts.len() > 1 {
            let mut pairs = parts.into_iter();
            parts = Vec::new();
            while let Some((left, at)) = pairs.next() {
                parts.push(match pairs.next() {
                    Some((right, between)) => {
                        let both = ExprKind::Binary(op, Box::new(left), Box::new(right));
                        (Expr::new(both, between), at)
                    }
                    None => (left, at),
                });
            }
        }
        match parts.pop() {
            Some((all, _)) => Ok(all),
            None => Err(self.unexpected("an expression")),
        }
    }

    fn compare_op(&self) -> Option<CompareOp> {
        let Token::Sign(sign) = self.token() else { return None };
        Some(match *sign {
            // `==` is no operator, and says so when its second half is met.
            "=" => CompareOp::Equal,
            "<>" | "!=" => CompareOp::NotEqual,
            "<" => CompareOp::Less,
            "<=" => CompareOp::LessEqual,
            ">" => CompareOp::Greater,
            ">=" => CompareOp::GreaterEqual,
            _ => return None,
        })
    }

    /// An operator between two expressions, how tightly it holds, and how many tokens it has.
    fn binary_op(&self) -> Option<(BinaryOp, u8, usize)> {
        if let Token::Sign(sign) = self.token() {
            return Some(match *sign {
                "+" => (BinaryOp::Add, ADD, 1),
                "-" => (BinaryOp::Subtract, ADD, 1),
                "||" => (BinaryOp::Concat, ADD, 1),
                "*" => (BinaryOp::Multiply, MULTIPLY, 1),
                "/" => (BinaryOp::Divide, MULTIPLY, 1),
                "%" => (BinaryOp::Remainder, MULTIPLY, 1),
                "^" => (BinaryOp::Power, POWER, 1),
                "=~" => (BinaryOp::Matches, TEST, 1),
                _ => return None,
            });
        }
        let Token::Word(word) = self.token() else { return None };
        Some(match word.to_ascii_uppercase().as_str() {
            "OR" => (BinaryOp::Or, OR, 1),
            "XOR" => (BinaryOp::Xor, XOR, 1),
            "AND" => (BinaryOp::And, AND, 1),
            "IN" => (BinaryOp::In, TEST, 1),
            "CONTAINS" => (BinaryOp::Contains, TEST, 1),
            "STARTS" if self.is_word_ahead(1, "WITH") => (BinaryOp::StartsWith, TEST, 2),
            "ENDS" if self.is_word_ahead(1, "WITH") => (BinaryOp::EndsWith, TEST, 2),
            _ => return None,
        })
    }

    /// `IS NULL`, `IS NOT NULL`, `IS :Label`.
    fn is_test(&mut self, left: Expr) -> Parsed<Expr> {
        let at = self.at();
        self.advance();
        let not = self.takes_word("NOT");
        if self.takes_word("NULL") {
            return Ok(Expr::new(ExprKind::IsNull(Box::new(left), !not), at));
        }
        let labels = if self.is(":") { self.label_expr()? } else { None };
        let Some(labels) = labels else { return Err(self.unexpected("NULL or NOT NULL")) };
        let test = Expr::new(ExprKind::HasLabels(Box::new(left), labels), at);
        Ok(if not { Expr::new(ExprKind::Not(Box::new(test)), at) } else { test })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        if self.is("-") {
            self.check_sign()?;
            self.advance();
            if self.token() == &Token::MinusOnly {
                self.advance();
                return Ok(Expr::new(ExprKind::Constant(CypherValue::Int(i64::MIN)), at));
            }
            let inner = self.deeper(Self::unary)?;
            return Ok(match inner.kind {
                ExprKind::Constant(CypherValue::Int(n)) if n != i64::MIN => {
                    Expr::new(ExprKind::Constant(CypherValue::Int(-n)), at)
                }
                ExprKind::Constant(CypherValue::Float(x)) => {
                    Expr::new(ExprKind::Constant(CypherValue::Float(-x)), at)
                }
                _ => Expr::new(ExprKind::Minus(Box::new(inner)), at),
            });
        }
        if self.takes("+") {
            let inner = self.deeper(Self::unary)?;
            return Ok(Expr::new(ExprKind::Plus(Box::new(inner)), at));
        }
        let expr = self.postfix()?;
        if self.is(":") && !self.is_ahead(1, ":") {
            let labels = self.labels_in_expression()?;
            return Ok(match labels {
                Some(labels) => Expr::new(ExprKind::HasLabels(Box::new(expr), labels), at),
                None => expr,
            });
        }
        Ok(expr)
    }

    /// An atom with `.name`, `[index]` and `[from..to]` behind it.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.atom()?;
        loop {
            self.check_height(&expr)?;
            let at = self.at();
            if self.takes(".") {
                let key = self.name("the name of a property")?;
                expr = Expr::new(ExprKind::Property(Box::new(expr), key), at);
            } else if self.takes("[") {
                expr = self.subscript(expr, at)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn subscript(&mut self, of: Expr, at: usize) -> Parsed<Expr> {
        let from = if self.is("..") { None } else { Some(Box::new(self.expr()?)) };
        if self.takes("..") {
            let to = if self.is("]") { None } else { Some(Box::new(self.expr()?)) };
            self.expect("]", "after the range")?;
            return Ok(Expr::new(ExprKind::Slice(Box::new(of), from, to), at));
        }
        self.expect("]", "after the index")?;
        match from {
            Some(index) => Ok(Expr::new(ExprKind::Index(Box::new(of), index), at)),
            None => Err(self.unexpected("an index")),
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let constant = |value| Ok(Expr::new(ExprKind::Constant(value), at));
        match self.token().clone() {
            Token::Int(n) => {
                self.advance();
                constant(CypherValue::Int(n))
            }
            Token::Float(x) => {
                self.advance();
                constant(CypherValue::Float(x))
            }
            Token::Text(text) => {
                self.advance();
                constant(CypherValue::text(text))
            }
            Token::NoNumber => {
                let placed = &self.tokens[self.next];
                let message = format!("{} is no number", &self.text[placed.start..placed.end]);
                Err(CypherError::syntax(Cause::InvalidNumberLiteral, at, message))
            }
            Token::MinusOnly => {
                let message = format!("{} is larger than {}", 1_u64 << 63, i64::MAX);
                Err(CypherError::syntax(Cause::IntegerOverflow, at, message))
            }
            Token::Parameter(name) => Ok(Expr::new(self.parameter(name), at)),
            Token::Sign("(") if self.is_path() => {
                let path = self.deeper(Self::chain)?;
                Ok(Expr::new(ExprKind::Pattern(Box::new(path)), at))
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.with_bar(false, Self::expr)?;
                self.expect(")", "after the expression")?;
                // Of its own: `(a < b) < c` is no chain.
                Ok(inner)
            }
            Token::Sign("[") => self.list(),
            Token::Sign("{") => self.map(),
            Token::Quoted(name) => {
                self.advance();
                let variable = Variable::new(name, at);
                self.after_variable(Expr::new(ExprKind::Variable(variable), at))
            }
            Token::Word(word) => self.word(&word),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// What begins with a word: a literal, a function, a variable.
    fn word(&mut self, word: &str) -> Parsed<Expr> {
        let at = self.at();
        let constant = |value| Ok(Expr::new(ExprKind::Constant(value), at));
        let upper = word.to_ascii_uppercase();
        match upper.as_str() {
            "TRUE" | "FALSE" | "NULL" if !self.is_ahead(1, "(") => {
                self.advance();
                return constant(match upper.as_str() {
                    "TRUE" => CypherValue::Bool(true),
                    "FALSE" => CypherValue::Bool(false),
                    _ => CypherValue::Null,
                });
            }
            "CASE" => return self.deeper(Self::case),
            "EXISTS" | "COUNT" | "COLLECT" if self.is_ahead(1, "{") => {
                return self.deeper(Self::subquery);
            }
            "ALL" | "ANY" | "NONE" | "SINGLE"
                if self.is_ahead(1, "(") && self.is_word_ahead(3, "IN") =>
            {
                return self.quantified(&upper);
            }
            "REDUCE" if self.is_ahead(1, "(") && self.is_ahead(3, "=") => return self.reduce(),
            "SHORTESTPATH" | "ALLSHORTESTPATHS" if self.is_ahead(1, "(") => {
                let path = self.deeper(Self::path)?;
                return Ok(Expr::new(ExprKind::Pattern(Box::new(path)), at));
            }
            _ => {}
        }
        let mut n_parts = 1;
        while self.is_ahead(2 * n_parts - 1, ".")
            && matches!(self.ahead(2 * n_parts), Token::Word(_) | Token::Quoted(_))
        {
            n_parts += 1;
        }
        if self.is_ahead(2 * n_parts - 1, "(") {
            return self.function(n_parts);
        }
        self.advance();
        self.after_variable(Expr::new(ExprKind::Variable(Variable::new(word, at)), at))
    }

    /// `n {.name, .*}` is a map made of a variable.
    fn after_variable(&mut self, variable: Expr) -> Parsed<Expr> {
        if !self.is("{") {
            return Ok(variable);
        }
        let at = self.at();
        self.advance();
        let mut items = Vec::new();
        while !self.is("}") {
            items.push(if self.takes(".") {
                if self.takes("*") {
                    MapItem::All
                } else {
                    MapItem::Property(self.name("the name of a property")?)
                }
            } else {
                let at = self.at();
                let key = self.name("a name, or .name")?;
                if self.takes(":") {
                    MapItem::Entry(key, self.expr()?)
                } else {
                    let variable = ExprKind::Variable(Variable::new(key.clone(), at));
                    MapItem::Entry(key, Expr::new(variable, at))
                }
            });
            if !self.takes(",") {
                break;
            }
        }
        self.expect("}", "after the map")?;
        Ok(Expr::new(ExprKind::MapProjection(Box::new(variable), items), at))
    }

    pub(super) fn map(&mut self) -> Parsed<Expr> {
        let at = self.at();
        self.expect("{", "for a map")?;
        let mut entries = Vec::new();
        if !self.is("}") {
            entries = self.separated(|parser| {
                // JSON puts its names in quotes.
                let key = match parser.token().clone() {
                    Token::Text(key) => {
                        parser.advance();
                        key
                    }
                    _ => parser.name("a name")?,
                };
                parser.expect(":", "after the name")?;
                Ok((key, parser.expr()?))
            })?;
        }
        self.expect("}", "after the map")?;
        Ok(Expr::new(ExprKind::Map(entries), at))
    }

    fn list(&mut self) -> Parsed<Expr> {
        let at = self.at();
        self.expect("[", "for a list")?;
        if self.is_path() || self.is_ahead(1, "=") && self.is_ahead(2, "(") {
            return self.pattern_comprehension(at);
        }
        let is_name = matches!(self.token(), Token::Word(_) | Token::Quoted(_));
        if is_name && self.is_word_ahead(1, "IN") {
            return self.list_comprehension(at);
        }
        let mut items = Vec::new();
        if !self.is("]") {
            items = self.with_bar(false, |parser| parser.separated(Self::expr))?;
        }
        self.expect("]", "after the list")?;
        Ok(Expr::new(ExprKind::List(items), at))
    }

    fn list_comprehension(&mut self, at: usize) -> Parsed<Expr> {
        let variable = self.variable()?;
        self.advance();
        let list = self.expr()?;
        if self.is(",") {
            // A list whose first item asks whether something is in another list.
            let first = Expr::new(ExprKind::Variable(variable), at);
            let first = ExprKind::Binary(BinaryOp::In, Box::new(first), Box::new(list));
            let mut items = vec![Expr::new(first, at)];
            while self.takes(",") {
                items.push(self.expr()?);
            }
            self.expect("]", "after the list")?;
            return Ok(Expr::new(ExprKind::List(items), at));
        }
        let condition = self.condition_before_bar()?;
        let result = if self.takes("|") { Some(self.expr()?) } else { None };
        self.expect("]", "after the list")?;
        let comprehension = ListComprehension { variable, list, condition, result };
        Ok(Expr::new(ExprKind::ListComprehension(Box::new(comprehension)), at))
    }

    fn pattern_comprehension(&mut self, at: usize) -> Parsed<Expr> {
        let path = self.path()?;
        let condition = self.condition_before_bar()?;
        self.expect("|", "and what each path gives")?;
        let result = self.expr()?;
        self.expect("]", "after the list")?;
        let found = Match { optional: false, paths: vec![path], condition, conjuncts: Vec::new() };
        let comprehension = PatternComprehension { found, result };
        Ok(Expr::new(ExprKind::PatternComprehension(Box::new(comprehension)), at))
    }

    fn condition_before_bar(&mut self) -> Parsed<Option<Expr>> {
        if self.takes_word("WHERE") { self.with_bar(true, Self::expr).map(Some) } else { Ok(None) }
    }

    fn case(&mut self) -> Parsed<Expr> {
        let at = self.at();
        self.advance();
        let of = if self.is_word("WHEN") { None } else { Some(self.expr()?) };
        let mut when = Vec::new();
        while self.takes_word("WHEN") {
            let values = self.separated(Self::expr)?;
            self.expect_word("THEN")?;
            when.push((values, self.expr()?));
        }
        if when.is_empty() {
            return Err(self.unexpected("WHEN"));
        }
        let otherwise = if self.takes_word("ELSE") { Some(self.expr()?) } else { None };
        self.expect_word("END")?;
        Ok(Expr::new(ExprKind::Case(Box::new(Case { of, when, otherwise })), at))
    }

    fn quantified(&mut self, word: &str) -> Parsed<Expr> {
        let at = self.at();
        let kind = match word {
            "ALL" => QuantifierKind::All,
            "ANY" => QuantifierKind::Any,
            "NONE" => QuantifierKind::None,
            _ => QuantifierKind::Single,
        };
        self.advance();
        self.advance();
        let variable = self.variable()?;
        self.advance();
        let list = self.expr()?;
        self.expect_word("WHERE")?;
        let condition = self.expr()?;
        self.expect(")", "after the condition")?;
        let quantifier = Quantifier { kind, variable, list, condition };
        Ok(Expr::new(ExprKind::Quantifier(Box::new(quantifier)), at))
    }

    fn reduce(&mut self) -> Parsed<Expr> {
        let at = self.at();
        self.advance();
        self.advance();
        let sum = self.variable()?;
        self.expect("=", "and the first value")?;
        let start = self.expr()?;
        self.expect(",", "after the first value")?;
        let variable = self.variable()?;
        self.expect_word("IN")?;
        let list = self.expr()?;
        self.expect("|", "and the next value")?;
        let step = self.expr()?;
        self.expect(")", "to end reduce")?;
        let reduce = Reduce { sum, start, variable, list, step };
        Ok(Expr::new(ExprKind::Reduce(Box::new(reduce)), at))
    }

    fn function(&mut self, n_parts: usize) -> Parsed<Expr> {
        let at = self.at();
        let mut name = self.name("the name of a function")?;
        for _ in 1..n_parts {
            self.advance();
            name.push('.');
            name.push_str(&self.name("the name of a function")?);
        }
        self.expect("(", "after the name of the function")?;
        let lower = name.to_ascii_lowercase();
        let distinct = self.takes_word("DISTINCT");
        let aggregate = AggregateFunction::named(&lower);
        if self.is("*") && aggregate == Some(AggregateFunction::Count) {
            self.advance();
            self.expect(")", "after count(*")?;
            let function = AggregateFunction::Count;
            let count = Aggregate { function, distinct, of: None, part: None };
            return Ok(Expr::new(ExprKind::Aggregate(Box::new(count)), at));
        }
        let mut arguments = Vec::new();
        if !self.is(")") {
            arguments = self.with_bar(false, |parser| parser.separated(Self::expr))?;
        }
        self.expect(")", "after the arguments")?;
        let n = arguments.len();
        if let Some(function) = aggregate
            && n == 1 + usize::from(function.takes_part())
        {
            let part = if function.takes_part() { arguments.pop() } else { None };
            let aggregate = Aggregate { function, distinct, of: arguments.pop(), part };
            return Ok(Expr::new(ExprKind::Aggregate(Box::new(aggregate)), at));
        }
        // `exists(n.name)` of older versions.
        if lower == "exists"
            && n == 1
            && let Some(of) = arguments.pop()
        {
            return Ok(match of.kind {
                ExprKind::Pattern(_) => of,
                _ => Expr::new(ExprKind::IsNull(Box::new(of), false), at),
            });
        }
        // What no function is, is refused where names are resolved: the text is right so far.
        let function = Function::named(&lower).filter(|function| function.takes(n));
        let call = Call { name, function, distinct, arguments };
        Ok(Expr::new(ExprKind::Call(Box::new(call)), at))
    }

    /// `EXISTS {…}`, `COUNT {…}`, `COLLECT {…}`; in the first two a pattern is enough.
    fn subquery(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let kind = if self.is_word("EXISTS") {
            SubqueryKind::Exists
        } else if self.is_word("COUNT") {
            SubqueryKind::Count
        } else {
            SubqueryKind::Collect
        };
        if self.n_subqueries >= MAX_SUBQUERIES {
            let message =
                format!("more than {MAX_SUBQUERIES} queries stand within each other here");
            return Err(self.fault(message));
        }
        self.n_subqueries += 1;
        self.advance();
        self.expect("{", "before the query")?;
        let inner_at = self.at();
        let is_pattern = self.is("(")
            || self.is_ahead(1, "=")
            || self.is_word("shortestPath")
            || self.is_word("allShortestPaths");
        let query = if is_pattern {
            let paths = self.paths()?;
            let condition = if self.takes_word("WHERE") { Some(self.expr()?) } else { None };
            let clause = Match { optional: false, paths, condition, conjuncts: Vec::new() };
            let clauses = vec![Clause { kind: ClauseKind::Match(clause), at: inner_at }];
            let parts = vec![Single { clauses, at: inner_at }];
            Union { parts, all: true, columns: Vec::new(), n_slots: 0 }
        } else {
            self.union()?
        };
        self.expect("}", "after the query")?;
        self.n_subqueries -= 1;
        Ok(Expr::new(ExprKind::Subquery(kind, Box::new(SubqueryExpr { query })), at))
    }
}
