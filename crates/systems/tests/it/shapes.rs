//! Replies that are held to a shape name only what there is, even where the weights of the model are
//! made up; without a shape such a model writes nothing that can be read.

use std::cell::RefCell;
use std::rc::Rc;

use agent::{Cancel, RunContext};
use futures_util::FutureExt as _;
use gguf::fixture::{self, Made};
use gguf::{File, LocalModel, LocalOptions};
use kg::find::Finder;
use kg::plan::{ACTIONS, PlanStep, read_plan};
use llm::{BoxFuture, ChatRequest, ChatResponse, Model, ModelError, ReplyShape, Watch};
use systems::graphrunner::plan_shape;
use systems::kgetool::{
    EpisodeModels, EpisodeOptions, EpisodePart, EpisodeRequest, parse, run, searches_shape,
};
use systems::kgqa::{KgOptions, KgRequest, PlanForm};
use systems::toolformer::hubs::{DATASETS, MODELS, tasks as hub_tasks};
use systems::toolformer::write::{statement_shape, write};
use systems::toolformer::{Api, Executor, Hubs, Mode, Value, sites};
use tasks::family::score::Ruleset;
use tasks::family::{Recipe, generate};
use test_support::context;

const SEEDS: u64 = 50;

fn loaded() -> LocalModel {
    let bytes = fixture::file(&Made { n_ctx: 1 << 15, ..Made::default() }).unwrap();
    let options = LocalOptions { n_ctx: 1 << 15, max_tokens: 3000, ..LocalOptions::default() };
    LocalModel::load(File::read(bytes).unwrap(), options).unwrap()
}

/// The model, with the end of every question alone: what is asked is nothing to made-up weights, and
/// a prompt of thousands of tokens takes its time. It may be one that cannot be held to a shape.
struct Short<'m> {
    model: &'m LocalModel,
    constrains: bool,
}

impl Model for Short<'_> {
    fn label(&self) -> String {
        "made up".to_owned()
    }

    fn constrains(&self) -> bool {
        self.constrains
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let mut request = request.clone();
            request.messages.drain(..request.messages.len().saturating_sub(1));
            for message in &mut request.messages {
                message.content = message.content.chars().rev().take(40).collect();
            }
            request.temperature = Some(1.5);
            if request.reply_shape.is_none() {
                request.max_tokens = Some(60);
            }
            self.model.complete(&request, watch).await
        })
    }
}

/// What the model writes in a shape, or without one.
fn said(model: &LocalModel, shape: Option<&ReplyShape>, seed: u64) -> String {
    let request = ChatRequest {
        messages: vec![llm::Message::user("the question")],
        reply_shape: shape.cloned(),
        max_tokens: shape.is_none().then_some(60),
        temperature: Some(1.5),
        seed: Some(seed),
        ..ChatRequest::default()
    };
    let answer = model.complete(&request, &()).now_or_never().unwrap().unwrap();
    answer.message.content
}

fn city() -> Finder {
    let graph = kg::generators::metro(8, 3).unwrap();
    Finder::new(std::sync::Arc::new(graph), Rc::new(text::NGrams))
}

/// Whether a step names only what there is.
fn names_what_there_is(step: &PlanStep, kg: &kg::Kg, ids: &[String]) -> bool {
    let schema = kg.schema();
    let is_type = |name: &String| schema.find_node_type(name).is_some();
    let is_edge = |name: &String| schema.find_edge_type(name).is_some();
    let is_id = |id: &String| ids.contains(id) || id.starts_with('s');
    ACTIONS.iter().any(|a| a.name == step.action || a.title == step.action)
        && step.node_type.iter().all(is_type)
        // The paper's form has one place for both.
        && step.edge_type.iter().all(|name| is_edge(name) || is_type(name))
        && step.from.iter().chain(&step.to).all(is_id)
        && step.of.iter().all(|e| is_id(&e.from) && e.edge_type.iter().all(is_edge))
}

