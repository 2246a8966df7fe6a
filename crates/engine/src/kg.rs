//! Knowledge graphs: opened, searched, asked by systems, and plans verified.
//!
//! As with disasters, what is asked and replied travels as JSON text inside its message. The graph
//! that is open stays in the worker; the page has its schema and what a run touched.

mod given;
mod messages;
mod store;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Limits, RunContext};
use draw::{LayoutKind, Mark, Marks, Places};
use graph::Graph;
use kg::find::Finder;
use kg::plan::{Plan, print_plan, read_plan, verify};
use kg::{Kg, KgBuilder, formats, generators};
use llm::{BoxFuture, Model};
use systems::kgqa::scripted::KgScript;
use systems::kgqa::{Away, Effort, KgOptions, KgRequest, KgRun, about, answer};
use systems::remote::RemoteKg;
use tasks::kgqa::{KgQuestion, generate, known};
use text::Meaning;

use crate::family;
use crate::fetch::{PageTransport, Watching};
use crate::jobs::{Context, model_of};
use crate::likeness;
use crate::message::ModelChoice;

use crate::{Event, Output, Request};
use given::Given;
use messages::unread;

pub use messages::{HitView, KgAsk, KgReply, KgSource, KgView};

/// What [`KgAsk`]s fail with when no graph is open in the worker, as after it was ended.
pub const NOT_OPEN: &str = "no knowledge graph is open";

/// The graph that is open, and what likeness is told by.
#[derive(Default)]
pub(crate) struct Kept {
    finder: Option<Rc<Finder>>,
    means: Option<likeness::Means>,
    /// The store in which the graph is, if it is in one.
    remote: Option<Rc<RemoteKg>>,
    /// The results that were added up last.
    /// What answers queries about the graph, once one was asked.
    queries: Option<Box<dyn crate::sparql::Queries>>,
}

impl Kept {
    /// What likeness is told by.
    pub(crate) fn meaning(&self) -> Rc<dyn Meaning> {
        self.means.as_ref().map_or_else(|| Rc::new(text::NGrams) as _, |m| m.meaning.clone())
    }

    /// Tells likeness otherwise from now on; the graph stays open.
    fn liken(&mut self, means: likeness::Means) {
        if let Some(finder) = &mut self.finder {
            *finder = Rc::new(Finder::new(finder.kg().clone(), means.meaning.clone()));
        }
        self.means = Some(means);
    }
}

/// The engine's own.
pub(crate) type Open = Rc<RefCell<Kept>>;

/// Answers requests about knowledge graphs and families.
pub(crate) fn answer_request<'a>(
    context: &'a Context,
    open: &'a Open,
    request: Request,
) -> BoxFuture<'a, Result<Output, String>> {
    Box::pin(async move {
        match request {
            Request::Kg { ask, files } => perform(context, open, &ask, files).await,
            Request::Family { ask } => {
                let meaning = open.borrow().meaning();
                family::perform(context, meaning.as_ref(), &ask).await
            }
            _ => Err("a fault of ours: this is no request about knowledge graphs".into()),
        }
    })
}

