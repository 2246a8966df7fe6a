//! Computes a body on a graph, under limits.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::data::Data;
use super::operations;
use super::shape::Shape;
use super::syntax::{Expr, Kind, Operator};
use crate::functions::{FunctionError, GraphFunction, find};
use crate::{Graph, NodeName};

/// The most calls of graph functions.
pub(super) const MAX_CALLS: u32 = 2_000;
/// The most steps, of a call and of all that a check tries: expressions, items that operations look at,
/// and what calls cost.
pub(super) const MAX_STEPS: u64 = 60_000_000;
/// The most values of a list or a record, in all.
const MAX_SIZE: u64 = 200_000;
/// The most values that are made in all.
const MAX_VALUES: u64 = 3_000_000;

/// Why there is no result.
pub(super) enum Trouble {
    /// A graph function refused: this is an answer about the graph.
    Refused(FunctionError),
    /// The body itself fails: it divides by zero, or goes on for too long.
    Broken(FunctionError),
}

impl From<Trouble> for FunctionError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(error) | Trouble::Broken(error) => error,
        }
    }
}

fn broken(code: &str, message: impl Into<String>) -> Trouble {
    Trouble::Broken(FunctionError::new(code, message))
}

/// One computation.
pub(super) struct Evaluation {
    /// The graph as the calls so far in this block have changed it; the caller's stays as it is.
    graph: Rc<Graph>,
    known: Vec<(String, Data)>,
    n_calls: u32,
    n_steps: u64,
    /// The most steps of this computation.
    most: u64,
    n_values: u64,
    /// What the functions remarked, each remark once.
    pub(super) notes: Vec<String>,
}

impl Evaluation {
    pub(super) fn new(graph: &Graph, given: Vec<(String, Data)>, most: u64) -> Self {
        Self {
            graph: Rc::new(graph.clone()),
            known: given,
            n_calls: 0,
            n_steps: 0,
            most,
            n_values: 0,
            notes: Vec::new(),
        }
    }

    fn spend(&mut self, n: u64) -> Result<(), Trouble> {
        self.n_steps = self.n_steps.saturating_add(n);
        if self.n_steps <= self.most {
            return Ok(());
        }
        let most = self.most;
        Err(broken("too_much_work", format!("it takes more than {most} steps on this graph")))
    }

    /// How many steps it has taken.
    pub(super) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// A value that is not too large.
    fn bounded(&mut self, value: Data) -> Result<Data, Trouble> {
        let size = value.size();
        if size > MAX_SIZE {
            let message = format!("a value has {size} parts; {MAX_SIZE} at most are kept");
            return Err(broken("too_large", message));
        }
        self.n_values += size;
        if self.n_values > MAX_VALUES {
            let message = format!("it makes more than {MAX_VALUES} values in all");
            return Err(broken("too_much_work", message));
        }
        Ok(value)
    }

    pub(super) fn of(&mut self, expr: &Expr) -> Result<Data, Trouble> {
        self.spend(1)?;
        Ok(match &expr.kind {
            Kind::Null => Data::Null,
            Kind::Boolean(is) => Data::Boolean(*is),
            Kind::Number(n) => Data::Number(*n),
            Kind::Text(text) => Data::Text(text.as_str().into()),
            Kind::Name(name) => {
                let found = self.known.iter().rev().find(|(known, _)| known == name);
                found.map_or(Data::Null, |(_, value)| value.clone())
            }
            Kind::List(items) => {
                let items = items.iter().map(|i| self.of(i)).collect::<Result<_, _>>()?;
                self.bounded(Data::list(items))?
            }
            Kind::Record(fields) => {
                let mut made = BTreeMap::new();
                for (name, _, value) in fields {
                    made.insert(name.clone(), self.of(value)?);
                }
                self.bounded(Data::record(made))?
            }
            Kind::Field(of, name) => self.of(of)?.field(name),
            Kind::Index(of, index) => {
                let (list, place) = (self.of(of)?, self.of(index)?.number().unwrap_or(-1.0));
                let is_place = place >= 0.0 && place.fract() == 0.0;
                let item = is_place.then(|| list.items().get(place as usize)).flatten();
                item.cloned().unwrap_or(Data::Null)
            }
            Kind::Not(of) => Data::Boolean(!self.of(of)?.is_true()),
            Kind::Negative(of) => Data::Number(-self.of(of)?.number().unwrap_or(0.0)),
            Kind::Binary(operator, a, b) => self.binary(*operator, a, b)?,
            Kind::If(test, yes, no) => {
                let taken = if self.of(test)?.is_true() { yes } else { no };
                self.apart(taken)?
            }
            Kind::Call(name, given) => {
                let mut arguments = Map::new();
                for (argument, _, value) in given {
                    let value = self.of(value)?;
                    self.spend(value.size())?;
                    arguments.insert(argument.clone(), value.to_json());
                }
                self.call(name, arguments)?
            }
            Kind::Operation(name, given) => self.operation(name, given)?,
            // The check has refused it wherever nothing takes it.
            Kind::Each(..) => Data::Null,
            Kind::Block(statements, end) => {
                let n_known = self.known.len();
                for statement in statements {
                    let value = self.of(&statement.value)?;
                    if let Some(name) = &statement.name {
                        self.known.push((name.clone(), value));
                    }
                }
                let value = self.of(end)?;
                self.known.truncate(n_known);
                value
            }
        })
    }

