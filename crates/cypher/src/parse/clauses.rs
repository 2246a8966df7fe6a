//! Clauses.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::ast::{
    Clause, ClauseKind, Expr, ExprKind, Imports, Item, Key, Match, Merge, ProcedureCall,
    Projection, RemoveItem, SetItem, Single, SortItem, Subquery, Union, Variable,
};
use crate::error::{Cause, CypherError};

/// Words with which a clause begins.
const CLAUSES: [&str; 16] = [
    "MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CREATE", "INSERT", "MERGE", "DELETE",
    "DETACH", "NODETACH", "SET", "REMOVE", "FOREACH", "CALL", "FINISH",
];

impl Parser<'_> {
    /// Queries with UNION between them.
    pub(super) fn union(&mut self) -> Parsed<Union> {
        let mut parts = vec![self.single()?];
        let mut all = None;
        while self.is_word("UNION") {
            let here = self.at();
            self.advance();
            let is_all = self.takes_word("ALL");
            if !is_all {
                self.takes_word("DISTINCT");
            }
            if *all.get_or_insert(is_all) != is_all {
                let message = "UNION and UNION ALL cannot stand in one query";
                return Err(CypherError::syntax(Cause::InvalidClauseComposition, here, message));
            }
            parts.push(self.single()?);
        }
        Ok(Union { parts, all: all == Some(true), columns: Vec::new(), n_slots: 0 })
    }

    fn single(&mut self) -> Parsed<Single> {
        let at = self.at();
        let mut clauses = Vec::new();
        while CLAUSES.iter().any(|word| self.is_word(word)) {
            clauses.push(self.clause()?);
        }
        if clauses.is_empty() {
            return Err(self.unexpected("a clause such as MATCH, CREATE, MERGE or RETURN"));
        }
        Ok(Single { clauses, at })
    }

    fn clause(&mut self) -> Parsed<Clause> {
        let at = self.at();
        let word = match self.token() {
            Token::Word(word) => word.to_ascii_uppercase(),
            _ => return Err(self.unexpected("a clause")),
        };
        self.advance();
        let kind = match word.as_str() {
            "OPTIONAL" if self.is_word("CALL") => {
                self.advance();
                self.call(true)?
            }
            "OPTIONAL" => {
                self.expect_word("MATCH")?;
                self.match_clause(true)?
            }
            "MATCH" => self.match_clause(false)?,
            "UNWIND" => {
                let list = self.expr()?;
                self.expect_word("AS")?;
                ClauseKind::Unwind { list, variable: self.variable()? }
            }
            "WITH" => {
                let mut projection = self.projection(at)?;
                projection.condition = self.condition()?;
                ClauseKind::With(projection)
            }
            "RETURN" => ClauseKind::Return(self.projection(at)?),
            "CREATE" | "INSERT" => ClauseKind::Create(self.paths()?),
            "MERGE" => self.merge()?,
            "DETACH" | "NODETACH" | "DELETE" => {
                if word != "DELETE" {
                    self.expect_word("DELETE")?;
                }
                let what = self.separated(Self::expr)?;
                ClauseKind::Delete { detach: word == "DETACH", what }
            }
            "SET" => ClauseKind::Set(self.separated(Self::set_item)?),
            "REMOVE" => ClauseKind::Remove(self.separated(Self::remove_item)?),
            "FOREACH" => self.foreach()?,
            "CALL" => self.call(false)?,
            _ => ClauseKind::Finish,
        };
        Ok(Clause { kind, at })
    }

    /// Things with commas between them.
    pub(super) fn separated<T>(&mut self, one: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.takes(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    pub(super) fn variable(&mut self) -> Parsed<Variable> {
        let at = self.at();
        Ok(Variable::new(self.name("the name of a variable")?, at))
    }

    fn condition(&mut self) -> Parsed<Option<Expr>> {
        if self.takes_word("WHERE") { self.expr().map(Some) } else { Ok(None) }
    }

    fn match_clause(&mut self, optional: bool) -> Parsed<ClauseKind> {
        let paths = self.paths()?;
        // Hints for a planner change nothing about the answer.
        while self.takes_word("USING") {
            while !self.is("(") && self.token() != &Token::End {
                self.advance();
            }
            self.skip_brackets();
        }
        let condition = self.condition()?;
        Ok(ClauseKind::Match(Match { optional, paths, condition, conjuncts: Vec::new() }))
    }

    fn skip_brackets(&mut self) {
        if self.is("(") {
            self.next = self.closing[self.next];
            self.advance();
        }
    }

    fn projection(&mut self, at: usize) -> Parsed<Projection> {
        let distinct = self.takes_word("DISTINCT");
        if !distinct {
            // `ALL` is the default; a variable of that name is meant where no item could follow.
            let is_item =
                matches!(self.ahead(1), Token::Sign(_) | Token::End) || self.is_word_ahead(1, "AS");
            if self.is_word("ALL") && !is_item {
                self.advance();
            }
        }
        let all = self.takes("*");
        let mut items = Vec::new();
        if !all || self.takes(",") {
            items = self.separated(Self::item)?;
        }
        let mut order = Vec::new();
        if self.takes_words(&["ORDER", "BY"]) {
            order = self.separated(Self::sort_item)?;
        }
        let skip = if self.takes_word("SKIP") || self.takes_word("OFFSET") {
            Some(self.expr()?)
        } else {
            None
        };
        let limit = if self.takes_word("LIMIT") { Some(self.expr()?) } else { None };
        Ok(Projection {
            distinct,
            all,
            items,
            order,
            skip,
            limit,
            condition: None,
            aggregates: Vec::new(),
            at,
        })
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.at();
        let expr = self.expr()?;
        let end = self.tokens[self.next - 1].end;
        let is_named = self.takes_word("AS");
        let alias = if is_named {
            self.variable()?
        } else if let ExprKind::Variable(variable) = &expr.kind {
            variable.clone()
        } else {
            Variable::new(&self.text[start..end], start)
        };
        Ok(Item { expr, alias, is_named, has_aggregate: false })
    }

    fn sort_item(&mut self) -> Parsed<SortItem> {
        let expr = self.expr()?;
        let descending = self.takes_word("DESC") || self.takes_word("DESCENDING");
        if !descending {
            let _ = self.takes_word("ASC") || self.takes_word("ASCENDING");
        }
        let nulls_first = if self.takes_words(&["NULLS", "FIRST"]) {
            Some(true)
        } else {
            self.takes_words(&["NULLS", "LAST"]).then_some(false)
        };
        Ok(SortItem { expr, descending, nulls_first })
    }

    fn merge(&mut self) -> Parsed<ClauseKind> {
        let path = self.path()?;
        let (mut on_create, mut on_match) = (Vec::new(), Vec::new());
        while self.takes_word("ON") {
            let list = if self.takes_word("CREATE") {
                &mut on_create
            } else if self.takes_word("MATCH") {
                &mut on_match
            } else {
                return Err(self.unexpected("CREATE or MATCH"));
            };
            self.expect_word("SET")?;
            list.extend(self.separated(Self::set_item)?);
        }
        Ok(ClauseKind::Merge(Box::new(Merge { path, on_create, on_match })))
    }

    fn set_item(&mut self) -> Parsed<SetItem> {
        if matches!(self.token(), Token::Word(_) | Token::Quoted(_)) {
            if self.is_ahead(1, ":") || self.is_word_ahead(1, "IS") {
                let target = self.variable()?;
                return Ok(SetItem::Labels { target, labels: self.plain_labels()? });
            }
            if self.is_ahead(1, "=") || self.is_ahead(1, "+=") {
                let target = self.variable()?;
                let keep = self.is("+=");
                self.advance();
                return Ok(SetItem::Properties { target, value: self.expr()?, keep });
            }
        }
        let (target, key) = self.property_of()?;
        self.expect("=", "after the property")?;
        Ok(SetItem::Property { target, key, value: self.expr()? })
    }

    fn remove_item(&mut self) -> Parsed<RemoveItem> {
        if self.is_ahead(1, ":") || self.is_word_ahead(1, "IS") {
            let target = self.variable()?;
            return Ok(RemoveItem::Labels { target, labels: self.plain_labels()? });
        }
        let (target, key) = self.property_of()?;
        Ok(RemoveItem::Property { target, key })
    }

    /// `n.name`, `(n).name` or `n['name']`.
    fn property_of(&mut self) -> Parsed<(Expr, Key)> {
        let expr = self.postfix()?;
        match expr.kind {
            ExprKind::Property(of, name) => Ok((*of, Key::Name(name))),
            ExprKind::Index(of, key) => Ok((*of, Key::Computed(*key))),
            _ => Err(self.unexpected("a property such as n.name, or a label such as n:Label")),
        }
    }

    fn foreach(&mut self) -> Parsed<ClauseKind> {
        self.expect("(", "after FOREACH")?;
        let variable = self.variable()?;
        self.expect_word("IN")?;
        let list = self.expr()?;
        self.expect("|", "between the list and the clauses")?;
        let mut clauses = Vec::new();
        while !self.is(")") {
            let clause = self.deeper(Self::clause)?;
            let writes = matches!(
                clause.kind,
                ClauseKind::Create(_)
                    | ClauseKind::Merge(_)
                    | ClauseKind::Delete { .. }
                    | ClauseKind::Set(_)
                    | ClauseKind::Remove(_)
                    | ClauseKind::Foreach { .. }
            );
            if !writes {
                let message = "only clauses that write can stand in FOREACH";
                return Err(CypherError::syntax(
                    Cause::InvalidClauseComposition,
                    clause.at,
                    message,
                )
                .hint("for reading, write UNWIND list AS x"));
            }
            clauses.push(clause);
        }
        self.expect(")", "to end FOREACH")?;
        Ok(ClauseKind::Foreach { variable, list, clauses })
    }

    fn call(&mut self, optional: bool) -> Parsed<ClauseKind> {
        let scope = if self.is("(") {
            self.advance();
            let imports = if self.takes("*") {
                Imports::All
            } else if self.is(")") {
                Imports::Named(Vec::new())
            } else {
                Imports::Named(self.separated(Self::variable)?)
            };
            self.expect(")", "after the variables")?;
            Some(imports)
        } else {
            None
        };
        if scope.is_some() || self.is("{") {
            self.expect("{", "before the query")?;
            let query = self.deeper(Self::union)?;
            self.expect("}", "after the query")?;
            if self.takes_word("IN") {
                // Every query is one transaction here.
                while !self.is(";")
                    && self.token() != &Token::End
                    && !CLAUSES.iter().any(|word| self.is_word(word))
                {
                    self.advance();
                }
            }
            let call = Subquery { query, scope, out: Vec::new(), optional };
            return Ok(ClauseKind::Call(Box::new(call)));
        }
        self.procedure()
    }

    fn procedure(&mut self) -> Parsed<ClauseKind> {
        let mut name = self.name("the name of a procedure, or a query in braces")?;
        while self.takes(".") {
            name.push('.');
            name.push_str(&self.name("a name")?);
        }
        let has_arguments = self.is("(") && !self.is_ahead(1, ")");
        self.skip_brackets();
        let column = match name.to_ascii_lowercase().as_str() {
            "db.labels" => Some("label"),
            "db.relationshiptypes" => Some("relationshipType"),
            "db.propertykeys" => Some("propertyKey"),
            _ => None,
        };
        let (mut variable, mut condition) = (None, None);
        if self.takes_word("YIELD") && !self.takes("*") {
            let at = self.at();
            let yielded = self.name(column.unwrap_or("the name of a column"))?;
            if let Some(column) = column.filter(|column| yielded != *column) {
                let message = format!("{name} has no column {yielded}; it has {column}");
                return Err(CypherError::syntax(Cause::UndefinedVariable, at, message));
            }
            let alias =
                if self.takes_word("AS") { self.variable()? } else { Variable::new(yielded, at) };
            // Others than ours may have more columns.
            while column.is_none() && self.takes(",") {
                self.name("the name of a column")?;
                if self.takes_word("AS") {
                    self.variable()?;
                }
            }
            variable = Some(alias);
            condition = self.condition()?;
        }
        let call = ProcedureCall { name, column, has_arguments, variable, condition };
        Ok(ClauseKind::Procedure(call))
    }
}
