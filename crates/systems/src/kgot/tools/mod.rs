//! The tools of a task: its files, arithmetic, a second question to a model, and what the person
//! allows of the world outside.

mod cache;
mod documents;
mod files;
mod images;
mod look;
mod maths;
mod pages;
mod python;
mod web;
mod wikipedia;

use std::cell::RefCell;
use std::rc::Rc;

use agent::{AsyncToolSet, ToolFailure, ToolOutput, ToolSet, Transport};
use kg::property::PropertyGraph;
use llm::{BoxFuture, Image, Message, ToolCall, ToolSpec};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trace::Effects;

pub use cache::ToolCache;
pub use documents::{FileContents, FileReader};
pub use files::KgotFile;
pub use python::{
    PythonEdge, PythonFailure, PythonFault, PythonFile, PythonGraph, PythonKey, PythonNode,
    PythonReply, PythonRequest, PythonRunner, told_graph,
};
pub use web::WebTools;

pub(super) use cache::call_key;
use files::TaskFiles;
pub(super) use images::LOOK;
pub(super) use maths::{CALCULATE, Maths};
use pages::PagedText;
pub(crate) use python::LIMIT_MS as PYTHON_LIMIT_MS;
pub(super) use python::{MAX_CODE as MAX_PYTHON_CODE, MAX_GRAPH as MAX_PYTHON_GRAPH};

/// The tool that asks a model; the controller answers it, because it keeps what models say.
pub(super) const ASK_MODEL: &str = "ask_model";
/// The tool that runs Python, which reads the graph as it is at that moment.
pub(super) const RUN_PYTHON: &str = python::RUN;
/// The most images of one message.
const MAX_IMAGES: usize = 4;
/// The most pages of the web that a run keeps.
const MAX_KEPT: usize = 40;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskArgs {
    question: String,
}

/// Whether a tool is a question to a model.
pub(super) fn is_question(name: &str) -> bool {
    name == ASK_MODEL || name == LOOK
}

/// What tools may reach. By default nothing outside of the task.
#[derive(Clone, Default)]
pub struct ToolPlace<'a> {
    /// Who sends requests; without one there is no web.
    pub transport: Option<&'a dyn Transport>,
    /// Who makes text of files; without one text alone is read.
    pub files: Option<&'a dyn FileReader>,
    /// Who runs Python; without one there is none.
    pub python: Option<&'a dyn PythonRunner>,
    /// Which places of the web may be asked.
    pub web: WebTools,
    /// Whether the model that calls tools sees images. Not every one does, and no endpoint tells.
    pub sees: bool,
    /// What earlier runs were given.
    pub cache: Option<&'a ToolCache>,
}

impl<'a> ToolPlace<'a> {
    fn reader(&self) -> &'a dyn FileReader {
        self.files.unwrap_or(&documents::PlainFiles)
    }
}

/// The tools of a task.
pub struct TaskTools<'t> {
    files: TaskFiles<'t>,
    place: &'t ToolPlace<'t>,
    asks_model: bool,
    /// What Python is given; none where there is no graph.
    graph: RefCell<Option<PropertyGraph>>,
    kept: KeptPages,
}

impl<'t> TaskTools<'t> {
    /// Tools for these files, which reach what is at this place.
    pub fn new(files: &'t [KgotFile], place: &'t ToolPlace<'t>) -> Self {
        let kept = KeptPages::default();
        let graph = RefCell::default();
        Self { files: TaskFiles::new(files, place.reader()), place, asks_model: true, graph, kept }
    }

    /// The same without the tool that asks a model, for a model that would ask itself.
    #[must_use]
    pub fn without_model(mut self) -> Self {
        self.asks_model = false;
        self
    }

    /// The question to a model that a call is, if it is one.
    pub(super) fn question(&self, call: &ToolCall) -> Option<Result<Message, ToolFailure>> {
        if !is_question(&call.name) {
            return None;
        }
        let arguments = match serde_json::from_str(&call.arguments) {
            Ok(arguments) => arguments,
            Err(error) => return Some(Err(failure("schema", error.to_string()))),
        };
        Some(match call.name.as_str() {
            LOOK if self.shows_images() => look::question(&self.files, arguments),
            LOOK => Err(failure("no_place", "there is no image, or nobody who sees".into())),
            _ => read_arguments(arguments).map(|AskArgs { question }| Message::user(question)),
        })
    }

    fn shows_images(&self) -> bool {
        self.asks_model && self.place.sees && !self.files.images().is_empty()
    }

    /// The images of the task, as far as one message takes them.
    pub(super) fn images(&self) -> Vec<Image> {
        if !self.place.sees {
            return Vec::new();
        }
        let names = self.files.images().into_iter();
        let bytes = names.filter_map(|name| self.files.bytes(&name).ok());
        bytes.filter_map(|(_, bytes)| Image::new(&bytes).ok()).take(MAX_IMAGES).collect()
    }