async fn perform(
    context: &Context,
    open: &Open,
    ask: &str,
    files: Vec<(String, String)>,
) -> Result<Output, String> {
    let ask: KgAsk = serde_json::from_str(ask).map_err(unread)?;
    let finder = || open.borrow().finder.clone().ok_or_else(|| NOT_OPEN.to_owned());
    let reply = match ask {
        KgAsk::Open { source } => {
            let began = context.host.now_ms();
            let remote = match &source {
                KgSource::Store { kind, place } => {
                    Some(Rc::new(store::open(context, kind, place.clone()).await?))
                }
                _ => None,
            };
            let (kg, faults) = match &remote {
                Some(remote) => {
                    (remote.outline().map_err(|e| e.to_string())?, formats::Faults::default())
                }
                None => load(source, files)?,
            };
            let kg = Arc::new(kg);
            let meaning = open.borrow().meaning();
            let finder = Rc::new(Finder::new(kg.clone(), meaning));
            let took_ms = context.host.now_ms() - began;
            let mut view = Box::new(view(&kg, &finder, &faults, took_ms));
            if let Some(remote) = &remote {
                store::tell(&mut view, remote);
            }
            let mut kept = open.borrow_mut();
            (kept.finder, kept.remote) = (Some(finder), remote);
            kept.queries = None;
            KgReply::Opened { view }
        }
        KgAsk::Likeness { by } => {
            let means = likeness::read(by, context)?;
            let label = means.meaning.label();
            open.borrow_mut().liken(means);
            KgReply::Likened { label }
        }
        KgAsk::Learn => {
            let means = open.borrow().means.clone();
            let finder = finder()?;
            if let Some(means) = means {
                let names = finder.kg().nodes().map(|n| finder.kg().name(n));
                if !means.learn(context, names).await? {
                    return Ok(Output::Cancelled);
                }
            }
            KgReply::Likened { label: finder.label() }
        }
        KgAsk::Sparql { query, max_rows } => {
            let finder = finder()?;
            if open.borrow().remote.is_some() {
                return Err("this graph stays in its store; ask it in SPARQL there".into());
            }
            let make = context.parts.sparql.ok_or("a fault of ours: this engine has no SPARQL")?;
            let mut kept = open.borrow_mut();
            let queries = kept.queries.get_or_insert_with(make);
            let now_ms = || context.host.now_ms();
            KgReply::Sparql(queries.answer(finder.kg(), &query, max_rows, &now_ms))
        }
        KgAsk::Write { format } => {
            let finder = finder()?;
            let known = formats::FORMATS.iter().map(|f| f.id).collect::<Vec<_>>();
            let format = formats::find(&format).ok_or_else(|| {
                format!("there is no format {format:?}; there are {}", known.join(", "))
            })?;
            let ending = format.endings.first().copied().unwrap_or("txt").to_owned();
            KgReply::Written { text: (format.write)(finder.kg()), ending }
        }
        KgAsk::Questions { n, min_hops, seed } => {
            let questions = generate(finder()?.kg(), n.min(1_000), min_hops, seed);
            KgReply::Questions { questions }
        }
        KgAsk::Ask { system, question, options, model, limits, plan } => {
            let finder = finder()?;
            let mut question = question;
            // A question of one's own is judged where its answer can be found out.
            if question.answers.is_empty()
                && let Some(known) = known(&finder, &question.question)
            {
                *question = known;
            }
            let remote = open.borrow().remote.clone();
            let run =
                ran(context, &finder, &system, *question, *options, model, limits, plan, remote)
                    .await?;
            // Places once for all that is touched, so that nothing moves while a person steps.
            let places = run
                .trace
                .graph_after(run.trace.steps.len())
                .map(|g| draw::layout(&g, LayoutKind::Force, 1, &Places::default()))
                .unwrap_or_default();
            let way = run.plan.as_ref().map_or_else(Marks::default, |p| way(finder.kg(), p));
            let effort = Effort::of(&run.trace, &about);
            KgReply::Ran { run: Box::new(run), places, way, effort }
        }
        KgAsk::Verify { plan, question, options } => {
            let finder = finder()?;
            let plan = read_plan(&plan).map_err(|e| e.to_string())?;
            verified(&finder, &plan, &question, &options)
        }
        KgAsk::Find { hint, node_type, options } => {
            let finder = finder()?;
            let kg = finder.kg();
            let of = match node_type {
                Some(name) => Some(
                    kg.schema()
                        .find_node_type(&name)
                        .ok_or_else(|| format!("there is no node type {name:?}"))?,
                ),
                None => None,
            };
            let found = finder.find(&hint, of, options);
            let view = |hit: &kg::find::Hit| HitView {
                node: kg.label(hit.node),
                node_type: kg.schema().node_type(kg.node_type(hit.node)).name.clone(),
                score: hit.score,
                how: hit.how,
            };
            let hits = found.hits.iter().map(view).collect();
            KgReply::Found { hits, near: found.near.iter().map(view).collect() }
        }
    };
    Ok(Output::Kg { reply: serde_json::to_string(&reply).map_err(unread)? })
}

