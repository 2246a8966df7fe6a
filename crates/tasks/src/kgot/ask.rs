//! Questions about a valley, with their answers, and how a program finds them.

mod calculated;
mod joined;

use super::valley::Valley;
use calculated::calculated;
use joined::joined;

/// What is calculated from what a query reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KgotCalculation {
    /// The sum of all.
    Sum,
    /// How far two are apart.
    Difference,
    /// The mean, to one digit.
    Mean,
    /// How many hundredths of the second the first is, to the nearest whole.
    Percent,
}

/// How a program that knows the valley solves a task.
#[derive(Clone, Debug, PartialEq)]
pub struct KgotSolution {
    /// The files that have what is needed.
    pub sources: Vec<&'static str>,
    /// The query that reads the answer or what it is calculated from, in Cypher.
    pub cypher: String,
    /// The same in SPARQL.
    pub sparql: String,
    /// The same in Python with networkx: it sets `result`. Nodes are called by their names, deliveries
    /// by their numbers.
    pub python: String,
    /// What is calculated from the values that were read.
    pub calculation: Option<KgotCalculation>,
    /// The values that are read.
    pub values: Vec<String>,
}

/// A question before its answer is found: words, the program's way, the values and the answer.
struct Asked {
    words: [String; 2],
    free: [String; 3],
    sources: Vec<&'static str>,
    cypher: String,
    sparql: String,
    python: String,
    calculation: Option<KgotCalculation>,
    values: Vec<String>,
    answer: String,
}

type Case = (String, String, KgotSolution, bool);

/// The `n`th question of a level about a valley; nothing where it has no answer or several there.
pub(super) fn ask(valley: &Valley, level: usize, n: usize, seed: u64) -> Option<Case> {
    let asked = match level {
        0 => lookup(valley, n),
        1 => joined(valley, n),
        _ => calculated(valley, n),
    }?;
    let is_free = n % 3 == 2;
    let question = if is_free {
        asked.free[n / 3 % 3].clone()
    } else {
        asked.words[(n + seed as usize) % 2].clone()
    };
    let Asked { sources, cypher, sparql, python, calculation, values, answer, .. } = asked;
    let solution = KgotSolution { sources, cypher, sparql, python, calculation, values };
    Some((question, answer, solution, is_free))
}

/// The nodes that edges of some types lead to from a node, one type after the other, in Python; each
/// is `x`, and `value` is what is read of it.
fn led_to(value: &str, from: &str, types: &[&str]) -> String {
    let mut steps = String::new();
    for (i, edge_type) in types.iter().enumerate() {
        let from = if i == 0 { from.to_owned() } else { format!("x{i}") };
        let to = if i + 1 == types.len() { "x".to_owned() } else { format!("x{}", i + 1) };
        steps.push_str(&format!(
            " for _, {to}, e in G.out_edges({from}, data=True) if e['type'] == '{edge_type}'"
        ));
    }
    format!("result = [{value}{steps}]")
}

/// What a property says of the nodes from which edges of a type lead to a node, in Python.
fn leads_here(property: &str, to: &str, edge_type: &str) -> String {
    format!(
        "result = [G.nodes[x]['{property}'] for x, _, e in G.in_edges('{to}', data=True) \
         if e['type'] == '{edge_type}']"
    )
}

/// What a property says of a node, in Python.
fn of_node(node: &str, property: &str) -> String {
    format!("result = G.nodes[{node}]['{property}']")
}

/// A name in Python.
fn quoted(name: &str) -> String {
    format!("'{name}'")
}

/// A name in SPARQL.
pub(super) fn local(name: &str) -> String {
    format!(":{}", name.replace(' ', "_"))
}