    /// Shows Python the graph as it is now.
    pub fn sees(&self, graph: &PropertyGraph) {
        *self.graph.borrow_mut() = Some(graph.clone());
    }

    async fn answer(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<(Value, Vec<String>), ToolFailure> {
        let missing = || failure("no_place", format!("{name} has nobody to ask here"));
        let transport = || self.place.transport.ok_or_else(missing);
        let web = &self.place.web;
        match name {
            files::READ | files::FIND | files::SEARCH => self.files.call(name, arguments),
            wikipedia::SEARCH => wikipedia::search(transport()?, arguments).await,
            wikipedia::PAGE => wikipedia::page(transport()?, arguments).await,
            web::SEARCH => web::search(web, transport()?, self.place.reader(), arguments).await,
            web::OPEN => {
                web::open(web, transport()?, self.place.reader(), &self.kept, arguments).await
            }
            python::RUN => {
                let runner = self.place.python.ok_or_else(missing)?;
                let graph = self.graph.borrow().clone();
                let files = self.files.texts(python::MAX_FILES).into_iter();
                let files = files.map(|(name, text)| PythonFile { name, text }).collect();
                python::run(runner, graph.as_ref(), files, arguments).await
            }
            _ => Maths.call(name, arguments).map(|output| (output.value, output.notes)),
        }
    }

    /// Under which key a result may be kept over runs; none for what is new each time or costs
    /// nothing.
    fn key(&self, name: &str, arguments: &Value) -> Option<String> {
        let about = match name {
            files::READ | files::FIND | files::SEARCH => self.files.hash().to_owned(),
            wikipedia::SEARCH | wikipedia::PAGE => String::new(),
            web::SEARCH => self.place.web.search.clone()?,
            web::OPEN => self.place.web.reader.clone()?,
            _ => return None,
        };
        Some(cache::cache_key(name, arguments, &about))
    }
}

impl AsyncToolSet for TaskTools<'_> {
    fn specs(&self) -> Vec<ToolSpec> {
        let mut specs = Vec::new();
        if self.asks_model {
            specs.push(spec(
                ASK_MODEL,
                "Asks a language model a question of general knowledge. It sees nothing but the \
                 question: give all that it needs.",
                json!({
                    "question": {
                        "type": "string",
                        "description": "The question, complete in itself.",
                    },
                }),
                &["question"],
            ));
        }
        if self.shows_images() {
            specs.push(images::spec_of_look());
        }
        specs.extend(Maths.specs());
        if !self.files.is_empty() {
            specs.extend(files::specs());
        }
        if self.place.transport.is_some() {
            if self.place.web.wikipedia {
                specs.extend(wikipedia::specs());
            }
            specs.extend(web::specs(&self.place.web, self.place.files.is_some()));
        }
        if self.place.python.is_some() {
            specs.extend(python::specs(self.graph.borrow().is_some()));
        }
        specs
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>> {
        Box::pin(async move {
            let cache = self.place.cache;
            let key = cache.and_then(|_| self.key(name, &arguments));
            if let (Some(cache), Some(key)) = (cache, &key)
                && let Some(known) = cache.get(key)
            {
                return Ok(known);
            }
            let (value, notes) = self.answer(name, arguments).await?;
            let output = ToolOutput { notes, ..output(value) };
            if let (Some(cache), Some(key)) = (cache, key) {
                cache.keep(key, &output);
            }
            Ok(output)
        })
    }
}

/// A text with its address and what was noted when it was read.
type KeptPage = (String, Rc<PagedText>, Vec<String>);

/// Pages of the web that were opened in this run: a second part of one is not fetched again.
#[derive(Default)]
struct KeptPages(RefCell<Vec<KeptPage>>);

impl KeptPages {
    fn get(&self, url: &str) -> Option<(Rc<PagedText>, Vec<String>)> {
        let kept = self.0.borrow();
        kept.iter().find(|(u, ..)| u == url).map(|(_, text, notes)| (text.clone(), notes.clone()))
    }

    fn keep(&self, url: &str, text: PagedText, notes: Vec<String>) -> Rc<PagedText> {
        let mut kept = self.0.borrow_mut();
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        let text = Rc::new(text);
        kept.push((url.to_owned(), text.clone(), notes));
        text
    }
}

fn failure(code: &str, message: String) -> ToolFailure {
    ToolFailure { is_schema: false, code: code.into(), message, witness: None }
}

fn output(value: Value) -> ToolOutput {
    ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None }
}

fn read_arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolFailure> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolFailure { is_schema: true, ..failure("schema", error.to_string()) })
}

fn spec(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}
