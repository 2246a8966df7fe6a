//! Questions in SPARQL, answered by oxigraph in memory.
//!
//! A graph becomes triples as in its Turtle file: `rdf:type` is a node's type, `rdfs:label` its
//! name. The prefixes of [`kg::PREFIXES`] need not be declared: `edge:treats`, `type:Disease`.

mod limits;

use std::borrow::Borrow;

use oxigraph::model::{GraphName, Quad, Term};
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use oxigraph::sparql::{
    QueryEvaluationError, QueryResults, QuerySolution, SparqlEvaluator, SparqlSyntaxError,
};
use oxigraph::store::Store;

use kg::iris::{self, IriKind, from_iri};
use kg::{Kg, each_triple};

pub use kg::{AnswerTable, Cell};
pub use limits::{MAX_DEPTH, MAX_JOINS, MAX_QUERY, MAX_STEPS, check};

/// The most edges of a graph that is made triples of; they take some hundred bytes each.
pub const MAX_EDGES: usize = 500_000;
/// The most bytes of one cell; the rest of a longer one is cut off.
const MAX_CELL: usize = 10_000;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SparqlError {
    /// The graph is too large.
    #[error("the graph has {n_edges} edges; SPARQL is answered for at most {MAX_EDGES}")]
    TooLarge {
        /// How many it has.
        n_edges: usize,
    },
    /// The query is too long.
    #[error("the query has {n_bytes} bytes; expected at most {MAX_QUERY}")]
    TooLong {
        /// How many it has.
        n_bytes: usize,
    },
    /// The query is too deep or has too many parts.
    #[error(
        "line {line}, column {column}: the query has more than {most} {what}; ask in smaller ones"
    )]
    TooComplex {
        /// The line, from 1, of the first that is too much.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        most: usize,
    },
    /// The query cannot be read.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was found and what would be right.
        message: String,
    },
    /// A prefix that is not declared.
    #[error(
        "line {line}, column {column}: the prefix {prefix:?} is not declared; there are {known}, \
         others need PREFIX"
    )]
    Prefix {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, of the name that begins with it.
        column: usize,
        /// The prefix that is not declared, without its colon.
        prefix: String,
        /// Those that need no declaration.
        known: String,
    },
    /// The query could be read and not be answered.
    #[error("the query could not be answered: {reason}")]
    Evaluation {
        /// The message of the parser, with line and column.
        reason: String,
    },
}

impl SparqlError {
    /// The line and the column that this is about, both from 1, where it is about one.
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::Syntax { line, column, .. }
            | Self::Prefix { line, column, .. }
            | Self::TooComplex { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }
}

/// A graph that can be asked; its own or borrowed.
pub struct Sparql<K> {
    kg: K,
    store: Store,
}

impl<K: Borrow<Kg>> Sparql<K> {
    /// Makes triples of a graph. O(n + m) with a large factor: about a microsecond an edge.
    ///
    /// # Errors
    /// If the graph is too large.
    pub fn new(of: K) -> Result<Self, SparqlError> {
        let kg: &Kg = of.borrow();
        let n_edges = kg.n_edges();
        if n_edges > MAX_EDGES {
            return Err(SparqlError::TooLarge { n_edges });
        }
        let broken = |reason: String| SparqlError::Evaluation { reason };
        let store = Store::new().map_err(|e| broken(e.to_string()))?;
        let mut loader = store.bulk_loader();
        let mut quads = Vec::new();
        let told = each_triple(kg, |triple| {
            quads.push(Quad::new(
                triple.subject.clone(),
                triple.predicate.clone(),
                triple.object.clone(),
                GraphName::DefaultGraph,
            ));
            if quads.len() < 10_000 {
                return Ok(());
            }
            loader.load_quads(std::mem::take(&mut quads))
        });
        let loaded = told.and_then(|()| loader.load_quads(quads)).and_then(|()| loader.commit());
        loaded.map_err(|e| broken(e.to_string()))?;
        Ok(Self { kg: of, store })
    }

    /// Answers a query with at most `max_rows` rows. `SERVICE` fails: oxigraph is built without what
    /// fetches.
    ///
    /// # Errors
    /// If it cannot be read, with line and column, or not be answered.
    pub fn query(&self, query: &str, max_rows: usize) -> Result<AnswerTable, SparqlError> {
        match self.evaluate(query)? {
            QueryResults::Boolean(yes) => Ok(AnswerTable {
                columns: vec!["answer".into()],
                rows: vec![vec![Some(Cell::Value(if yes { "yes" } else { "no" }.into()))]],
                is_cut: false,
            }),
            QueryResults::Solutions(solutions) => {
                let columns: Vec<String> =
                    solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
                let row = |solution: QuerySolution| {
                    solution.values().iter().map(|t| t.as_ref().map(|t| self.cell(t))).collect()
                };
                collect(columns, solutions.map(|s| s.map(row)), max_rows)
            }
            QueryResults::Graph(triples) => {
                let columns = ["subject", "predicate", "object"].map(str::to_owned).to_vec();
                let rows = triples.map(|triple| {
                    triple.map(|t| {
                        let subject = self.cell(&t.subject.into());
                        let predicate =
                            Cell::Name(cut(from_iri(IriKind::Edge, t.predicate.as_str())));
                        vec![Some(subject), Some(predicate), Some(self.cell(&t.object))]
                    })
                });
                collect(columns, rows, max_rows)
            }
        }
    }