#[test]
fn plans_name_actions_and_types_that_there_are() {
    let (model, finder) = (loaded(), city());
    for form in [PlanForm::Json, PlanForm::Paper] {
        for extensions in [false, true] {
            let mut options = KgOptions { form, ..KgOptions::default() };
            options.semantics.extensions = extensions;
            let shape = plan_shape(finder.kg(), &options);
            let mut n_free = 0;
            for seed in 0..SEEDS {
                let text = said(&model, Some(&shape), seed);
                let plan = read_plan(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
                assert!(!plan.steps.is_empty(), "{text}");
                let ids: Vec<String> = plan.steps.iter().map(|s| s.id.clone()).collect();
                for step in &plan.steps {
                    assert!(names_what_there_is(step, finder.kg(), &ids), "{step:?} of {text}");
                }
                n_free += usize::from(read_plan(&said(&model, None, seed)).is_ok());
            }
            assert_eq!(n_free, 0, "{form:?}");
        }
    }
}

#[test]
fn graphrunner_asks_for_a_shape_where_that_is_kept() {
    let (model, finder) = (loaded(), city());
    let question = tasks::kgqa::generate(finder.kg(), 1, 1, 7).remove(0);
    let cancel = Cancel::default();
    let setting = RunContext { seed: Some(1), ..context(&cancel) };
    for form in [PlanForm::Json, PlanForm::Paper] {
        let options = KgOptions { form, max_repairs: 0, ..KgOptions::default() };
        let system = "graphrunner";
        let request = KgRequest {
            system,
            finder: &finder,
            question: &question,
            options: &options,
            setting,
            away: None,
            has_person: false,
        };
        let run = |constrains| {
            let short = Short { model: &model, constrains };
            systems::graphrunner::plan(&request, &short, &mut |_| {}).now_or_never().unwrap()
        };
        let planned = run(true);
        assert!(planned.plan.is_some(), "{}", planned.fault());
        assert!(planned.trace.asked[0].reply_shape.is_some());
        let free = run(false);
        assert!(free.plan.is_none());
        assert!(free.trace.asked[0].reply_shape.is_none());
    }
}

#[test]
fn searches_follow_relations_that_the_family_has() {
    let (model, benchmark) = (loaded(), generate(Recipe::small(7)).unwrap());
    let family = &benchmark.families[0];
    let (shape, relations, people) = (searches_shape(family), family.relations(), family.people());
    let mut n_searches = 0;
    for seed in 0..SEEDS {
        let text = said(&model, Some(&shape), seed);
        for mode in [Ruleset::Paper, Ruleset::Compat] {
            for written in parse(&text, mode) {
                let search = written.search.unwrap_or_else(|e| panic!("{e}: {text}"));
                assert!(search.path.iter().all(|r| relations.contains(r.as_str())), "{text}");
                let is_known = people.contains(search.start.as_str());
                assert!(is_known || mode == Ruleset::Compat, "{text}");
                n_searches += 1;
            }
        }
        assert!(parse(&said(&model, None, seed), Ruleset::Paper).is_empty());
    }
    assert!(n_searches > 20, "{n_searches}");
}

#[test]
fn kgetool_asks_for_a_shape_where_that_is_kept() {
    let (model, benchmark) = (loaded(), generate(Recipe::small(7)).unwrap());
    let (family, sample) = (&benchmark.families[0], &benchmark.samples[0]);
    let cancel = Cancel::default();
    let setting = RunContext { seed: Some(2), ..context(&cancel) };
    let asked = EpisodeRequest { family, sample, tools: &[], meaning: &text::NGrams };
    let n_searches = |constrains| {
        let short = Short { model: &model, constrains };
        let models = EpisodeModels { extract: &short, call: &short };
        let mut on_step = |_: EpisodePart<'_>| {};
        let episode = run(asked, models, EpisodeOptions::default(), setting, &mut on_step);
        let episode = episode.now_or_never().unwrap().unwrap();
        assert!(episode.extraction.unread.is_empty());
        (episode.extraction.found.len(), episode.extracting.unwrap().asked[0].reply_shape.is_some())
    };
    assert!(n_searches(true).0 > 0);
    assert_eq!((n_searches(true).1, n_searches(false)), (true, (0, false)));
}

/// Holds a call against the hubs, by other means than what the shape is made by.
fn calls_what_there_is(call: &systems::toolformer::Call, hubs: &Hubs) -> bool {
    let [Value::Call(load), Value::Text(function), rest @ ..] = call.arguments.as_slice() else {
        return false;
    };
    let Some(Value::Text(data)) = load.arguments.first() else { return false };
    let (model, name) = function.split_once(':').unwrap();
    let model = MODELS.iter().find(|m| m.id == model).unwrap();
    let task = hub_tasks::find(model.task).unwrap();
    let dataset = DATASETS.iter().find(|d| d.id == data).unwrap();
    let function = task.functions.iter().find(|f| f.name == name).unwrap();
    let kinds: Vec<&str> = function.takes.iter().flat_map(|p| p.kinds).copied().collect();
    call.api == Api::Reason
        && load.api == Api::Load
        && hubs.data(data).is_ok()
        && task.is_about(dataset)
        && rest.iter().all(|argument| match argument {
            Value::Text(text) => text
                .split_once('#')
                .is_some_and(|(kind, id)| kinds.contains(&kind) && !id.is_empty()),
            Value::Number(n) => (1..=1000).contains(n),
            Value::Name(word) => kinds.contains(&word.as_str()),
            _ => false,
        })
}

#[test]
fn statements_call_functions_that_there_are() {
    let (model, hubs) = (loaded(), Hubs::new().unwrap());
    let shape = statement_shape(&hubs);
    for seed in 0..SEEDS {
        let text = said(&model, Some(&shape), seed);
        let all = sites(&text);
        assert!(!all.is_empty(), "{text}");
        for site in all {
            let bracket = site.bracket.unwrap_or_else(|e| panic!("{e}: {text}"));
            assert!(bracket.calls.iter().all(|c| calls_what_there_is(c, &hubs)), "{text}");
        }
        assert!(sites(&said(&model, None, seed)).is_empty());
    }
}

#[test]
fn the_writer_asks_for_a_shape_where_that_is_kept() {
    let model = loaded();
    let cancel = Cancel::default();
    let setting = RunContext { seed: Some(3), ..context(&cancel) };
    let n_calls = |constrains| {
        let executor = RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours));
        let short = Short { model: &model, constrains };
        let asked = "What is the order of the bull graph?";
        let mut on_step = |_: &trace::Step| {};
        let written = write(&executor, &(), asked, &short, setting, &mut on_step);
        let written = written.now_or_never().unwrap();
        assert_eq!(written.trace.asked[0].reply_shape.is_some(), constrains);
        written.done_at.len()
    };
    assert!(n_calls(true) > 0);
    assert_eq!(n_calls(false), 0);
}
