//! Questions about a valley, with their answers, and how a program finds them.

use std::collections::BTreeSet;

use super::valley::Valley;

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

fn joined(valley: &Valley, n: usize) -> Option<Asked> {
    let worker = valley.workers.get(n * 5 % valley.workers.len())?;
    let shop = valley.workshop(&worker.workshop)?;
    let stands_in = valley.village(&shop.village)?;
    let delivery = valley.deliveries.get(n * 3 % valley.deliveries.len())?;
    let maker = valley.workshop(&delivery.workshop)?;
    let of = |sources,
              cypher: String,
              sparql: String,
              python: String,
              values: Vec<String>,
              words,
              free| Asked {
        words,
        free,
        sources,
        cypher,
        sparql,
        python,
        calculation: None,
        answer: values.join(", "),
        values,
    };
    let (w, d) = (&worker.name, delivery.number);
    Some(match n % 5 {
        0 => of(
            vec!["workers.csv", "workshops.md", "villages.json"],
            format!(
                "MATCH (:Person {{name: '{w}'}})-[:WORKS_AT]->()-[:STANDS_IN]->(v) RETURN v.river AS river"
            ),
            format!(
                "SELECT ?river {{ {} :WORKS_AT ?s . ?s :STANDS_IN ?v . ?v :river ?river }}",
                local(w)
            ),
            led_to("G.nodes[x]['river']", &quoted(w), &["WORKS_AT", "STANDS_IN"]),
            vec![stands_in.river.clone()],
            [
                format!("On which river lies the village in which {w} works?"),
                format!("{w} works in a workshop. Which river is its village on?"),
            ],
            [
                format!("Which river can {w} hear from the workbench?"),
                format!("{w} lost a glove in the river beside the workshop. Which river has it?"),
                format!("When {w} takes a walk by the water at noon, what is that water called?"),
            ],
        ),
        1 => of(
            vec!["workers.csv", "workshops.md"],
            format!("MATCH (:Person {{name: '{w}'}})-[:WORKS_AT]->(s) RETURN s.founded AS founded"),
            format!("SELECT ?founded {{ {} :WORKS_AT ?s . ?s :founded ?founded }}", local(w)),
            led_to("G.nodes[x]['founded']", &quoted(w), &["WORKS_AT"]),
            vec![shop.founded.to_string()],
            [
                format!("When was the workshop founded in which {w} works?"),
                format!("In which year was the workplace of {w} founded?"),
            ],
            [
                format!(
                    "{w} wonders how old the firm is that pays the wages. In what year did it begin?"
                ),
                format!(
                    "Which year stands on the founding stone of the place where {w} earns a living?"
                ),
                format!("Look up where {w} is employed. Which year did that house open?"),
            ],
        ),
        2 => of(
            vec!["workshops.md", "villages.json"],
            format!(
                "MATCH (:Workshop {{name: '{}'}})-[:STANDS_IN]->(v) RETURN v.inhabitants AS inhabitants",
                shop.name
            ),
            format!(
                "SELECT ?inhabitants {{ {} :STANDS_IN ?v . ?v :inhabitants ?inhabitants }}",
                local(&shop.name)
            ),
            led_to("G.nodes[x]['inhabitants']", &quoted(&shop.name), &["STANDS_IN"]),
            vec![stands_in.inhabitants.to_string()],
            [
                format!(
                    "How many inhabitants does the village have in which the {} stands?",
                    shop.name
                ),
                format!("The {} stands in a village. How many people live there?", shop.name),
            ],
            [
                format!(
                    "How many neighbours, all told, does the {} have in its village?",
                    shop.name
                ),
                format!(
                    "The {} invites its whole village. For how many should it bake?",
                    shop.name
                ),
                format!("What is the head count of the place that the {} calls home?", shop.name),
            ],
        ),
        3 => of(
            vec!["deliveries.txt", "workshops.md"],
            format!(
                "MATCH (:Delivery {{number: {d}}})-[:FROM]->()-[:STANDS_IN]->(v) RETURN v.name AS village"
            ),
            format!(
                "SELECT ?village {{ :Delivery_{d} :FROM ?s . ?s :STANDS_IN ?v . ?v :name ?village }}"
            ),
            led_to("x", &d.to_string(), &["FROM", "STANDS_IN"]),
            vec![maker.village.clone()],
            [
                format!("In which village stands the workshop that sent delivery No. {d}?"),
                format!("From which village did delivery No. {d} come?"),
            ],
            [
                format!(
                    "Where was the cart of No. {d} loaded? I need the village, not the buyer's."
                ),
                format!("A complaint about No. {d} has to go to its maker. To which village?"),
                format!(
                    "Follow No. {d} back to where it was made. Which village do you end up in?"
                ),
            ],
        ),
        _ => {
            let river = &valley.villages.get(n % valley.villages.len())?.river;
            let on: BTreeSet<&str> = valley
                .villages
                .iter()
                .filter(|v| v.river == *river)
                .map(|v| v.name.as_str())
                .collect();
            let mut names: Vec<String> = valley
                .workers
                .iter()
                .filter(|w| on.contains(w.village.as_str()))
                .map(|w| w.name.clone())
                .collect();
            names.sort();
            if !(2..=4).contains(&names.len()) {
                return None;
            }
            of(
                vec!["workers.csv", "villages.json"],
                format!(
                    "MATCH (p:Person)-[:LIVES_IN]->(:Village {{river: '{river}'}}) \
                     RETURN p.name AS name ORDER BY name"
                ),
                format!(
                    "SELECT ?name {{ ?p :LIVES_IN ?v ; :name ?name . ?v :river \"{river}\" }} ORDER BY ?name"
                ),
                format!(
                    "result = sorted(x for x, v, e in G.edges(data=True) \
                     if e['type'] == 'LIVES_IN' and G.nodes[v].get('river') == '{river}')"
                ),
                names,
                [
                    format!(
                        "Which workers live in a village on the {river}? Give full names in \
                         alphabetical order."
                    ),
                    format!(
                        "List, in alphabetical order, the full names of all workers who live on the \
                         {river}."
                    ),
                ],
                [
                    format!(
                        "The {river} is rising. Whom among the workers must we wake? Full names, \
                         alphabetically."
                    ),
                    format!(
                        "Which of the workers could go home by boat on the {river}? Alphabetical \
                         order, full names."
                    ),
                    format!(
                        "Put down, from A to Z and with full names, every worker whose home is on \
                         the {river}."
                    ),
                ],
            )
        }
    })
}

