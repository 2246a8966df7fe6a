//! Runs the calls of a text, and puts what they give in their places.

use std::collections::BTreeMap;
use std::rc::Rc;

use graph::functions::Touched;
use serde::{Deserialize, Serialize};

use super::ask::{Asked, check, of_result, unfold};
use super::error::CallError;
use super::files::is_path;
use super::fill::{Order, fill};
use super::hubs::{Hubs, datasets};
use super::load::{Loaded, load};
use super::memory::{CAPACITY, Memory, MemoryValue, Shown};
use super::parse::{Segment, Site, parse};
use super::reasoner::{Argument, Reasoned, ReasonerRequest};
use super::tree::{Api, Arrow, Bracket, BracketOutput, Call, Value};

/// Whose rules hold where the paper's public code and its words part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Ours: what the paper says works.
    #[default]
    Ours,
    /// As the public code does; what it cannot do is an error.
    Reference,
}

/// What came of a text.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedText {
    /// Its words and its calls, in order.
    pub pieces: Vec<Piece>,
    /// The text with results in the places of calls.
    pub text: String,
}

/// A part of a text that was run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words that are no call.
    Text(String),
    /// A bracket with its calls and results.
    Call(Box<CallRun>),
}

/// What became of a bracket in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// Its result stands there.
    Result,
    /// Nothing: the call is silent.
    Nothing,
    /// It itself, because it failed.
    Itself,
}

/// What came of a bracket.
#[derive(Clone, Debug, Serialize)]
pub struct CallRun {
    /// Where it begins, as a byte of the text.
    pub at: usize,
    /// As it was written.
    pub source: String,
    /// What was read, where it could be.
    #[serde(skip)]
    pub bracket: Option<Bracket>,
    /// What was read, in the form of the reference's parse trees.
    pub tree: Option<String>,
    /// Its calls; none where it could not be read.
    pub steps: Vec<StepRun>,
    /// What stands in its place.
    pub place: Replacement,
    /// Why it gave nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<CallError>,
    /// All its calls as they were carried out, inner ones before those that need them.
    #[serde(skip)]
    pub done: Vec<ExecutedCall>,
    /// What was remembered afterwards.
    #[serde(skip)]
    pub memory: Vec<Shown>,
}

/// A call that was carried out.
#[derive(Clone)]
pub struct ExecutedCall {
    /// The call as it was written.
    pub call: Call,
    /// The graph or result that it gave, or why it failed.
    pub value: Result<MemoryValue, CallError>,
    /// Whether that was remembered.
    pub is_hit: bool,
    /// The graph that it reasoned about, where it is known.
    pub on: Option<Rc<Loaded>>,
}

impl std::fmt::Debug for ExecutedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Done").field("call", &self.call).field("is_hit", &self.is_hit).finish()
    }
}

/// What came of a call of a bracket.
#[derive(Clone, Debug, Serialize)]
pub struct StepRun {
    /// The call as text.
    pub call: String,
    /// Which function it is.
    pub api: Api,
    /// Its result as text.
    pub result: Option<String>,
    /// What it looked at, for a drawing.
    pub looked_at: Touched,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// What was weighed, with how much speaks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<(String, f64)>,
    /// Whether these are nodes of the graph.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub weighs_nodes: bool,
    /// What was looked for in the working memory.
    pub recalls: Vec<Recall>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<CallError>,
}

/// A look into the working memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recall {
    /// The call in one spelling.
    pub key: String,
    /// Whether it was there.
    pub is_hit: bool,
}

impl ExecutedText {
    /// The brackets, in the order of the text.
    pub fn calls(&self) -> impl Iterator<Item = &CallRun> {
        self.pieces.iter().filter_map(|p| match p {
            Piece::Call(call) => Some(call.as_ref()),
            Piece::Text(_) => None,
        })
    }

    /// The results of all calls that reason, silent ones too; a call that failed has none.
    pub fn answers(&self, order: Order) -> Vec<Option<&str>> {
        order.answers(self)
    }
}

/// The most bytes of a result.
const MAX_RESULT: usize = 100_000;
/// The most names of results; beyond that, names of what is forgotten go.
const MAX_NAMES: usize = 256;

/// Runs texts one after the other with one working memory.
pub struct Executor {
    hubs: Hubs,
    mode: Mode,
    memory: Memory,
    /// What the names of earlier results stand for.
    names: BTreeMap<String, String>,
}

/// What is noted on the way to a result.
#[derive(Default)]
struct Way {
    notes: Vec<String>,
    recalls: Vec<Recall>,
    done: Vec<ExecutedCall>,
    /// The graph that was reasoned about last.
    on: Option<Rc<Loaded>>,
}

