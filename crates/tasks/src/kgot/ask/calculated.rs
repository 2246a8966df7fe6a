//! Questions whose answer is calculated from what is read.

use super::{Asked, KgotCalculation, leads_here, local};
use crate::kgot::valley::Valley;

pub(super) fn calculated(valley: &Valley, n: usize) -> Option<Asked> {
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
