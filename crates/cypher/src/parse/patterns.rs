//! Patterns: `p = (a:A {x: 1})-[r:R|S*1..3]->(b)`.

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::ast::{
    Direction, EdgePattern, Expr, LabelExpr, NodePattern, PathPattern, Shortest, Variable,
};
use crate::error::{Cause, CypherError};

impl Parser<'_> {
    /// Paths with commas between them.
    pub(super) fn paths(&mut self) -> Parsed<Vec<PathPattern>> {
        self.separated(Self::path)
    }

    /// A path, with its name and what is special about it.
    pub(super) fn path(&mut self) -> Parsed<PathPattern> {
        let at = self.at();
        let variable = if self.is_ahead(1, "=") { Some(self.variable()?) } else { None };
        if variable.is_some() {
            self.advance();
        }
        let mut shortest = None;
        let mut in_brackets = false;
        if self.is_ahead(1, "(") {
            if self.takes_word("shortestPath") {
                (shortest, in_brackets) = (Some(Shortest::One), true);
            } else if self.takes_word("allShortestPaths") {
                (shortest, in_brackets) = (Some(Shortest::All), true);
            }
        }
        if shortest.is_none() {
            shortest = self.selector()?;
        }
        if in_brackets {
            self.expect("(", "after shortestPath")?;
        }
        let mut path = self.chain()?;
        if in_brackets {
            self.expect(")", "after the path")?;
        }
        path.variable = variable;
        path.shortest = shortest;
        path.at = at;
        Ok(path)
    }

    /// `ANY SHORTEST`, `ALL SHORTEST`, `SHORTEST 1`.
    fn selector(&mut self) -> Parsed<Option<Shortest>> {
        if self.takes_words(&["ALL", "SHORTEST"]) {
            return Ok(Some(Shortest::All));
        }
        if self.takes_words(&["ANY", "SHORTEST"]) {
            return Ok(Some(Shortest::One));
        }
        if self.is_word("SHORTEST") {
            if self.ahead(1) != &Token::Int(1) {
                let message = "only SHORTEST 1, ANY SHORTEST and ALL SHORTEST are known here";
                return Err(self.fault(message));
            }
            self.advance();
            self.advance();
            return Ok(Some(Shortest::One));
        }
        Ok(None)
    }

    /// Nodes and edges, beginning with a node.
    pub(super) fn chain(&mut self) -> Parsed<PathPattern> {
        let at = self.at();
        if self.is("(") && self.is_ahead(1, "(") {
            let error = self.fault("paths in brackets are not known here");
            return Err(error.hint("write -[:TYPE*1..3]-> for an edge that repeats"));
        }
        let mut nodes = vec![self.node()?];
        let mut edges = Vec::new();
        while self.is_edge_at(0) {
            edges.push(self.edge()?);
            nodes.push(self.node()?);
        }
        Ok(PathPattern { variable: None, shortest: None, nodes, edges, at })
    }

    /// Whether what stands `n` tokens ahead begins an edge.
    fn is_edge_at(&self, n: usize) -> bool {
        if self.is_ahead(n, "<") {
            return self.is_ahead(n + 1, "-");
        }
        self.is_ahead(n, "-")
    }

    /// Whether a path with at least one edge begins here, and not an expression in brackets.
    pub(super) fn is_path(&self) -> bool {
        if !self.is("(") {
            return false;
        }
        let is_named = matches!(self.ahead(1), Token::Word(_) | Token::Quoted(_));
        let first = 1 + usize::from(is_named);
        let is_node = [")", ":", "{"].iter().any(|sign| self.is_ahead(first, sign))
            || matches!(self.ahead(first), Token::Parameter(_)) && !is_named;
        let after = self.closing[self.next] + 1 - self.next;
        is_node
            && (self.is_ahead(after, "<")
                && self.is_ahead(after + 1, "-")
                && (self.is_ahead(after + 2, "-") || self.is_ahead(after + 2, "["))
                || self.is_ahead(after, "-")
                    && (self.is_ahead(after + 1, "-") || self.is_ahead(after + 1, "[")))
    }

    pub(super) fn node(&mut self) -> Parsed<NodePattern> {
        let at = self.at();
        self.expect("(", "for a node")?;
        let variable = self.pattern_variable()?;
        let labels = self.label_expr()?;
        let properties = self.properties()?;
        let condition = if self.takes_word("WHERE") { Some(self.expr()?) } else { None };
        self.expect(")", "after the node")?;
        Ok(NodePattern { variable, labels, properties, condition, is_bound: false, at })
    }

    /// A name, or a hidden one where there is none.
    fn pattern_variable(&mut self) -> Parsed<Variable> {
        let is_name = match self.token() {
            Token::Quoted(_) => true,
            Token::Word(word) => {
                let begins_more = ["WHERE", "IS"].iter().any(|w| word.eq_ignore_ascii_case(w));
                let ends = [")", "]", ":", "{", "*", "|"].iter().any(|s| self.is_ahead(1, s));
                !begins_more || ends
            }
            _ => false,
        };
        if is_name {
            return self.variable();
        }
        let at = self.at();
        Ok(Variable::new(self.hidden(), at))
    }

    fn properties(&mut self) -> Parsed<Option<Expr>> {
        let at = self.at();
        if self.is("{") {
            return self.map().map(Some);
        }
        if let Token::Parameter(name) = self.token() {
            let name = name.clone();
            return Ok(Some(Expr::new(self.parameter(name), at)));
        }
        Ok(None)
    }

    fn edge(&mut self) -> Parsed<EdgePattern> {
        let at = self.at();
        let to_left = self.takes("<");
        self.expect("-", "for an edge")?;
        let mut edge = EdgePattern {
            variable: Variable::new(self.hidden(), at),
            types: None,
            properties: None,
            condition: None,
            direction: Direction::Both,
            length: None,
            is_bound: false,
            at,
        };
        if self.takes("[") {
            edge.variable = self.pattern_variable()?;
            edge.types = self.label_expr()?;
            if edge.types.as_ref().and_then(LabelExpr::all_of).is_some_and(|t| t.len() > 1) {
                let message = "a relationship has one type, and cannot have several at once";
                let error = CypherError::syntax(Cause::InvalidRelationshipPattern, at, message);
                return Err(error.hint("write [:A|B] for one of several types"));
            }
            edge.length = self.star()?;
            edge.properties = self.properties()?;
            edge.condition = if self.takes_word("WHERE") { Some(self.expr()?) } else { None };
            self.expect("]", "after the edge")?;
        }
        self.expect("-", "after the edge")?;
        let to_right = self.takes(">");
        edge.direction = match (to_left, to_right) {
            (true, false) => Direction::In,
            (false, true) => Direction::Out,
            _ => Direction::Both,
        };
        if let Some(length) = self.quantifier()? {
            edge.length = Some(length);
        }
        Ok(edge)
    }

    /// `*`, `*2`, `*1..3`, `*..3`, `*1..`.
    fn star(&mut self) -> Parsed<Option<(u64, Option<u64>)>> {
        if self.is("..") {
            let at = self.at();
            let message = "a number of repetitions begins with *";
            let error = CypherError::syntax(Cause::InvalidRelationshipPattern, at, message);
            return Err(error.hint("write -[:TYPE*1..3]->"));
        }
        if !self.takes("*") {
            return Ok(None);
        }
        let least = self.count()?;
        if self.takes("..") {
            return Ok(Some((least.unwrap_or(1), self.count()?)));
        }
        if self.is("-") || self.is(".") {
            let message = "expected a length such as *1..3";
            let at = self.at();
            return Err(CypherError::syntax(Cause::InvalidRelationshipPattern, at, message));
        }
        Ok(Some((least.unwrap_or(1), least)))
    }

    /// What Neo4j 5 writes behind an edge: `+`, `*`, `{2}`, `{1,3}`.
    fn quantifier(&mut self) -> Parsed<Option<(u64, Option<u64>)>> {
        if self.takes("+") {
            return Ok(Some((1, None)));
        }
        if self.takes("*") {
            return Ok(Some((0, None)));
        }
        if !self.takes("{") {
            return Ok(None);
        }
        let least = self.count()?;
        let length = if self.takes(",") {
            (least.unwrap_or(0), self.count()?)
        } else {
            (least.unwrap_or(0), least)
        };
        self.expect("}", "after the number of repetitions")?;
        Ok(Some(length))
    }

    fn count(&mut self) -> Parsed<Option<u64>> {
        let Token::Int(n) = *self.token() else { return Ok(None) };
        self.advance();
        Ok(Some(n.unsigned_abs()))
    }

    /// `:A:B`, `:A|B`, `:A&!B`, `IS A`; nothing where there is none.
    pub(super) fn label_expr(&mut self) -> Parsed<Option<LabelExpr>> {
        if !self.takes(":") && !self.takes_word("IS") {
            return Ok(None);
        }
        self.label_or().map(Some)
    }

    /// Labels behind an expression, in which `|` may have another meaning.
    pub(super) fn labels_in_expression(&mut self) -> Parsed<Option<LabelExpr>> {
        if !self.bar_ends {
            return self.label_expr();
        }
        if !self.takes(":") {
            return Ok(None);
        }
        self.label_and().map(Some)
    }

    fn label_or(&mut self) -> Parsed<LabelExpr> {
        let mut left = self.label_and()?;
        let mut n = 0;
        while self.takes("|") {
            n += 1;
            self.check_labels(n)?;
            // `:A|:B` is an old form.
            self.takes(":");
            left = LabelExpr::Or(Box::new(left), Box::new(self.label_and()?));
        }
        Ok(left)
    }

    fn label_and(&mut self) -> Parsed<LabelExpr> {
        let mut left = self.label_not()?;
        let mut n = 0;
        while self.takes("&") || self.takes(":") {
            n += 1;
            self.check_labels(n)?;
            left = LabelExpr::And(Box::new(left), Box::new(self.label_not()?));
        }
        Ok(left)
    }

    fn check_labels(&self, n: usize) -> Parsed<()> {
        if n > super::MAX_HEIGHT {
            return Err(self.fault("too many labels"));
        }
        Ok(())
    }

    fn label_not(&mut self) -> Parsed<LabelExpr> {
        if self.takes("!") {
            return Ok(LabelExpr::Not(Box::new(self.deeper(Self::label_not)?)));
        }
        if self.takes("(") {
            let inner = self.deeper(Self::label_or)?;
            self.expect(")", "after the labels")?;
            return Ok(inner);
        }
        if self.takes("%") {
            return Ok(LabelExpr::Any);
        }
        self.name("a label or a type").map(LabelExpr::Name)
    }

    /// Labels that are to be given or taken: names alone.
    pub(super) fn plain_labels(&mut self) -> Parsed<Vec<String>> {
        let at = self.at();
        let labels = self.label_expr()?;
        let names = labels.as_ref().and_then(LabelExpr::all_of);
        let names = names.map(|names| names.into_iter().map(str::to_owned).collect());
        names.ok_or_else(|| {
            let message = "expected labels such as :A:B";
            CypherError::syntax(Cause::UnexpectedSyntax, at, message)
        })
    }
}