impl Executor {
    /// With an empty memory of [`CAPACITY`] entries.
    pub fn new(hubs: Hubs, mode: Mode) -> Self {
        Self { hubs, mode, memory: Memory::new(CAPACITY), names: BTreeMap::new() }
    }

    /// With an empty memory of so many entries.
    #[must_use]
    pub fn with_capacity(mut self, capacity: usize) -> Self {
        self.memory = Memory::new(capacity);
        self
    }

    /// The working memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// By whose rules calls are run.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What is at hand.
    pub fn hubs(&self) -> &Hubs {
        &self.hubs
    }

    /// Loads what `GL(name)` will need and has to be read first: a file. Whoever has the files keeps
    /// what was read ([`CallFiles`]); the working memory stays as it is, because no call has run.
    ///
    /// [`CallFiles`]: super::files::CallFiles
    pub fn preload(&self, name: &str) {
        let is_at_hand = || self.hubs.data(name).is_ok();
        if self.mode == Mode::Ours && is_path(name) && !is_at_hand() {
            // What is wrong with it is told when its call runs.
            drop(self.hubs.file(name));
        }
    }

    /// Runs the calls of a text in its order. A call that fails leaves the rest as it is.
    pub fn run(&mut self, text: &str) -> ExecutedText {
        let mut pieces = Vec::new();
        for segment in parse(text) {
            pieces.push(match segment {
                Segment::Text(words) => Piece::Text(words),
                Segment::Site(site) => Piece::Call(Box::new(self.site(site))),
            });
        }
        let text = fill(&pieces, self.mode);
        ExecutedText { pieces, text }
    }

    fn site(&mut self, site: Site) -> CallRun {
        let (at, source) = (site.at, site.source);
        let bracket = match site.bracket {
            Ok(bracket) => bracket,
            Err(error) => {
                let error = Some(error.into());
                let (steps, place) = (Vec::new(), Replacement::Itself);
                let (done, memory) = (Vec::new(), self.memory.shown());
                let (bracket, tree) = (None, None);
                return CallRun { at, source, bracket, tree, steps, place, error, done, memory };
            }
        };
        let tree = Some(bracket.tree());
        let mut done = Vec::new();
        let steps = match self.refused(&bracket) {
            Some(error) => Err(error),
            None => Ok(self.steps(&bracket, &source, &mut done)),
        };
        let is_inserted = match (self.mode, &bracket.tag) {
            // The public code sees no other arrow, so the result of `->r` is lost.
            (Mode::Reference, tag) => tag.as_ref().is_some_and(|t| t.arrow == Arrow::Long),
            (Mode::Ours, _) => bracket.is_inserted(),
        };
        let (steps, error) = match steps {
            Ok(steps) => {
                let error = steps.iter().find_map(|s| s.error.clone());
                (steps, error)
            }
            Err(error) => (Vec::new(), Some(error)),
        };
        let place = match (&error, is_inserted) {
            (Some(_), _) => Replacement::Itself,
            (None, true) => Replacement::Result,
            (None, false) => Replacement::Nothing,
        };
        let memory = self.memory.shown();
        CallRun { at, source, bracket: Some(bracket), tree, steps, place, error, done, memory }
    }

    /// What the public code cannot run.
    fn refused(&self, bracket: &Bracket) -> Option<CallError> {
        if self.mode == Mode::Ours {
            return None;
        }
        let why = |why: &str| Some(CallError::Reference { why: why.to_owned() });
        if bracket.calls.len() > 1 {
            return why("it reads one call in a bracket");
        }
        let has_comma = |v: &Value| matches!(v, Value::Text(text) if text.contains(','));
        if bracket.calls.iter().any(|c| c.arguments.iter().any(has_comma)) {
            return why("a comma in quotes parts the argument in two");
        }
        let has_name = |c: &Call| matches!(c.arguments.first(), Some(Value::Name(_)));
        if bracket.calls.iter().any(|c| c.api == Api::Reason && has_name(c)) {
            return why("names of earlier results are unknown to it");
        }
        None
    }

