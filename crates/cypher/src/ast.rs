//! What a query says, as a tree.
//!
//! The parser makes it with names; [`crate::resolve`] gives every variable the place of its value in
//! a row ([`Variable::slot`]), and takes the aggregates out of the items in which they stand.

pub(crate) use crate::functions::AggregateFunction;
use crate::value::CypherValue;

/// Statements that stand after each other, between semicolons.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub statements: Vec<Statement>,
    /// The names behind `$` in it, and the byte of each.
    pub parameters: Vec<(String, usize)>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A query.
    Query(Union),
    /// About indexes and constraints, which the store does not have.
    Schema,
}

/// Queries whose rows come after each other.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    pub parts: Vec<Single>,
    /// Whether equal rows stay.
    pub all: bool,
    pub columns: Vec<String>,
    /// How many places a row has.
    pub n_slots: usize,
}

/// Clauses, of which each takes the rows of the one before.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    pub clauses: Vec<Clause>,
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub kind: ClauseKind,
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum ClauseKind {
    Match(Match),
    Unwind { list: Expr, variable: Variable },
    With(Projection),
    Return(Projection),
    Create(Vec<PathPattern>),
    Merge(Box<Merge>),
    Delete { detach: bool, what: Vec<Expr> },
    Set(Vec<SetItem>),
    Remove(Vec<RemoveItem>),
    Foreach { variable: Variable, list: Expr, clauses: Vec<Clause> },
    Call(Box<Subquery>),
    Procedure(ProcedureCall),
    Finish,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    pub optional: bool,
    pub paths: Vec<PathPattern>,
    pub condition: Option<Expr>,
    /// The parts of `condition` that must all hold, and what they need.
    pub conjuncts: Vec<Conjunct>,
}

/// A condition, and the variables of its own clause that must have values before it is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conjunct {
    pub condition: Expr,
    pub needs: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Merge {
    pub path: PathPattern,
    pub on_create: Vec<SetItem>,
    pub on_match: Vec<SetItem>,
}

#[derive(Clone, Debug)]
pub(crate) enum SetItem {
    Property {
        target: Expr,
        key: Key,
        value: Expr,
    },
    /// All properties at once: `n = {…}`, or `n += {…}` where `keep`.
    Properties {
        target: Variable,
        value: Expr,
        keep: bool,
    },
    Labels {
        target: Variable,
        labels: Vec<String>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum RemoveItem {
    Property { target: Expr, key: Key },
    Labels { target: Variable, labels: Vec<String> },
}

/// The name of a property: written, or computed in square brackets.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Name(String),
    Computed(Expr),
}

/// A query in a query.
#[derive(Clone, Debug)]
pub(crate) struct Subquery {
    pub query: Union,
    /// The variables in `CALL (a, b) {…}`; `None` where they come in by a first `WITH`.
    pub scope: Option<Imports>,
    /// Where the values of its columns go.
    pub out: Vec<usize>,
    pub optional: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Imports {
    All,
    Named(Vec<Variable>),
}

#[derive(Clone, Debug)]
pub(crate) struct ProcedureCall {
    pub name: String,
    /// Nothing where there is no such procedure.
    pub column: Option<&'static str>,
    pub has_arguments: bool,
    /// The variable for its one column.
    pub variable: Option<Variable>,
    pub condition: Option<Expr>,
}

/// `WITH` or `RETURN`.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub distinct: bool,
    /// Whether `*` stands there.
    pub all: bool,
    pub items: Vec<Item>,
    pub order: Vec<SortItem>,
    pub skip: Option<Expr>,
    pub limit: Option<Expr>,
    pub condition: Option<Expr>,
    /// What is counted or collected over the rows of a group, and where it goes.
    pub aggregates: Vec<(usize, Aggregate)>,
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub expr: Expr,
    pub alias: Variable,
    /// Whether the alias was written.
    pub is_named: bool,
    /// Whether an aggregate is in it.
    pub has_aggregate: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct SortItem {
    pub expr: Expr,
    pub descending: bool,
    pub nulls_first: Option<bool>,
}

/// A function over the rows of a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aggregate {
    pub function: AggregateFunction,
    pub distinct: bool,
    /// None for `count(*)`.
    pub of: Option<Expr>,
    /// Which part, for percentiles.
    pub part: Option<Expr>,
}

/// The place of a variable that no pass has seen yet.
pub(crate) const UNKNOWN: usize = usize::MAX;

/// A name for a value.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    /// Where its value is in a row.
    pub slot: usize,
    pub at: usize,
}

