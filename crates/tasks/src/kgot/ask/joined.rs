//! Questions whose answer is several edges away.

use std::collections::BTreeSet;

use super::{Asked, led_to, local, quoted};
use crate::kgot::valley::Valley;

pub(super) fn joined(valley: &Valley, n: usize) -> Option<Asked> {
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