    fn steps(
        &mut self,
        bracket: &Bracket,
        source: &str,
        done: &mut Vec<ExecutedCall>,
    ) -> Vec<StepRun> {
        let n = bracket.calls.len();
        let mut steps = Vec::new();
        for (i, call) in bracket.calls.iter().enumerate() {
            let mut way = Way::default();
            let outcome = self.step(call, source, &mut way);
            done.append(&mut way.done);
            if let (Ok(_), Some(tag), true) = (&outcome, &bracket.tag, i + 1 == n)
                && let (BracketOutput::Name(name), Ok(key)) = (&tag.output, self.key(call))
            {
                self.name(name, key);
                way.notes.push(format!("later calls may speak of it as {name}"));
            }
            let (mut scores, mut weighs_nodes) = (Vec::new(), false);
            let (result, looked_at, error) = match outcome {
                Ok(MemoryValue::Graph(graph)) => {
                    way.notes.extend(graph.notes.iter().cloned());
                    (Some(graph.words()), Touched::default(), None)
                }
                Ok(MemoryValue::Result(found)) => {
                    way.notes.extend(found.notes.iter().cloned());
                    scores.clone_from(&found.scores);
                    weighs_nodes = found.weighs_nodes;
                    (Some(found.text.clone()), found.looked_at.clone(), None)
                }
                Err(error) => (None, Touched::default(), Some(error)),
            };
            if let (Some(tag), Some(found)) = (&bracket.tag, &result)
                && let BracketOutput::Value(claimed) = &tag.output
                && claimed != found
            {
                way.notes.push(format!("the text claims {claimed:?}; the call gives {found:?}"));
            }
            let (notes, recalls) = (way.notes, way.recalls);
            let (call, api) = (call.to_string(), call.api);
            steps.push(StepRun {
                call,
                api,
                result,
                looked_at,
                notes,
                scores,
                weighs_nodes,
                recalls,
                error,
            });
        }
        steps
    }

    /// A call of a bracket. The public code remembers brackets by their words, ours the calls.
    fn step(&mut self, call: &Call, source: &str, way: &mut Way) -> Result<MemoryValue, CallError> {
        if self.mode == Mode::Ours || call.api == Api::Load {
            return self.value(call, way);
        }
        let key = folded(source);
        if let Some(found) = self.recall(&key, way) {
            return Ok(found);
        }
        let found = self.reason(call, way);
        if let Ok(found) = &found {
            self.memory.remember(&key, found.clone());
        }
        let (call, on) = (call.clone(), way.on.take());
        way.done.push(ExecutedCall { call, value: found.clone(), is_hit: false, on });
        found
    }

    /// What a call gives, from the memory or anew.
    fn value(&mut self, call: &Call, way: &mut Way) -> Result<MemoryValue, CallError> {
        let n_recalls = way.recalls.len();
        let value = self.found(call, way);
        let is_hit = way.recalls.len() == n_recalls + 1 && way.recalls[n_recalls].is_hit;
        let on = match call.api {
            Api::Load => None,
            // Nothing was loaded for what is remembered; the graph may be remembered too.
            Api::Reason if is_hit => self.known_graph(call),
            Api::Reason => way.on.take(),
        };
        way.done.push(ExecutedCall { call: call.clone(), value: value.clone(), is_hit, on });
        value
    }

    fn known_graph(&self, call: &Call) -> Option<Rc<Loaded>> {
        let key = match call.arguments.first()? {
            Value::Call(inner) => self.key(inner).ok()?,
            Value::Name(name) => self.named(name).ok()?,
            _ => return None,
        };
        let entry = self.memory.entries().find(|e| e.key == key)?;
        match &entry.value {
            MemoryValue::Graph(graph) => Some(graph.clone()),
            MemoryValue::Result(_) => None,
        }
    }

    fn found(&mut self, call: &Call, way: &mut Way) -> Result<MemoryValue, CallError> {
        let key = self.key(call)?;
        if let Some(found) = self.recall(&key, way) {
            return Ok(found);
        }
        let found = match call.api {
            Api::Load => MemoryValue::Graph(Rc::new(load(&self.hubs, &call.arguments, self.mode)?)),
            Api::Reason => self.reason(call, way)?,
        };
        self.memory.remember(&key, found.clone());
        Ok(found)
    }

    fn recall(&mut self, key: &str, way: &mut Way) -> Option<MemoryValue> {
        let found = self.memory.recall(key);
        way.recalls.push(Recall { key: key.to_owned(), is_hit: found.is_some() });
        found
    }