fn load(source: KgSource, files: Vec<(String, String)>) -> Result<(Kg, formats::Faults), String> {
    let (title, files) = match source {
        KgSource::Metro { n_lines, seed } => {
            let kg = generators::metro(n_lines, seed).map_err(|e| e.to_string())?;
            return Ok((kg, formats::Faults::default()));
        }
        KgSource::Files { title } => (title, files),
        KgSource::Store { .. } => return Err("a fault of ours: a store has no files".into()),
    };
    let mut builder = KgBuilder::new(title);
    let mut all = formats::Faults::default();
    for (name, text) in files {
        let format = formats::sniff(&name, &text).ok_or_else(|| {
            let known: Vec<String> =
                formats::FORMATS.iter().flat_map(|f| f.endings).map(|e| format!(".{e}")).collect();
            format!("{name}: no format has this ending; known are {}", known.join(", "))
        })?;
        let faults = (format.read)(&text, &mut builder);
        if let Some(why) = faults.refusal(format) {
            return Err(format!("{name}: {why}"));
        }
        all.n += faults.n;
        all.first.extend(faults.first);
        all.first.truncate(formats::MAX_FAULTS);
    }
    if builder.n_nodes() == 0 {
        let why = all.first.first().map_or_else(String::new, |f| format!(": {f}"));
        return Err(format!("nothing in the files is a node or an edge{why}"));
    }
    let kg = builder.build().map_err(|e| e.to_string())?;
    Ok((kg, all))
}

fn view(kg: &Kg, finder: &Finder, faults: &formats::Faults, took_ms: f64) -> KgView {
    let schema = kg.schema().clone();
    let mut drawing = Graph::directed();
    // A schema of hundreds of types is a list, not a drawing.
    for node_type in schema.node_types().iter().take(60) {
        let _ = drawing.ensure_node(node_type.name.as_str());
    }
    for edge in schema.edge_types() {
        for ends in &edge.ends {
            let name = |t| graph::NodeName::from(schema.node_type(t).name.as_str());
            let (from, to) = (name(ends.from), name(ends.to));
            let is_drawn = drawing.has_node(&from) && drawing.has_node(&to);
            if is_drawn && from != to && drawing.edge(&to, &from).is_none() {
                let _ = drawing.apply(&graph::Delta::AddEdge {
                    source: from,
                    target: to,
                    weight: None,
                    capacity: None,
                });
            }
        }
    }
    let places = draw::layout(&drawing, LayoutKind::Force, 1, &Places::default());
    let samples = schema
        .node_type_ixs()
        .map(|t| kg.nodes_of_type(t).iter().take(5).map(|n| kg.name(*n).to_owned()).collect())
        .collect();
    KgView {
        title: kg.title().to_owned(),
        n_nodes: kg.n_nodes(),
        n_edges: kg.n_edges(),
        memory: kg.memory(),
        store: None,
        took_ms,
        schema,
        drawing,
        places,
        samples,
        likeness: finder.label(),
        n_faults: faults.n,
        faults: faults.first.iter().take(20).map(ToString::to_string).collect(),
    }
}

fn verified(finder: &Finder, plan: &Plan, question: &str, options: &KgOptions) -> KgReply {
    let schema = finder.kg().schema();
    let verified = verify(plan, schema, options.semantics, question);
    let mut findings = verified.findings;
    if let (true, Some(ready)) = (options.check_data, &verified.ready) {
        findings.extend(kg::plan::check_data(ready, finder, options.find));
    }
    let names = |types: &std::collections::BTreeSet<kg::NodeTypeIx>| -> Vec<String> {
        types.iter().map(|t| schema.node_type(*t).name.clone()).collect()
    };
    let types = verified.types.iter().map(names).collect();
    let way = way(finder.kg(), plan);
    KgReply::Verified { printed: print_plan(plan), findings, types, way }
}