impl Variable {
    pub fn new(name: impl Into<String>, at: usize) -> Self {
        Self { name: name.into(), slot: UNKNOWN, at }
    }
}

/// The same place in a row is the same variable.
impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.slot == other.slot && (self.slot != UNKNOWN || self.name == other.name)
    }
}

/// Nodes and the edges between them: `(a)-[r:T]->(b)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathPattern {
    pub variable: Option<Variable>,
    pub shortest: Option<Shortest>,
    /// One more than edges.
    pub nodes: Vec<NodePattern>,
    pub edges: Vec<EdgePattern>,
    pub at: usize,
}

/// Which of the paths between two nodes are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortest {
    One,
    All,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodePattern {
    pub variable: Variable,
    pub labels: Option<LabelExpr>,
    pub properties: Option<Expr>,
    pub condition: Option<Expr>,
    /// Whether the variable has a value before the clause.
    pub is_bound: bool,
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EdgePattern {
    pub variable: Variable,
    pub types: Option<LabelExpr>,
    pub properties: Option<Expr>,
    pub condition: Option<Expr>,
    pub direction: Direction,
    /// How many edges after each other; None for one that is no list.
    pub length: Option<(u64, Option<u64>)>,
    pub is_bound: bool,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Out,
    In,
    Both,
}

/// What labels, or which type, something must have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LabelExpr {
    Name(String),
    Any,
    Not(Box<LabelExpr>),
    And(Box<LabelExpr>, Box<LabelExpr>),
    Or(Box<LabelExpr>, Box<LabelExpr>),
}

impl LabelExpr {
    /// Whether it holds for one who has what `has` says.
    pub fn holds(&self, has: &dyn Fn(&str) -> bool, has_any: bool) -> bool {
        match self {
            Self::Name(name) => has(name),
            Self::Any => has_any,
            Self::Not(inner) => !inner.holds(has, has_any),
            Self::And(a, b) => a.holds(has, has_any) && b.holds(has, has_any),
            Self::Or(a, b) => a.holds(has, has_any) || b.holds(has, has_any),
        }
    }

    /// The names, where it is nothing but names that must all hold.
    pub fn all_of(&self) -> Option<Vec<&str>> {
        match self {
            Self::Name(name) => Some(vec![name]),
            Self::And(a, b) => {
                let mut names = a.all_of()?;
                names.extend(b.all_of()?);
                Some(names)
            }
            _ => None,
        }
    }
}

