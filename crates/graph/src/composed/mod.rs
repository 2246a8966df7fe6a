//! Functions that are composed of the library's functions: what a model proposes, how it is checked,
//! and how it is called.
//!
//! A proposal has a name, parameters, a body in a small language of expressions, and examples. The
//! body calls graph functions by their names, reads fields of results, and computes with lists and
//! numbers; it has no loops but those over lists, no recursion, and reaches nothing beside the graph
//! that it is given. [`Proposal::check`] parses it, checks its types against the schemas of the
//! functions, runs its examples, and runs it on small random graphs.
//!
//! Paper: Graph-Grounded LLMs §VII, "automated graph library modifications and function additions by
//! the LLM"; the paper names the aim and no way, so all of this is ours. `docs/own-functions.md`
//! tells the language.

mod check;
mod data;
mod evaluate;
mod fault;
mod lex;
mod operations;
mod parse;
mod proposal;
mod shape;
mod syntax;
mod trial;

use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use fault::ProposalFault;
pub use proposal::{
    ExampleGraph, MAX_EXAMPLES, MAX_PARAMETERS, MIN_EXAMPLES, ParameterType, Proposal,
    ProposedExample, ProposedParameter,
};
pub use trial::{ExampleResult, ProposalReport, RandomChecks};

use crate::Graph;
use crate::functions::{
    CallOutcome, CatalogFormat, Face, FunctionError, Touched, find, keep_one_type_each, shaped,
};
use data::Data;
use evaluate::{Evaluation, MAX_STEPS, Trouble, pointed_at};
use shape::Shape;
use syntax::Expr;

/// The most composed functions beside the library.
pub const MAX_COMPOSED: usize = 40;

/// How the operations of the language are written, one line each, with what they give.
pub fn operations() -> impl Iterator<Item = &'static str> {
    operations::OPERATIONS.iter().map(|o| o.usage)
}

/// A function that is composed of the library's functions, parsed and with types that fit.
#[derive(Clone, Debug)]
pub struct ComposedFunction {
    proposal: Arc<Proposal>,
    body: Arc<Expr>,
    returns: Shape,
}

