//! Programs of public question sets, as plans.

use kg::plan::{CommonEntry, Plan, PlanStep};
use kg::{Direction, Kg, NodeIx, NodeTypeIx, fold, mentions};
use serde_json::Value;

use super::QuestionRow;

/// The plan that a row's `path` stands for.
///
/// - A flat path with a `start`: the edges are followed out, one after the other.
/// - A list of paths: one for each entity that the question names, the results intersected;
///   `x_inverse` follows `x` backwards. Entities are the longest names found in the question.
/// - A flat path without a start: one hop both ways from each entity that the question names and
///   that has such edges, the results intersected. A question that asks how many wants their number.
///
/// # Errors
/// The path is none of these, or an entity cannot be found; in words.
pub fn program(row: &QuestionRow, kg: &Kg) -> Result<Plan, String> {
    let path = row.path.as_ref().ok_or("the row has no `path`")?;
    let list = path.as_array().ok_or("`path` is no list")?;
    if list.is_empty() {
        return Err("`path` is empty".into());
    }
    if list.iter().all(Value::is_array) {
        let paths: Option<Vec<Vec<String>>> = list.iter().map(words).collect();
        return named(row, kg, &paths.ok_or("`path` holds something that is no text")?);
    }
    let edges = words(path).ok_or("`path` holds something that is no text")?;
    match &row.start {
        Some(start) => chain(kg, start, &edges),
        None => common(row, kg, &edges),
    }
}

fn words(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
}

/// Adds steps and names them.
#[derive(Default)]
struct Steps(Vec<PlanStep>);

impl Steps {
    fn add(&mut self, step: PlanStep) -> String {
        let id = format!("s{}", self.0.len() + 1);
        self.0.push(PlanStep { id: id.clone(), ..step });
        id
    }

    /// Looks for a node by its id, which is never ambiguous.
    fn find(&mut self, kg: &Kg, node: NodeIx) -> String {
        let name = kg.name(node);
        let of = kg.node_type(node);
        let is_one = kg.named(name).iter().filter(|n| kg.node_type(**n) == of).count() == 1;
        let hint = if is_one && kg.find_id(name).is_none() { name } else { kg.id(node) };
        self.add(PlanStep {
            action: "find_node".into(),
            hint: Some(hint.to_owned()),
            node_type: Some(kg.schema().node_type(of).name.clone()),
            ..PlanStep::default()
        })
    }

    fn fetch(&mut self, from: String, edge: String, way: Direction) -> String {
        self.add(PlanStep {
            action: "fetch_neighbors".into(),
            from: Some(from),
            edge_type: Some(edge),
            direction: Some(way),
            ..PlanStep::default()
        })
    }

    fn common(&mut self, of: Vec<CommonEntry>) -> String {
        self.add(PlanStep { action: "find_common_nodes".into(), of, ..PlanStep::default() })
    }

    fn plan(self) -> Plan {
        Plan { steps: self.0, answer_from: None }
    }
}

fn chain(kg: &Kg, start: &str, edges: &[String]) -> Result<Plan, String> {
    let node = kg.find_id(start).ok_or_else(|| format!("there is no node {start:?}"))?;
    let mut steps = Steps::default();
    let mut at = steps.find(kg, node);
    for edge in edges {
        at = steps.fetch(at, edge.clone(), Direction::Out);
    }
    Ok(steps.plan())
}

/// An edge with its direction out of `x` or `x_inverse`.
fn directed(kg: &Kg, name: &str) -> (String, Direction) {
    match name.strip_suffix("_inverse").filter(|_| kg.schema().find_edge_type(name).is_none()) {
        Some(edge) => (edge.to_owned(), Direction::In),
        None => (name.to_owned(), Direction::Out),
    }
}