/// An expression. Where it stands is no part of what it is.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub at: usize,
    /// How many expressions stand within each other here, itself included.
    pub depth: usize,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    Constant(CypherValue),
    Parameter(String),
    Variable(Variable),
    /// A value that the executor put into the row.
    Slot(usize),
    List(Vec<Expr>),
    Map(Vec<(String, Expr)>),
    MapProjection(Box<Expr>, Vec<MapItem>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Plus(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a < b <= c`.
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    IsNull(Box<Expr>, bool),
    HasLabels(Box<Expr>, LabelExpr),
    Property(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    Call(Box<Call>),
    Aggregate(Box<Aggregate>),
    Case(Box<Case>),
    ListComprehension(Box<ListComprehension>),
    PatternComprehension(Box<PatternComprehension>),
    Reduce(Box<Reduce>),
    Quantifier(Box<Quantifier>),
    Pattern(Box<PathPattern>),
    Subquery(SubqueryKind, Box<SubqueryExpr>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MapItem {
    Property(String),
    All,
    Entry(String, Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Or,
    Xor,
    And,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Concat,
    In,
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// As it was written.
    pub name: String,
    /// None if there is no such function, or none that takes this number of arguments.
    pub function: Option<crate::functions::Function>,
    pub distinct: bool,
    pub arguments: Vec<Expr>,
}

/// Names of functions have no case: `TYPE(r)` is `type(r)`.
impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        let is_same = match self.function {
            None => self.name.eq_ignore_ascii_case(&other.name),
            Some(_) => self.function == other.function,
        };
        is_same && self.distinct == other.distinct && self.arguments == other.arguments
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    pub of: Option<Expr>,
    pub when: Vec<(Vec<Expr>, Expr)>,
    pub otherwise: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListComprehension {
    pub variable: Variable,
    pub list: Expr,
    pub condition: Option<Expr>,
    pub result: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternComprehension {
    pub found: Match,
    pub result: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reduce {
    pub sum: Variable,
    pub start: Expr,
    pub variable: Variable,
    pub list: Expr,
    pub step: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuantifierKind {
    All,
    Any,
    None,
    Single,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantifier {
    pub kind: QuantifierKind,
    pub variable: Variable,
    pub list: Expr,
    pub condition: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubqueryKind {
    Exists,
    Count,
    Collect,
}

/// A query whose rows are asked for in an expression.
#[derive(Clone, Debug)]
pub(crate) struct SubqueryExpr {
    pub query: Union,
}

/// No two are held to be the same: what they ask may change the row count.
impl PartialEq for SubqueryExpr {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Expr {
    pub fn new(kind: ExprKind, at: usize) -> Self {
        let mut expr = Self { kind, at, depth: 1 };
        let mut inner = 0;
        expr.each_part(&mut |part| inner = inner.max(part.depth));
        expr.depth += inner;
        expr
    }

    /// Calls `visit` with each expression that stands directly in this one, but not with those in
    /// queries.
    pub fn each_part(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Constant(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::Slot(_)
            | ExprKind::Subquery(..) => {}
            ExprKind::List(items) => items.iter_mut().for_each(visit),
            ExprKind::Map(entries) => entries.iter_mut().for_each(|(_, e)| visit(e)),
            ExprKind::MapProjection(of, items) => {
                visit(of);
                for item in items {
                    if let MapItem::Entry(_, expr) = item {
                        visit(expr);
                    }
                }
            }
            ExprKind::Not(e)
            | ExprKind::Minus(e)
            | ExprKind::Plus(e)
            | ExprKind::IsNull(e, _)
            | ExprKind::HasLabels(e, _)
            | ExprKind::Property(e, _) => visit(e),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Compare(first, rest) => {
                visit(first);
                rest.iter_mut().for_each(|(_, e)| visit(e));
            }
            ExprKind::Slice(of, from, to) => {
                visit(of);
                from.iter_mut().chain(to).for_each(|e| visit(e));
            }
            ExprKind::Call(call) => call.arguments.iter_mut().for_each(visit),
            ExprKind::Aggregate(aggregate) => {
                aggregate.of.iter_mut().chain(&mut aggregate.part).for_each(visit);
            }
            ExprKind::Case(case) => {
                case.of.iter_mut().for_each(&mut *visit);
                for (when, then) in &mut case.when {
                    when.iter_mut().for_each(&mut *visit);
                    visit(then);
                }
                case.otherwise.iter_mut().for_each(visit);
            }
            ExprKind::ListComprehension(c) => {
                visit(&mut c.list);
                c.condition.iter_mut().chain(&mut c.result).for_each(visit);
            }
            ExprKind::PatternComprehension(c) => {
                c.found.paths.iter_mut().for_each(|path| path.each_expr(visit));
                c.found.condition.iter_mut().for_each(&mut *visit);
                let conjuncts = &mut c.found.conjuncts;
                conjuncts.iter_mut().for_each(|part| visit(&mut part.condition));
                visit(&mut c.result);
            }
            ExprKind::Reduce(r) => {
                visit(&mut r.start);
                visit(&mut r.list);
                visit(&mut r.step);
            }
            ExprKind::Quantifier(q) => {
                visit(&mut q.list);
                visit(&mut q.condition);
            }
            ExprKind::Pattern(path) => path.each_expr(visit),
        }
    }
}

impl PathPattern {
    /// Calls `visit` with the properties and conditions that stand in it.
    pub fn each_expr(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for node in &mut self.nodes {
            node.properties.iter_mut().chain(&mut node.condition).for_each(&mut *visit);
        }
        for edge in &mut self.edges {
            edge.properties.iter_mut().chain(&mut edge.condition).for_each(&mut *visit);
        }
    }
}