    /// Answers a query as an endpoint does: the SPARQL 1.1 Query Results JSON Format.
    ///
    /// # Errors
    /// If it cannot be read or not be answered, asks for a graph, or has more rows than `max_rows`.
    pub fn results_json(&self, query: &str, max_rows: usize) -> Result<String, SparqlError> {
        let format = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
        let broken = |reason: String| SparqlError::Evaluation { reason };
        let io = |e: std::io::Error| broken(e.to_string());
        let bytes = match self.evaluate(query)? {
            QueryResults::Boolean(yes) => {
                format.serialize_boolean_to_writer(Vec::new(), yes).map_err(io)?
            }
            QueryResults::Solutions(solutions) => {
                let names = solutions.variables().to_vec();
                let mut to = format.serialize_solutions_to_writer(Vec::new(), names).map_err(io)?;
                for (i, solution) in solutions.enumerate() {
                    if i >= max_rows {
                        let words = "more than {} rows; ask for fewer with LIMIT";
                        return Err(broken(words.replace("{}", &max_rows.to_string())));
                    }
                    to.serialize(&solution.map_err(|e| failed(&e))?).map_err(io)?;
                }
                to.finish().map_err(io)?
            }
            QueryResults::Graph(_) => {
                return Err(broken("only SELECT and ASK are answered as JSON".into()));
            }
        };
        String::from_utf8(bytes).map_err(|e| broken(e.to_string()))
    }

    fn evaluate(&self, query: &str) -> Result<QueryResults<'_>, SparqlError> {
        check(query)?;
        if let Some(at) = query.find("wikibase:label") {
            let before = &query[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            let message = "the label service is Wikidata's own; ask for the labels: ?x rdfs:label \
                           ?name FILTER(LANG(?name) = \"en\")";
            return Err(SparqlError::Syntax { line, column, message: message.into() });
        }
        let mut evaluator = SparqlEvaluator::new();
        for (prefix, iri) in iris::PREFIXES {
            evaluator = evaluator
                .with_prefix(*prefix, *iri)
                .map_err(|e| SparqlError::Evaluation { reason: e.to_string() })?;
        }
        let wrong = |e: SparqlSyntaxError| syntax(&e.to_string(), query);
        let parsed = match concatenating(query) {
            None => evaluator.parse_query(query).map_err(wrong)?,
            Some(rewritten) => {
                // A fault has its place in what the person wrote.
                let _ = evaluator.clone().parse_query(query).map_err(wrong)?;
                evaluator.parse_query(&rewritten).map_err(wrong)?
            }
        };
        parsed.on_store(&self.store).execute().map_err(|e| failed(&e))
    }

    fn cell(&self, term: &Term) -> Cell {
        match term {
            Term::NamedNode(node) => {
                let iri = node.as_str();
                let kg: &Kg = self.kg.borrow();
                if let Some(node) = kg.find_id(&from_iri(IriKind::Node, iri)) {
                    return Cell::Node { node, name: cut(kg.name(node).to_owned()) };
                }
                let kinds = [IriKind::Type, IriKind::Edge, IriKind::Attribute];
                let called = kinds.map(|kind| from_iri(kind, iri));
                Cell::Name(cut(called.into_iter().find(|c| c != iri).unwrap_or_else(|| iri.into())))
            }
            Term::Literal(literal) => Cell::Value(cut(literal.value().to_owned())),
            Term::BlankNode(node) => Cell::Name(node.to_string()),
            #[allow(unreachable_patterns)]
            other => Cell::Name(cut(other.to_string())),
        }
    }
}

fn collect(
    columns: Vec<String>,
    found: impl Iterator<Item = Result<Vec<Option<Cell>>, QueryEvaluationError>>,
    max_rows: usize,
) -> Result<AnswerTable, SparqlError> {
    let mut table = AnswerTable { columns, ..AnswerTable::default() };
    for row in found {
        let row = row.map_err(|e| failed(&e))?;
        if table.rows.len() == max_rows {
            table.is_cut = true;
            break;
        }
        table.rows.push(row);
    }
    Ok(table)
}

