//! What tools and programs of models may reach, as far as a person allows it.

use std::rc::Rc;
use std::sync::Arc;

use agent::Transport;
use anyhow::{Result, bail};
use backends::DocumentFiles;
use kg::property::PropertyGraph;
use llm::{BoxFuture, ChatResponse, Endpoint, HttpRequest, HttpResponse, ModelError, ToolSpec};
use systems::experiment::{Experiment, Need, Setup, World};
use systems::kgot::experiment::{ID, KgotWorld};
use systems::kgot::{
    Elsewhere, GraphLanguage, KgotFile, KgotLanguage, NO_GRAPH, PythonRunner, TaskTools, ToolCache,
    ToolPlace, WebTools,
};

use systems::nlgraph::{self, ProblemWorld};

use crate::http::Client;
use crate::python::LocalPython;
use crate::queries::GraphQueries;

/// What tools may reach. All of it is off until it is named.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReachArgs {
    /// kgot: lets tools search and read Wikipedia. What a model looks for leaves this machine for
    /// wikipedia.org; keys do not.
    #[arg(long)]
    wikipedia: bool,
    /// kgot: lets tools search the web by this address, with `{query}` in it, or by that of a SearXNG
    /// server that gives JSON. What a model looks for leaves this machine for that server; keys do
    /// not.
    #[arg(long, value_name = "TEMPLATE")]
    search: Option<String>,
    /// kgot: lets tools open pages of the web by this address, with `{url}` in it, which gives a page
    /// as HTML, Markdown or text. The addresses that a model asks for leave this machine for that
    /// server, which fetches them; keys do not.
    #[arg(long, value_name = "TEMPLATE")]
    reader: Option<String>,
    /// kgot: lets tools run Python 3 with networkx; nlgraph: runs the programs of the system `program`
    /// with it. Code that a model wrote then runs on this machine as you. Its time, memory and size of files are limited, and keys of the environment are not
    /// handed on, but this is no sandbox: the code can read and change your files. Use it in a
    /// container or a virtual machine.
    #[arg(long)]
    python: bool,
    /// kgot: the model that calls tools sees images. It is then asked about images of a task; without
    /// a graph it gets them with the task.
    #[arg(long)]
    sees_images: bool,
}

impl ReachArgs {
    /// What is wrong with them is said before a run begins; nothing for another experiment.
    pub(super) fn reach(&self, experiment: &dyn Experiment) -> Result<Option<Reach>> {
        let given = [
            ("--wikipedia", self.wikipedia),
            ("--search", self.search.is_some()),
            ("--reader", self.reader.is_some()),
            ("--python", self.python),
            ("--sees-images", self.sees_images),
        ];
        let id = experiment.id();
        let runs_python = experiment.systems().iter().any(|s| is_in_python(experiment, s.id));
        if id != ID {
            let is_for_others =
                |(name, is): &&(&str, bool)| *is && !(runs_python && *name == "--python");
            if let Some((name, _)) = given.iter().find(is_for_others) {
                bail!("{name} is for {ID}; {id} has no tools that reach so far");
            }
            if !runs_python {
                return Ok(None);
            }
        }
        let web = WebTools {
            wikipedia: self.wikipedia,
            reader: self.reader.clone(),
            search: self.search.clone(),
        };
        web.check().map_err(|why| anyhow::anyhow!("--search, --reader: {why}"))?;
        let python = if self.python { Some(LocalPython::find()?) } else { None };
        Ok(Some(Reach {
            experiment: id,
            web,
            python,
            sees: self.sees_images,
            cache: Arc::default(),
        }))
    }
}

/// Whether the model of a system writes Python.
fn is_in_python(experiment: &dyn Experiment, system: &str) -> bool {
    experiment.needs(system) == Some(Need::Python)
}

/// What tools may reach, for all threads.
pub(super) struct Reach {
    experiment: &'static str,
    web: WebTools,
    python: Option<LocalPython>,
    sees: bool,
    /// One for all threads.
    cache: Arc<ToolCache>,
}

