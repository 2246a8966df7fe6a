//! Questions about tiny graphs with types of their own, each with the plan that answers it.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::generators::TINY;
use kg::plan::{Plan, PlanStep, Semantics, execute, verify};
use kg::{Direction, Kg, NodeIx, NodeTypeIx, Schema};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::KgQuestion;

/// What a question is put together from: `{q}` asks for the last type, `{l}` tells to list it; `{e}`
/// are the edge types in their order, `{back}` the same from the last one back; `{start}` is the node
/// with its type.
///
/// A word that says which name it is stands directly before each name. Where the names alone said it by
/// their order, as in "#painter #cleo, then #sings", a model of a million parameters did not learn to
/// tell them apart: names are spelled, so that the name before is a different way off each time.
const FORMS: &[&str] = &[
    "{q} can we reach from {start} by {e}?",
    "From {start}, follow {e}. {q} are found?",
    "Start at {start} and follow {e}. {l} at the end.",
    "Take {start}. Follow {e}. {l}.",
    "{q} are reached by {back}, from {start}?",
    "{l} that we reach by {back}, from {start}.",
];

/// What stands before the edge type of each hop.
const ORDER: [&str; 3] = ["first", "second", "third"];

const MORE: &[&str] = &["more than", "over", "above"];
const LESS: &[&str] = &["less than", "under", "below"];

/// What plans for these questions may do: they count and filter.
pub fn tiny_semantics() -> Semantics {
    Semantics { extensions: true, ..Semantics::default() }
}

/// Whether a graph is one that [`kg::generators::tiny`] makes, as its title says.
pub fn is_tiny(kg: &Kg) -> bool {
    kg.title() == TINY
}

fn one<'a>(rng: &mut ChaCha8Rng, list: &[&'a str]) -> &'a str {
    list.choose(rng).copied().unwrap_or_default()
}

/// The edge type and the type at its other end, from one type on.
#[derive(Clone, Debug)]
struct Hop {
    edge: String,
    to: NodeTypeIx,
}

/// A way of so many hops through a schema.
fn way(rng: &mut ChaCha8Rng, schema: &Schema, start: NodeTypeIx, n: usize) -> Option<Vec<Hop>> {
    let mut hops: Vec<Hop> = Vec::new();
    let mut at = start;
    for _ in 0..n {
        let mut may: Vec<Hop> = Vec::new();
        for (edge, _) in schema.edges_at(at) {
            for to in schema.ends_of(at, edge, Direction::Both) {
                may.push(Hop { edge: schema.edge_type(edge).name.clone(), to });
            }
        }
        // Back over the edges by which it came: seldom.
        if let Some(last) = hops.last()
            && rng.random_bool(0.8)
            && may.iter().any(|hop| hop.edge != last.edge)
        {
            may.retain(|hop| hop.edge != last.edge);
        }
        let hop = may.choose(rng)?.clone();
        at = hop.to;
        hops.push(hop);
    }
    Some(hops)
}

/// How what is found is kept: by an attribute, by how it compares (`=` where nothing is said), and with
/// what.
struct Filter {
    attribute: String,
    op: Option<&'static str>,
    value: u32,
}

fn step(i: usize, action: &str) -> PlanStep {
    let from = (i > 1).then(|| format!("s{}", i - 1));
    PlanStep { id: format!("s{i}"), action: action.to_owned(), from, ..PlanStep::default() }
}

fn plan(start: &str, of: &str, hops: &[Hop], filter: Option<&Filter>, counts: bool) -> Plan {
    let (hint, node_type) = (Some(start.to_owned()), Some(of.to_owned()));
    let mut steps = vec![PlanStep { hint, node_type, ..step(1, "find_node") }];
    for hop in hops {
        let edge_type = Some(hop.edge.clone());
        steps.push(PlanStep { edge_type, ..step(steps.len() + 1, "fetch_neighbors") });
    }
    if let Some(filter) = filter {
        steps.push(PlanStep {
            attribute: Some(filter.attribute.clone()),
            op: filter.op.map(str::to_owned),
            value: Some(filter.value.to_string()),
            ..step(steps.len() + 1, "filter")
        });
    }
    if counts {
        steps.push(step(steps.len() + 1, "count"));
    }
    Plan { steps, answer_from: None }
}