fn cut(mut text: String) -> String {
    if text.len() > MAX_CELL {
        let mut end = MAX_CELL;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

fn failed(error: &QueryEvaluationError) -> SparqlError {
    SparqlError::Evaluation { reason: error.to_string() }
}

/// The parser says `error at 1:8: expected one of …`, with everything down to single letters.
pub(crate) fn syntax(message: &str, query: &str) -> SparqlError {
    let place = message.strip_prefix("error at ").and_then(|rest| {
        let (line, rest) = rest.split_once(':')?;
        let (column, said) = rest.split_once(':')?;
        Some((line.parse::<usize>().ok()?, column.parse::<usize>().ok()?, said.trim()))
    });
    let Some((line, column, said)) = place else {
        return SparqlError::Syntax { line: 1, column: 1, message: cut(message.to_owned()) };
    };
    let text = query.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let letters: Vec<char> = text.chars().collect();
    let at = column.saturating_sub(1).min(letters.len());
    if said.contains("Prefix not found")
        && let Some((start, prefix)) = prefix_at(&letters, at)
    {
        let known: Vec<&str> = iris::PREFIXES.iter().map(|(p, _)| *p).collect();
        return SparqlError::Prefix { line, column: start + 1, prefix, known: known.join(", ") };
    }
    if let Some(reason) = reason_in(said) {
        let ungrouped = ungrouped(query);
        let message = match reason {
            "The SELECT contains a variable that is unbound" if !ungrouped.is_empty() => format!(
                "{} is selected and not grouped: add it to GROUP BY, or put it into an aggregate, as in \
                 SAMPLE({})",
                ungrouped.join(", "),
                ungrouped[0]
            ),
            reason => reason.to_owned(),
        };
        return SparqlError::Syntax { line, column, message };
    }
    let found: String = letters[at..].iter().take(20).collect();
    let found = if found.is_empty() { "the end of the line".into() } else { format!("{found:?}") };
    // Words and signs tell something; classes of letters do not.
    let mut expected: Vec<&str> =
        said.split('"').skip(1).step_by(2).filter(|e| !e.trim().is_empty()).collect();
    expected.truncate(12);
    let expected = if expected.is_empty() {
        "expected something else".to_owned()
    } else {
        format!("expected one of {}", expected.join(" "))
    };
    SparqlError::Syntax { line, column, message: format!("found {found}; {expected}") }
}

/// The sentence among what a parser expected, where a rule and not a sign is broken.
fn reason_in(said: &str) -> Option<&str> {
    let outside = said.split('"').step_by(2);
    let parts = outside.flat_map(|part| part.split([',', ';'])).flat_map(|part| part.split(" or "));
    let is_sentence = |part: &&str| {
        !part.contains(['[', '\'']) && !part.starts_with("expected") && part.split(' ').count() > 3
    };
    parts.map(str::trim).find(is_sentence)
}

/// The variables that a query selects outside of brackets and does not group.
fn ungrouped(query: &str) -> Vec<String> {
    let lower = query.to_ascii_lowercase();
    let Some(select) = lower.find("select") else { return Vec::new() };
    let Some(end) = lower[select..].find(['{']).map(|at| select + at) else { return Vec::new() };
    let Some(group) = lower.rfind("group by") else { return Vec::new() };
    let variables = |text: &str| -> Vec<String> {
        let mut depth = 0;
        let mut found = Vec::new();
        for (at, c) in text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                '?' | '$' if depth == 0 => {
                    let rest = &text[at + 1..];
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
                    found.push(format!("?{name}"));
                }
                _ => {}
            }
        }
        found
    };
    let grouped = variables(&query[group..]);
    variables(&query[select..end]).into_iter().filter(|v| !grouped.contains(v)).collect()
}

/// The query with `GROUP_CONCAT(?x)` over the text of a term, as other stores understand it, where it has
/// one: the standard takes strings alone, and leaves a cell of addresses empty.
fn concatenating(query: &str) -> Option<String> {
    let lower = query.to_ascii_lowercase();
    let (mut out, mut from) = (String::new(), 0);
    for (at, name) in lower.match_indices("group_concat") {
        // Within quotes it is text.
        if ['"', '\''].iter().any(|quote| lower[..at].matches(*quote).count() % 2 == 1) {
            continue;
        }
        let rest = &lower[at + name.len()..];
        let inner = rest.trim_start().strip_prefix('(').map(str::trim_start);
        let inner = inner.map(|i| i.strip_prefix("distinct").map_or(i, str::trim_start));
        let Some(inner) = inner.filter(|inner| inner.starts_with(['?', '$'])) else { continue };
        let start = lower.len() - inner.len();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = start + 1 + inner[1..].find(|c| !is_part(c)).unwrap_or(inner.len() - 1);
        if start < from || !lower[end..].trim_start().starts_with([')', ';']) {
            continue;
        }
        out.push_str(&query[from..start]);
        out.push_str(&format!("STR({})", &query[start..end]));
        from = end;
    }
    (from > 0).then(|| out + &query[from..])
}

/// The prefix of the name that a place is in or behind, and where that name begins.
fn prefix_at(letters: &[char], at: usize) -> Option<(usize, String)> {
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '%');
    let start = letters[..at].iter().rposition(|c| !is_part(c)).map_or(0, |i| i + 1);
    let name: String = letters[start..].iter().take_while(|c| is_part(c)).collect();
    name.split_once(':').map(|(prefix, _)| (start, prefix.to_owned()))
}