/// A plan's way over the types: those that each step has, and the edges that it follows.
fn way(kg: &Kg, plan: &Plan) -> Marks {
    let schema = kg.schema();
    let semantics = kg::plan::Semantics { extensions: true, ..Default::default() };
    let verified = verify(plan, schema, semantics, "");
    let wrong = |id: &str| verified.findings.iter().any(|f| f.step.as_deref() == Some(id));
    let name = |t: kg::NodeTypeIx| graph::NodeName::from(schema.node_type(t).name.as_str());
    let mut marks = Marks::default();
    for (i, step) in plan.steps.iter().enumerate() {
        let mark = if wrong(&step.id) { Mark::False } else { Mark::Path };
        for node_type in verified.types.get(i).into_iter().flatten() {
            match marks.nodes.iter_mut().find(|(n, _, _)| *n == name(*node_type)) {
                Some((_, _, Some(tag))) => *tag = format!("{tag}, {}", step.id),
                _ => marks.nodes.push((name(*node_type), mark, Some(step.id.clone()))),
            }
        }
        let hops: Vec<(Option<&str>, Option<&str>)> = if step.of.is_empty() {
            let before = i.checked_sub(1).and_then(|b| plan.steps.get(b)).map(|s| s.id.as_str());
            vec![(step.from.as_deref().or(before), step.edge_type.as_deref())]
        } else {
            step.of.iter().map(|e| (Some(e.from.as_str()), e.edge_type.as_deref())).collect()
        };
        for (from, edge) in hops {
            let from = from.and_then(|f| plan.steps.iter().position(|s| s.id == f));
            let edge = edge.and_then(|e| schema.find_edge_type(e));
            let (Some(from), Some(edge)) = (from, edge) else { continue };
            let tag = format!("{} {}", step.id, schema.edge_type(edge).name);
            for ends in &schema.edge_type(edge).ends {
                let has = |t| verified.types.get(from).is_some_and(|s| s.contains(&t));
                if has(ends.from) || has(ends.to) {
                    marks.edges.push((name(ends.from), name(ends.to), mark, Some(tag.clone())));
                }
            }
        }
    }
    marks
}

#[expect(clippy::too_many_arguments, reason = "each is something of its own")]
async fn ran(
    context: &Context,
    finder: &Rc<Finder>,
    system: &str,
    question: KgQuestion,
    mut options: KgOptions,
    model: ModelChoice,
    limits: Limits,
    plan: Option<String>,
    remote: Option<Rc<RemoteKg>>,
) -> Result<KgRun, String> {
    let system = systems::kgqa::find(system).ok_or_else(|| {
        let known: Vec<&str> = systems::kgqa::KG_SYSTEMS.iter().map(|s| s.id).collect();
        format!("there is no system {system:?}; there are {}", known.join(", "))
    })?;
    let model: Box<dyn Model> = match (model, plan) {
        (choice, Some(plan)) => {
            // A person mends a plan in the form, not in a conversation.
            options.max_repairs = 0;
            let then: Box<dyn Model> = match choice {
                ModelChoice::Script { name } => Box::new(script(&name)?),
                other => model_of(context, other)?,
            };
            Box::new(Given { plan, then })
        }
        (ModelChoice::Script { name }, None) => Box::new(script(&name)?),
        (other, None) => model_of(context, other)?,
    };
    let watching = Watching::new(context);
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let mut on_step = |step: &trace::Step| {
        watching.step();
        context.post(Event::Step { step: Box::new(step.clone()) });
    };
    let setting =
        RunContext { limits, seed: None, clock: &clock, cancel: &context.cancel, watch: &watching };
    if remote.is_some() && system.id != "graphrunner" {
        return Err(format!(
            "{} walks on the whole graph, and this one stays in its store; GraphRunner can ask there",
            system.title
        ));
    }
    let transport = PageTransport::new(context);
    let away = remote.as_deref().map(|remote| Away { remote, transport: &transport });
    let request =
        KgRequest { system, finder, question: &question, options: &options, setting, away };
    Ok(answer(request, model.as_ref(), &mut on_step).await)
}

fn script(name: &str) -> Result<KgScript, String> {
    KgScript::by_name(name).ok_or_else(|| {
        let known: Vec<String> = KgScript::names().into_iter().map(|(n, _)| n).collect();
        format!("there is no script {name:?}; there are {}", known.join(", "))
    })
}