impl ComposedFunction {
    /// Parses a proposal and checks its types, without running it: what was accepted before.
    ///
    /// # Errors
    /// What is wrong with it, at most some faults at once.
    ///
    /// # Complexity
    /// O(length of the body).
    pub fn compile(proposal: Proposal) -> Result<Self, Vec<ProposalFault>> {
        proposal.form()?;
        let body = parse::parse(&proposal.body).map_err(|fault| vec![fault])?;
        let known = proposal.parameters.iter().map(|p| (p.name.clone(), p.kind.shape())).collect();
        let (returns, faults) = check::check(&proposal.body, &body, known);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self { proposal: Arc::new(proposal), body: Arc::new(body), returns })
    }

    /// What was proposed.
    pub fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// The name that a model calls.
    pub fn name(&self) -> &str {
        &self.proposal.name
    }

    /// What the model reads.
    pub fn description(&self) -> String {
        format!("{} Gives a value of type {}.", self.proposal.description.trim(), self.returns)
    }

    /// The JSON schema of the arguments.
    pub fn parameters(&self) -> Value {
        let mut properties = Map::new();
        for parameter in &self.proposal.parameters {
            let mut schema = parameter.kind.shape().schema();
            keep_one_type_each(&mut schema);
            schema["description"] = parameter.description.as_str().into();
            properties.insert(parameter.name.clone(), schema);
        }
        let required: Vec<&str> =
            self.proposal.parameters.iter().map(|p| p.name.as_str()).collect();
        json!({ "type": "object", "properties": properties, "required": required,
                "additionalProperties": false })
    }

    /// The JSON schema of the result.
    pub fn returns(&self) -> Value {
        self.returns.schema()
    }

    /// The type of the result in words, such as `list of node`.
    pub fn returns_words(&self) -> String {
        self.returns.to_string()
    }

    /// How a model is told of it, in one of the catalogue's shapes.
    pub fn describe(&self, format: CatalogFormat) -> Value {
        let face = Face {
            name: self.name(),
            title: self.name(),
            description: self.description(),
            parameters: self.parameters(),
            returns: self.returns(),
            raises: &[("bad_arguments", "the arguments do not fit")],
            writes: false,
        };
        shaped(face, format)
    }

    /// The graph functions that it calls, by name.
    pub fn calls(&self) -> Vec<&str> {
        self.body.calls().into_iter().collect()
    }

    /// Whether it changes the graph that it computes on. The changes are made to a copy and end with
    /// the call.
    pub fn works_on_a_copy(&self) -> bool {
        self.body.calls().into_iter().any(|name| find(name).is_some_and(|f| f.writes))
    }

    /// Calls the function with JSON arguments. It never changes the graph.
    ///
    /// # Errors
    /// Arguments that do not fit, what a graph function refused, or a limit that was reached.
    ///
    /// # Complexity
    /// That of the calls; at most 2,000 of them and 60 million steps.
    pub fn call(&self, graph: &Graph, arguments: &Value) -> Result<CallOutcome, FunctionError> {
        let mut budget = MAX_STEPS;
        self.call_within(graph, arguments, &mut budget)
    }

    fn call_within(
        &self,
        graph: &Graph,
        arguments: &Value,
        budget: &mut u64,
    ) -> Result<CallOutcome, FunctionError> {
        let (value, mut notes) = self.evaluate(graph, arguments, budget)?;
        if self.works_on_a_copy() {
            notes.push("the changes were made to a copy; the graph is as it was".into());
        }
        let (nodes, edges) = pointed_at(&value, graph);
        Ok(CallOutcome {
            value: value.to_json(),
            deltas: Vec::new(),
            touched: Touched { nodes, edges },
            notes,
        })
    }

    /// Computes within a budget of steps, from which those that it took are taken.
    fn evaluate(
        &self,
        graph: &Graph,
        arguments: &Value,
        budget: &mut u64,
    ) -> Result<(Data, Vec<String>), Trouble> {
        let given = self.given(arguments).map_err(Trouble::Broken)?;
        let mut evaluation = Evaluation::new(graph, given, *budget);
        let value = evaluation.of(&self.body);
        *budget = budget.saturating_sub(evaluation.n_steps());
        Ok((value?, evaluation.notes))
    }

    /// The arguments as values.
    fn given(&self, arguments: &Value) -> Result<Vec<(String, Data)>, FunctionError> {
        let bad = |message: String| {
            let listed: Vec<String> = self
                .proposal
                .parameters
                .iter()
                .map(|p| format!("{} ({})", p.name, p.kind.shape()))
                .collect();
            let right = if listed.is_empty() {
                "the function takes no arguments: give {}".to_owned()
            } else {
                format!("the arguments are {}", listed.join(", "))
            };
            FunctionError::new("bad_arguments", format!("{message}; {right}"))
        };
        let none = Map::new();
        let map = match arguments {
            Value::Object(map) => map,
            Value::Null => &none,
            _ => return Err(bad("the arguments are not an object".into())),
        };
        let is_known = |name: &String| self.proposal.parameters.iter().any(|p| p.name == *name);
        if let Some(unknown) = map.keys().find(|name| !is_known(name)) {
            return Err(bad(format!("there is no argument {unknown:?}")));
        }
        let read = |parameter: &ProposedParameter| {
            let name = &parameter.name;
            let value = map.get(name).ok_or_else(|| bad(format!("{name:?} is missing")))?;
            let shape = parameter.kind.shape();
            let data = Data::of_json(value, &shape)
                .ok_or_else(|| bad(format!("{name:?} is not of type {shape}")))?;
            Ok((name.clone(), data))
        };
        self.proposal.parameters.iter().map(read).collect()
    }
}