fn lookup(valley: &Valley, n: usize) -> Option<Asked> {
    let worker = valley.workers.get(n % valley.workers.len())?;
    let workshop = valley.workshops.get(n % valley.workshops.len())?;
    let village = valley.villages.get(n % valley.villages.len())?;
    let delivery = valley.deliveries.get(n % valley.deliveries.len())?;
    let of =
        |sources, cypher: String, sparql: String, python: String, answer: String, words, free| {
            Asked {
                words,
                free,
                sources,
                cypher,
                sparql,
                python,
                calculation: None,
                values: vec![answer.clone()],
                answer,
            }
        };
    Some(match n % 5 {
        0 => {
            let w = &worker.name;
            of(
                vec!["workers.csv"],
                format!(
                    "MATCH (:Person {{name: '{w}'}})-[:LIVES_IN]->(v) RETURN v.name AS village"
                ),
                format!("SELECT ?village {{ {} :LIVES_IN ?v . ?v :name ?village }}", local(w)),
                led_to("x", &quoted(w), &["LIVES_IN"]),
                worker.village.clone(),
                [
                    format!("In which village does {w} live?"),
                    format!("Name the village where {w} has a home."),
                ],
                [
                    format!(
                        "If I wanted to knock at {w}'s door, which village would I have to walk to?"
                    ),
                    format!(
                        "Letters for {w} come back undelivered; what place should be on the envelope?"
                    ),
                    format!("Where is {w} at home?"),
                ],
            )
        }
        1 => {
            let w = &workshop.name;
            of(
                vec!["workshops.md"],
                format!("MATCH (w:Workshop {{name: '{w}'}}) RETURN w.founded AS founded"),
                format!("SELECT ?founded {{ {} :founded ?founded }}", local(w)),
                of_node(&quoted(w), "founded"),
                workshop.founded.to_string(),
                [
                    format!("In which year was the {w} founded?"),
                    format!("Give the founding year of the {w}."),
                ],
                [
                    format!(
                        "The {w} wants to paint the year of its beginnings over the gate. Which year?"
                    ),
                    format!("Since when has there been a {w}? The year is enough."),
                    format!(
                        "Somebody claims the {w} has always been there. When did it really start?"
                    ),
                ],
            )
        }
        2 => {
            let v = &village.name;
            of(
                vec!["villages.json"],
                format!("MATCH (v:Village {{name: '{v}'}}) RETURN v.river AS river"),
                format!("SELECT ?river {{ {} :river ?river }}", local(v)),
                of_node(&quoted(v), "river"),
                village.river.clone(),
                [format!("On which river does {v} lie?"), format!("Which river is {v} on?")],
                [
                    format!("A raft is to land at {v}. Which water does it have to come down?"),
                    format!("What do people in {v} call the river outside their doors?"),
                    format!("{v} was flooded last spring. By what river, going by the records?"),
                ],
            )
        }
        3 => {
            let d = delivery.number;
            of(
                vec!["deliveries.txt"],
                format!("MATCH (d:Delivery {{number: {d}}}) RETURN d.pieces AS pieces"),
                format!("SELECT ?pieces {{ :Delivery_{d} :pieces ?pieces }}"),
                of_node(&d.to_string(), "pieces"),
                delivery.pieces.to_string(),
                [
                    format!("How many pieces were in delivery No. {d}?"),
                    format!("Of how many pieces was delivery No. {d}?"),
                ],
                [
                    format!(
                        "The carter of No. {d} counted what was on the cart. What number did he get?"
                    ),
                    format!("Delivery No. {d}: how big was it, in pieces?"),
                    format!("I have to unpack No. {d} tomorrow. How many things will I take out?"),
                ],
            )
        }
        _ => {
            let w = &workshop.name;
            of(
                vec!["workshops.md"],
                format!("MATCH (w:Workshop {{name: '{w}'}}) RETURN w.product AS product"),
                format!("SELECT ?product {{ {} :product ?product }}", local(w)),
                of_node(&quoted(w), "product"),
                workshop.product.clone(),
                [format!("What does the {w} make?"), format!("Which goods come from the {w}?")],
                [
                    format!("What would you go to the {w} to buy?"),
                    format!("What piles up in the yard of the {w} when business is slow?"),
                    format!("The {w} has to put one word on its sign, for what it makes. Which?"),
                ],
            )
        }
    })
}