fn calculated(valley: &Valley, n: usize) -> Option<Asked> {
    let shop = valley.workshops.get(n % valley.workshops.len())?;
    let s = &shop.name;
    let of = |sources,
              cypher: String,
              sparql: String,
              python: String,
              calculation,
              values: Vec<i64>,
              answer: String,
              words,
              free| {
        Asked {
            words,
            free,
            sources,
            cypher,
            sparql,
            python,
            calculation: Some(calculation),
            values: values.iter().map(ToString::to_string).collect(),
            answer,
        }
    };
    let pieces: Vec<i64> =
        valley.deliveries.iter().filter(|d| d.workshop == *s).map(|d| d.pieces).collect();
    Some(match n % 5 {
        0 => {
            if pieces.len() < 2 {
                return None;
            }
            let sum: i64 = pieces.iter().sum();
            of(
                vec!["deliveries.txt"],
                format!(
                    "MATCH (d:Delivery)-[:FROM]->(:Workshop {{name: '{s}'}}) RETURN d.pieces AS pieces"
                ),
                format!("SELECT ?d ?pieces {{ ?d :FROM {} ; :pieces ?pieces }}", local(s)),
                leads_here("pieces", s, "FROM"),
                KgotCalculation::Sum,
                pieces,
                sum.to_string(),
                [
                    format!("How many pieces did the {s} deliver in all?"),
                    format!("Add up the pieces of all deliveries of the {s}."),
                ],
                [
                    format!(
                        "Everything that ever left the {s} on a cart: how many pieces is that?"
                    ),
                    format!("The {s} boasts of its deliveries. What is the true total, in pieces?"),
                    format!(
                        "If all goods sent out by the {s} were in one heap, how many would lie there?"
                    ),
                ],
            )
        }
        1 => {
            let a = valley.workers.get(n % valley.workers.len())?;
            let b = valley.workers.get((n * 7 + 5) % valley.workers.len())?;
            let (x, y) = (valley.workshop(&a.workshop)?, valley.workshop(&b.workshop)?);
            if x.name == y.name {
                return None;
            }
            let (a, b) = (&a.name, &b.name);
            of(
                vec!["workers.csv", "workshops.md"],
                format!(
                    "MATCH (:Person {{name: '{a}'}})-[:WORKS_AT]->(x), \
                     (:Person {{name: '{b}'}})-[:WORKS_AT]->(y) RETURN x.founded AS one, y.founded AS other"
                ),
                format!(
                    "SELECT ?one ?other {{ {} :WORKS_AT ?x . ?x :founded ?one . {} :WORKS_AT ?y . \
                     ?y :founded ?other }}",
                    local(a),
                    local(b)
                ),
                format!(
                    "result = {{n: next(G.nodes[x]['founded'] for _, x, e in G.out_edges(p, data=True) \
                     if e['type'] == 'WORKS_AT') for n, p in [('one', '{a}'), ('other', '{b}')]}}"
                ),
                KgotCalculation::Difference,
                vec![x.founded, y.founded],
                (x.founded - y.founded).abs().to_string(),
                [
                    format!(
                        "How many years lie between the founding of the workshops of {a} and {b}?"
                    ),
                    format!(
                        "By how many years do the founding years of {a}'s and {b}'s workshops differ?"
                    ),
                ],
                [
                    format!(
                        "{a} and {b} quarrel over whose firm is older. By how many years is it?"
                    ),
                    format!(
                        "One of the two firms that employ {a} and {b} came first. How long was it alone, in years?"
                    ),
                    format!(
                        "Between the opening days of the places where {a} and {b} work: how many years?"
                    ),
                ],
            )
        }
        2 => {
            let born: Vec<i64> =
                valley.workers.iter().filter(|w| w.workshop == *s).map(|w| w.born).collect();
            if born.len() < 2 {
                return None;
            }
            let sum: i64 = born.iter().sum();
            // To one digit, a half away from zero; whole means are written without a digit.
            let tenths = (sum * 20 / born.len() as i64 + 1) / 2;
            let answer = if tenths % 10 == 0 {
                (tenths / 10).to_string()
            } else {
                format!("{}.{}", tenths / 10, tenths % 10)
            };
            of(
                vec!["workers.csv"],
                format!(
                    "MATCH (p:Person)-[:WORKS_AT]->(:Workshop {{name: '{s}'}}) RETURN p.born AS born"
                ),
                format!("SELECT ?p ?born {{ ?p :WORKS_AT {} ; :born ?born }}", local(s)),
                leads_here("born", s, "WORKS_AT"),
                KgotCalculation::Mean,
                born,
                answer,
                [
                    format!(
                        "What is the mean year of birth of those who work at the {s}? Round to one decimal."
                    ),
                    format!(
                        "Average the years of birth of all workers of the {s}, to one decimal."
                    ),
                ],
                [
                    format!(
                        "Take everybody at the {s} and average the years they were born in. One decimal, please."
                    ),
                    format!(
                        "What is the typical (mean) birth year among the people of the {s}, to one decimal place?"
                    ),
                    format!(
                        "For the jubilee of the {s}: the mean of its workers' birth years, rounded to one decimal."
                    ),
                ],
            )
        }
        3 => {
            let river = &valley.villages.get(n % valley.villages.len())?.river;
            let counts: Vec<i64> = valley
                .villages
                .iter()
                .filter(|v| v.river == *river)
                .map(|v| v.inhabitants)
                .collect();
            if counts.len() < 2 {
                return None;
            }
            let sum: i64 = counts.iter().sum();
            of(
                vec!["villages.json"],
                format!(
                    "MATCH (v:Village {{river: '{river}'}}) RETURN v.inhabitants AS inhabitants"
                ),
                format!(
                    "SELECT ?v ?inhabitants {{ ?v :river \"{river}\" ; :inhabitants ?inhabitants }}"
                ),
                format!(
                    "result = [v['inhabitants'] for _, v in G.nodes(data=True) \
                     if v.get('river') == '{river}']"
                ),
                KgotCalculation::Sum,
                counts,
                sum.to_string(),
                [
                    format!("How many people live in all villages on the {river} together?"),
                    format!("Add up the inhabitants of the villages on the {river}."),
                ],
                [
                    format!(
                        "A bridge over the {river} is paid by all who live along it. How many is that?"
                    ),
                    format!(
                        "If every village along the {river} met in one meadow, how many people would come?"
                    ),
                    format!("Count the souls along the {river}, all villages taken together."),
                ],
            )
        }
        _ => {
            let sum: i64 = pieces.iter().sum();
            let all: i64 = valley.deliveries.iter().map(|d| d.pieces).sum();
            // No half: it would be rounded up by some and to the even by others.
            if sum == 0 || (sum * 200) % (all * 2) == all {
                return None;
            }
            let percent = (sum * 200 + all) / (all * 2);
            of(
                vec!["deliveries.txt"],
                format!(
                    "MATCH (d:Delivery)-[:FROM]->(w) WITH sum(d.pieces) AS everything, \
                     sum(CASE WHEN w.name = '{s}' THEN d.pieces ELSE 0 END) AS own \
                     RETURN own, everything"
                ),
                format!(
                    "SELECT ?own ?everything {{ {{ SELECT (SUM(?p) AS ?own) {{ ?d :FROM {} ; :pieces ?p }} }} \
                     {{ SELECT (SUM(?q) AS ?everything) {{ ?e :pieces ?q }} }} }}",
                    local(s)
                ),
                format!(
                    "result = {{n: sum(G.nodes[d]['pieces'] for d, w, e in G.edges(data=True) \
                     if e['type'] == 'FROM' and (n == 'everything' or w == '{s}')) \
                     for n in ['own', 'everything']}}"
                ),
                KgotCalculation::Percent,
                vec![sum, all],
                percent.to_string(),
                [
                    format!(
                        "What percentage of all delivered pieces came from the {s}? Round to a whole number."
                    ),
                    format!(
                        "Of all pieces in all deliveries, how many percent did the {s} send? Give a whole number."
                    ),
                ],
                [
                    format!(
                        "How big is the {s}'s share of everything that was delivered, in whole percent?"
                    ),
                    format!(
                        "Out of a hundred delivered pieces, about how many were the {s}'s? Whole number."
                    ),
                    format!(
                        "Does the {s} own the market? Give its part of all delivered pieces in percent, rounded."
                    ),
                ],
            )
        }
    })
}