    fn reason(&mut self, call: &Call, way: &mut Way) -> Result<MemoryValue, CallError> {
        let (first, rest) = split(call)?;
        let (asked, rest) = asked(rest, self.mode)?;
        way.notes.extend(asked.note.clone());
        let data = self.graph(first, way)?;
        let mut arguments: Vec<Argument> = Vec::new();
        for value in rest {
            match value {
                Value::Call(inner) if inner.api == Api::Reason => match self.value(inner, way)? {
                    MemoryValue::Result(found) => arguments.extend(of_result(&found.text)),
                    MemoryValue::Graph(_) => {}
                },
                Value::Set(_) if self.mode == Mode::Reference && asked.model.id != "kmeans" => {
                    let why = "it takes sets of users and of no others".to_owned();
                    return Err(CallError::Reference { why });
                }
                other => unfold(other, &mut arguments)?,
            }
        }
        check(&asked, &arguments)?;
        if !asked.task.is_about_kind(data.kind) {
            return Err(CallError::DoesNotApply {
                function: asked.name(),
                dataset: data.name.clone(),
                does: format!("it gives {}", asked.function.gives),
            });
        }
        way.on = Some(data.clone());
        let model = self.hubs.model(asked.model, &data.name)?;
        let ask = ReasonerRequest { data: &data, function: asked.function, arguments: &arguments };
        let found: Reasoned = model.reason(&ask)?;
        if found.text.len() > MAX_RESULT {
            return Err(CallError::model(format!(
                "the result has {} bytes, and at most {MAX_RESULT} go into a text; ask about fewer \
                 nodes",
                found.text.len()
            )));
        }
        Ok(MemoryValue::Result(Rc::new(found)))
    }

    /// The graph that is a call's first argument.
    fn graph(&mut self, value: &Value, way: &mut Way) -> Result<Rc<Loaded>, CallError> {
        let found = match value {
            Value::Call(inner) if inner.api == Api::Load => self.value(inner, way)?,
            Value::Name(name) => {
                let key = self.named(name)?;
                let found = self.recall(&key, way).ok_or_else(|| CallError::UnknownName {
                    name: name.clone(),
                    how: format!(
                        "the working memory holds {} results and this one was forgotten; load it \
                         again",
                        self.memory.capacity()
                    ),
                })?;
                way.notes.push(format!("{name} is {key}"));
                found
            }
            other => return Err(no_graph(other)),
        };
        match found {
            MemoryValue::Graph(graph) => Ok(graph),
            MemoryValue::Result(_) => Err(no_graph(value)),
        }
    }

    fn name(&mut self, name: &str, key: String) {
        if self.names.len() >= MAX_NAMES {
            let memory = &self.memory;
            self.names.retain(|_, key| memory.entries().any(|e| e.key == *key));
        }
        self.names.insert(name.to_owned(), key);
    }

    fn named(&self, name: &str) -> Result<String, CallError> {
        self.names.get(name).cloned().ok_or_else(|| CallError::UnknownName {
            name: name.to_owned(),
            how: format!("name one first, as in [GL(\"cora\")-->{name}]"),
        })
    }

    /// A call in the one spelling under which it is remembered. Ids keep their case, because two
    /// people may differ in nothing else.
    fn key(&self, call: &Call) -> Result<String, CallError> {
        if self.mode == Mode::Reference {
            return Ok(folded(&call.to_string()));
        }
        let call = call.canonical();
        let mut parts: Vec<String> = Vec::new();
        for (i, value) in call.arguments.iter().enumerate() {
            parts.push(match (call.api, i, value) {
                (Api::Load, 0, Value::Text(name) | Value::Name(name)) => {
                    let own = || match is_path(name) {
                        // Two files may differ in nothing but the case of a letter.
                        true => name.trim().to_owned(),
                        false => name.trim().to_lowercase(),
                    };
                    datasets::find(name).map_or_else(own, |d| d.id.into())
                }
                (Api::Reason, 0, Value::Name(name)) => self.named(name)?,
                (Api::Reason, 1, Value::Text(text) | Value::Name(text)) => {
                    Asked::find(text, self.mode)?.name()
                }
                (_, _, Value::Call(inner)) => self.key(inner)?,
                (_, _, other) => other.to_string(),
            });
        }
        Ok(format!("{}({})", call.api.name(), parts.join(", ")))
    }
}

/// As the public code writes keys: no spaces, small letters.
fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}

fn split(call: &Call) -> Result<(&Value, &[Value]), CallError> {
    call.arguments.split_first().ok_or_else(|| no_graph(&Value::Set(Vec::new())))
}

fn asked(rest: &[Value], mode: Mode) -> Result<(Asked, &[Value]), CallError> {
    match rest.split_first() {
        Some((Value::Text(name) | Value::Name(name), rest)) => Ok((Asked::find(name, mode)?, rest)),
        other => Err(CallError::Arguments {
            function: "GR".to_owned(),
            expected: "a graph, then a function such as \"toolx:order\"".to_owned(),
            found: other.map_or_else(|| "no function".to_owned(), |(v, _)| v.to_string()),
        }),
    }
}

fn no_graph(found: &Value) -> CallError {
    CallError::Arguments {
        function: "GR".to_owned(),
        expected: "a graph first: GL(…) or the name of one loaded".to_owned(),
        found: found.to_string(),
    }
}