    /// A value whose calls leave the graph as it was.
    fn apart(&mut self, expr: &Expr) -> Result<Data, Trouble> {
        let before = self.graph.clone();
        let value = self.of(expr);
        self.graph = before;
        value
    }

    fn binary(&mut self, operator: Operator, a: &Expr, b: &Expr) -> Result<Data, Trouble> {
        use Operator as O;
        let left = self.of(a)?;
        match operator {
            O::And if !left.is_true() => return Ok(Data::Boolean(false)),
            O::Or if left.is_true() => return Ok(Data::Boolean(true)),
            O::Otherwise if !matches!(left, Data::Null) => return Ok(left),
            _ => {}
        }
        let right = self.of(b)?;
        if matches!(operator, O::Equal | O::NotEqual) {
            self.spend(left.size().min(right.size()))?;
            let is_equal = left.compare(&right).is_eq();
            return Ok(Data::Boolean(is_equal == (operator == O::Equal)));
        }
        if matches!(operator, O::And | O::Or | O::Otherwise) {
            return Ok(right);
        }
        let (x, y) = (left.number().unwrap_or(0.0), right.number().unwrap_or(0.0));
        let value = match operator {
            O::Less => return Ok(Data::Boolean(x < y)),
            O::LessOrEqual => return Ok(Data::Boolean(x <= y)),
            O::Greater => return Ok(Data::Boolean(x > y)),
            O::GreaterOrEqual => return Ok(Data::Boolean(x >= y)),
            O::Divide | O::Remainder if y == 0.0 => {
                let message = format!("{x} {} 0: test for zero first", operator.sign());
                return Err(broken("division_by_zero", message));
            }
            O::Add => x + y,
            O::Subtract => x - y,
            O::Multiply => x * y,
            O::Divide => x / y,
            // The sign of the right side, so that -1 % 3 is 2.
            _ => x - y * (x / y).floor(),
        };
        finite(value)
    }

    fn operation(&mut self, name: &'static str, given: &[Expr]) -> Result<Data, Trouble> {
        if let [list, each] = given
            && let Kind::Each(called, made) = &each.kind
        {
            let list = self.of(list)?;
            return self.each(name, &list, called, made);
        }
        let given: Vec<Data> = given.iter().map(|g| self.of(g)).collect::<Result<_, _>>()?;
        // Sorting compares items, and looks at their parts, some times the logarithm of their number.
        let size = given.iter().map(Data::size).sum::<u64>();
        self.spend(size.saturating_mul(u64::from(64 - size.leading_zeros())))?;
        let value = operations::apply(name, &given).map_err(|why| broken("bad_value", why))?;
        if let Some(n) = value.number() {
            return finite(n);
        }
        self.bounded(value)
    }