impl Reach {
    /// What a person should know before runs begin.
    pub(super) fn warning(&self) -> Option<String> {
        self.python.as_ref().map(LocalPython::warning)
    }

    /// Whether a system can run; what it needs, if not.
    ///
    /// # Errors
    /// It writes Python, and nobody runs that.
    pub(super) fn check(&self, experiment: &dyn Experiment, system: &str) -> Result<()> {
        if is_in_python(experiment, system) && self.python.is_none() {
            bail!("{system} writes Python; it needs --python, whose help says what that means");
        }
        Ok(())
    }

    /// The world of the runs.
    pub(super) fn world(&self) -> World {
        if self.experiment == nlgraph::ID {
            return World::new(ProblemWorld { python: self.runner() });
        }
        World::new(self.kgot_world())
    }

    fn runner(&self) -> Option<Rc<dyn PythonRunner>> {
        self.python.clone().map(|python| Rc::new(python) as Rc<dyn PythonRunner>)
    }

    /// The same without anything outside of the tasks: for an estimate.
    pub(super) fn world_at_home(&self) -> World {
        if self.experiment == nlgraph::ID {
            return self.world();
        }
        let KgotWorld { files, cypher, sparql, python, sees, .. } = self.kgot_world();
        World::new(KgotWorld { files, cypher, sparql, python, sees, ..KgotWorld::default() })
    }

    fn kgot_world(&self) -> KgotWorld {
        let asks = self.web != WebTools::default();
        let client = || Rc::new(ToolClient(Client::new(None))) as Rc<dyn Transport>;
        let python = self.runner();
        let queries = GraphQueries::default();
        let language = |language| -> Rc<dyn GraphLanguage> {
            Rc::new(Elsewhere { language, by: queries.clone() })
        };
        KgotWorld {
            transport: asks.then(client),
            files: Some(&DocumentFiles),
            cypher: Some(language(KgotLanguage::Cypher)),
            sparql: Some(language(KgotLanguage::Sparql)),
            python,
            web: self.web.clone(),
            sees: self.sees,
            cache: self.cache.clone(),
            ..KgotWorld::default()
        }
    }

    /// The tools of a setup. With others it is another setup: its runs are not taken for those of one
    /// that reached less.
    pub(super) fn tools(&self, setup: &Setup) -> Vec<ToolSpec> {
        let world = self.kgot_world();
        let place: ToolPlace<'_> = world.place();
        let any = [KgotFile::default(), KgotFile::of_bytes("a.png", b"\x89PNG\r\n\x1a\n".into())];
        let tools = TaskTools::new(&any, &place);
        if setup.system == NO_GRAPH {
            let mut specs = agent::AsyncToolSet::specs(&tools.without_model());
            if self.sees {
                // No tool: the images go with the task, which makes it another setup as well.
                specs.push(ToolSpec {
                    name: "images".into(),
                    description: String::new(),
                    parameters: serde_json::Value::Null,
                });
            }
            return specs;
        }
        tools.sees(&PropertyGraph::default());
        agent::AsyncToolSet::specs(&tools)
    }
}

/// Asks for tools. It has no key, so that none can go to whom a tool asks.
struct ToolClient(Client);

impl Transport for ToolClient {
    fn send<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        request: HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            // A failure stands in the trace. The whole address may have something private in it,
            // which is the person's and no model's.
            let url = endpoint.base_url.clone();
            self.0.ask(endpoint, request).map_err(|error| match error {
                ModelError::Unreachable { .. } => {
                    ModelError::Unreachable { url, reason: "it cannot be reached".into() }
                }
                ModelError::TimedOut { seconds, .. } => ModelError::TimedOut { url, seconds },
                other => other,
            })
        })
    }

    fn clean<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        outcome: Result<ChatResponse, ModelError>,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        self.0.clean(endpoint, outcome)
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.0.sleep(ms)
    }
}