/// A filter in words, as it stands behind the type that it is about, or as a sentence.
fn filter_words(rng: &mut ChaCha8Rng, filter: &Filter) -> (String, String) {
    let (than, equals) = match filter.op {
        Some(">") => (one(rng, MORE), false),
        Some(_) => (one(rng, LESS), false),
        None => ("", true),
    };
    let Filter { attribute, value, .. } = filter;
    let with = match (equals, rng.random_bool(0.5)) {
        (true, true) => format!("with {attribute} equal to {value}"),
        (true, false) => format!("whose {attribute} is {value}"),
        (false, true) => format!("with {attribute} {than} {value}"),
        (false, false) => format!("whose {attribute} is {than} {value}"),
    };
    match rng.random_bool(0.6) {
        true => (format!(" {with}"), String::new()),
        false => (String::new(), format!(" {} those {with}.", one(rng, &["Keep only", "Keep"]))),
    }
}

fn words(
    rng: &mut ChaCha8Rng,
    schema: &Schema,
    start: (&str, &str),
    hops: &[Hop],
    filter: Option<&Filter>,
    counts: bool,
) -> String {
    let (node, of) = start;
    let start = match rng.random_range(0..3) {
        0 => format!("the type {of} and the node {node}"),
        1 => format!("the node {node} with the type {of}"),
        _ => format!("node {node} of type {of}"),
    };
    let (behind, after) = filter.map_or_else(Default::default, |f| filter_words(rng, f));
    let last = hops.last().map(|hop| schema.node_type(hop.to).name.clone()).unwrap_or_default();
    let wanted = format!("{last}{behind}");
    let (q, l) = match counts {
        true => (format!("How many {wanted}"), format!("Count the {wanted}")),
        false => {
            let (q, l) = (one(rng, &["Which", "What"]), one(rng, &["List", "Name", "Find"]));
            (format!("{q} {wanted}"), format!("{l} the {wanted}"))
        }
    };
    let mut e: Vec<String> =
        ORDER.iter().zip(hops).map(|(which, hop)| format!("{which} {}", hop.edge)).collect();
    let between = one(rng, &[", ", ", then ", " and "]);
    let text = one(rng, FORMS)
        .replace("{q}", &q)
        .replace("{l}", &l)
        .replace("{start}", &start)
        .replace("{e}", &e.join(between));
    e.reverse();
    let text = text.replace("{back}", &e.join(", after "));
    text + &after
}

/// A question about a tiny graph: one to three hops from a node that it names, with a filter or a
/// count now and then. Its answers may be none. Nothing where the graph has no edges.
///
/// The answers come from running the plan; the tests find them by other means.
pub fn ask_tiny(rng: &mut ChaCha8Rng, finder: &Finder) -> Option<KgQuestion> {
    let kg = finder.kg();
    let schema = kg.schema();
    let types: Vec<NodeTypeIx> = schema.node_type_ixs().collect();
    let of = *types.choose(rng)?;
    let n_hops = rng.random_range(1..=3);
    let hops = way(rng, schema, of, n_hops)?;
    let node: NodeIx = *kg.nodes_of_type(of).choose(rng)?;
    let last = hops.last()?.to;
    let filter = match schema.node_type(last).attributes.choose(rng) {
        Some(attribute) if rng.random_bool(0.6) => {
            let op = *[Some(">"), Some("<"), None].choose(rng)?;
            // What is equal to a value has to have it.
            let some = kg.attributes(*kg.nodes_of_type(last).choose(rng)?)?;
            let equal = some.get(attribute).and_then(serde_json::Value::as_u64).unwrap_or(0);
            let value = if op.is_none() { equal as u32 } else { rng.random_range(5..95) };
            Some(Filter { attribute: attribute.clone(), op, value })
        }
        _ => None,
    };
    let counts = rng.random_bool(0.25);
    let name = &schema.node_type(of).name;
    let plan = plan(kg.name(node), name, &hops, filter.as_ref(), counts);
    let question = words(rng, schema, (kg.name(node), name), &hops, filter.as_ref(), counts);
    let ready = verify(&plan, schema, tiny_semantics(), &question).ready?;
    let answers = execute(&ready, finder, FindOptions::default()).answer().texts(kg);
    Some(KgQuestion {
        id: String::new(),
        question,
        answers,
        level: None,
        hops: n_hops as u32,
        template: "tiny".to_owned(),
        plan: Some(plan),
    })
}

/// `n` questions about a tiny graph that have an answer, each once; fewer where there are no more.
pub fn generate_tiny(kg: &Arc<Kg>, n: usize, seed: u64) -> Vec<KgQuestion> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
    let mut questions: Vec<KgQuestion> = Vec::new();
    let mut seen = BTreeSet::new();
    for _ in 0..n.saturating_mul(20) {
        if questions.len() >= n {
            break;
        }
        let Some(question) = ask_tiny(&mut rng, &finder) else { continue };
        if !question.answers.is_empty() && seen.insert(question.question.clone()) {
            let id = format!("tiny-{seed}-{}", questions.len() + 1);
            questions.push(KgQuestion { id, ..question });
        }
    }
    questions
}