    /// An operation that makes something of each item.
    fn each(
        &mut self,
        name: &str,
        list: &Data,
        called: &str,
        made: &Expr,
    ) -> Result<Data, Trouble> {
        let mut values = Vec::with_capacity(list.items().len());
        let mut size = 0;
        for item in list.items() {
            self.known.push((called.to_owned(), item.clone()));
            let value = self.apart(made)?;
            self.known.pop();
            match (name, value.is_true()) {
                ("any", true) => return Ok(Data::Boolean(true)),
                ("all", false) => return Ok(Data::Boolean(false)),
                _ => {}
            }
            size += value.size();
            if size > MAX_SIZE {
                return Err(broken("too_large", format!("{name} makes over {MAX_SIZE} values")));
            }
            values.push(value);
        }
        let number = |i: usize| values[i].number().unwrap_or(0.0);
        let mut places: Vec<usize> = (0..values.len()).collect();
        Ok(match name {
            "map" => Data::list(values),
            "any" => Data::Boolean(false),
            "all" => Data::Boolean(true),
            "filter" => {
                let kept = list.items().iter().zip(&values).filter(|(_, value)| value.is_true());
                Data::list(kept.map(|(item, _)| item.clone()).collect())
            }
            "sort_by" => {
                places.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
                Data::list(places.into_iter().map(|i| list.items()[i].clone()).collect())
            }
            _ => {
                let sign = if name == "max_by" { -1.0 } else { 1.0 };
                let best = places
                    .into_iter()
                    .min_by(|&a, &b| (sign * number(a)).total_cmp(&(sign * number(b))));
                best.map_or(Data::Null, |i| list.items()[i].clone())
            }
        })
    }

    fn call(&mut self, name: &str, arguments: Map<String, Value>) -> Result<Data, Trouble> {
        let Some(function) = find(name) else {
            return Err(broken("unknown_function", format!("there is no function {name:?}")));
        };
        self.n_calls += 1;
        if self.n_calls > MAX_CALLS {
            let message = format!("it calls more than {MAX_CALLS} functions on this graph");
            return Err(broken("too_many_calls", message));
        }
        self.spend(cost(function, &self.graph))?;
        let outcome = function.call(&self.graph, arguments.into()).map_err(|error| {
            // The types fit, so a value is out of its range; that is no answer about the graph.
            let is_ours = ["bad_arguments", "too_many_entries"].contains(&error.code.as_str());
            let message = format!("{name}: {}", error.message);
            let error = FunctionError { message, ..error };
            if is_ours { Trouble::Broken(error) } else { Trouble::Refused(error) }
        })?;
        for note in outcome.notes {
            let note = format!("{name}: {note}");
            if self.notes.len() < 10 && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if !outcome.deltas.is_empty() {
            let graph = Rc::make_mut(&mut self.graph);
            for delta in &outcome.deltas {
                graph.apply(delta).map_err(|e| broken("internal", e.to_string()))?;
            }
        }
        let shape = Shape::of_schema(&function.returns());
        let value = Data::of_json(&outcome.value, &shape).ok_or_else(|| {
            broken("internal", format!("the result of {name} is not as its schema says"))
        })?;
        self.spend(value.size())?;
        self.bounded(value)
    }
}

fn finite(value: f64) -> Result<Data, Trouble> {
    if value.is_finite() {
        return Ok(Data::Number(value));
    }
    Err(broken("overflow", "a result is larger than a number can hold"))
}

/// What a call costs in steps: about what it takes, by its complexity.
fn cost(function: &GraphFunction, graph: &Graph) -> u64 {
    let size = (graph.n_nodes() + graph.n_edges()) as u64 + 1;
    let complexity = function.complexity;
    if complexity.contains("million steps") {
        // On eight nodes a search that may be exponential is not, on ten it may be already.
        return match size {
            0..=37 => 20_000,
            38..=60 => 1_000_000,
            _ => 6_000_000,
        };
    }
    let is_more = ["n·", "n²", "√", "squares", "rounds", "layers", "k)"];
    if is_more.iter().any(|word| complexity.contains(word)) {
        return size.saturating_mul(size).min(MAX_STEPS / 2);
    }
    size
}

/// The nodes of a value that are in the graph, and the edges of its pairs: what it points to.
pub(super) fn pointed_at(
    value: &Data,
    graph: &Graph,
) -> (Vec<NodeName>, Vec<(NodeName, NodeName)>) {
    const MOST: usize = 2_000;
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut open = vec![value];
    let mut n_seen = 0;
    while let Some(value) = open.pop() {
        n_seen += 1;
        if n_seen > MOST {
            break;
        }
        match value {
            Data::Node(name) if graph.has_node(name) && !nodes.contains(name) => {
                nodes.push(name.clone());
            }
            Data::List(_) => {
                if let [Data::Node(a), Data::Node(b)] = value.items()
                    && graph.edge(a, b).is_some()
                {
                    edges.push((a.clone(), b.clone()));
                }
                open.extend(value.items().iter().rev());
            }
            Data::Record(_) => open.extend(value.fields().rev()),
            _ => {}
        }
    }
    (nodes, edges)
}