fn named(row: &QuestionRow, kg: &Kg, paths: &[Vec<String>]) -> Result<Plan, String> {
    let mut steps = Steps::default();
    let mut used: Vec<NodeIx> = Vec::new();
    let mut entries = Vec::new();
    let mut last = String::new();
    for path in paths {
        let first = path.first().ok_or("a path is empty")?;
        let (edge, way) = directed(kg, first);
        let node = entity(row, kg, &edge, way, &used)?;
        used.push(node);
        let mut at = steps.find(kg, node);
        let n_fetched = if paths.len() == 1 { path.len() } else { path.len() - 1 };
        for name in &path[..n_fetched] {
            let (edge, way) = directed(kg, name);
            at = steps.fetch(at, edge, way);
        }
        if let Some(name) = path.get(n_fetched) {
            let (edge, way) = directed(kg, name);
            entries.push(CommonEntry {
                from: at.clone(),
                edge_type: Some(edge),
                direction: Some(way),
            });
        }
        last = at;
    }
    if entries.len() > 1 {
        last = steps.common(entries);
    }
    let mut plan = steps.plan();
    plan.answer_from = Some(last);
    Ok(plan)
}

/// The entity that the question names and that has such edges: the longest name, the first among
/// equals, and none that was taken.
fn entity(
    row: &QuestionRow,
    kg: &Kg,
    edge: &str,
    way: Direction,
    used: &[NodeIx],
) -> Result<NodeIx, String> {
    let edge_type = kg
        .schema()
        .find_edge_type(edge)
        .ok_or_else(|| format!("the graph has no edge type {edge:?}"))?;
    let types: Vec<NodeTypeIx> = kg
        .schema()
        .node_type_ixs()
        .filter(|t| !kg.schema().ends_of(*t, edge_type, way).is_empty())
        .collect();
    let question = &row.question.question;
    let mut found: Vec<(usize, usize, NodeIx)> = mentions(kg, question, true)
        .into_iter()
        .flat_map(|m| m.nodes.into_iter().map(move |n| (m.end - m.start, m.start, n)))
        .filter(|(_, _, n)| types.contains(&kg.node_type(*n)) && !used.contains(n))
        .collect();
    if found.is_empty() {
        // Names that begin or end with something that is no letter, or stand within a word.
        let folded = fold(question);
        found = types
            .iter()
            .flat_map(|t| kg.nodes_of_type(*t))
            .filter(|n| !used.contains(n))
            .filter_map(|n| {
                let name = fold(kg.name(*n));
                folded.find(&name).map(|at| (name.len(), at, *n))
            })
            .collect();
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found
        .first()
        .map(|f| f.2)
        .ok_or_else(|| format!("no node that has edges {edge:?} is named in {question:?}"))
}

fn common(row: &QuestionRow, kg: &Kg, edges: &[String]) -> Result<Plan, String> {
    let mut steps = Steps::default();
    let question = row.question.question.to_lowercase();
    let is_count = question.starts_with("how many")
        || question.contains("number of")
        || question.contains("count how many");
    let mut all: Vec<NodeIx> = Vec::new();
    for mention in mentions(kg, &row.question.question, true) {
        all.extend(mention.nodes);
    }
    // One hop from each entity: with one edge type every entity has it, else each its own.
    let mut entries = Vec::new();
    let mut used: Vec<NodeIx> = Vec::new();
    let has = |node: NodeIx, edge: &str| {
        let edge = kg.schema().find_edge_type(edge);
        edge.is_some_and(|e| kg.degree(node, e, Direction::Both) > 0)
    };
    if let [edge] = edges {
        all.sort();
        all.dedup();
        used.extend(all.iter().copied().filter(|n| has(*n, edge)));
        if used.is_empty() {
            used.push(entity(row, kg, edge, Direction::Both, &[])?);
        }
        for node in &used {
            entries.push((*node, edge.clone()));
        }
    } else {
        for edge in edges {
            let node = entity(row, kg, edge, Direction::Both, &used)?;
            used.push(node);
            entries.push((node, edge.clone()));
        }
    }
    let found: Vec<(String, String)> =
        entries.into_iter().map(|(node, edge)| (steps.find(kg, node), edge)).collect();
    let last = match found.as_slice() {
        [(from, edge)] => steps.fetch(from.clone(), edge.clone(), Direction::Both),
        several => {
            let of = several.iter().map(|(from, edge)| CommonEntry {
                from: from.clone(),
                edge_type: Some(edge.clone()),
                direction: Some(Direction::Both),
            });
            steps.common(of.collect())
        }
    };
    if is_count {
        steps.add(PlanStep { action: "count".into(), from: Some(last), ..PlanStep::default() });
    }
    Ok(steps.plan())
}
