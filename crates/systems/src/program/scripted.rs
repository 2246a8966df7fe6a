//! The programs that scripts write: those of NLGraph's tasks compute, all others print what the script
//! has worked out, and say so.

use graph::{EdgeRef, NodeName};
use llm::{Message, Role};
use serde_json::{Value, json};
use tasks::{Problem, Query, reference_text, solve};

use crate::grounded::scripted::Mistake;

/// What a script writes next. One that errs corrects itself after a failure, unless it is stubborn.
pub(crate) fn reply(
    problem: &Problem,
    errs: Option<(Mistake, bool)>,
    messages: &[Message],
) -> Message {
    let has_failed = messages.iter().filter(|m| m.role == Role::Assistant).count() > 0;
    let mistake = errs.filter(|(_, stubborn)| *stubborn || !has_failed).map(|(mistake, _)| mistake);
    Message::assistant(format!("```python\n{}```\n", program(problem, mistake)))
}

fn program(problem: &Problem, mistake: Option<Mistake>) -> String {
    let Some(computes) = computes(problem, mistake == Some(Mistake::WrongTotal)) else {
        let answer = json!(reference_text(problem, &solve(problem)));
        return format!(
            "# A script wrote this: it has worked out the answer, and the program only prints it.\n\
             print({answer})\n"
        );
    };
    let wrong = match mistake {
        Some(Mistake::BadJson) => "nodes = [0, 1\n",
        Some(Mistake::UnknownFunction) => "nx.solve_problem(G)\n",
        Some(Mistake::WrongArguments) => "nx.shortest_path(G, begin=0)\n",
        Some(Mistake::WrongFunction) => {
            return format!("{}print(nx.density(G))\n", graph(problem, mistake));
        }
        _ => "",
    };
    format!("{}{wrong}{computes}", graph(problem, mistake))
}

/// The lines that build the graph.
fn graph(problem: &Problem, mistake: Option<Mistake>) -> String {
    let graph = &problem.graph;
    let dropped = (mistake == Some(Mistake::DroppedNode)).then(|| match problem.query.ends() {
        Some((_, target)) => Some(target.clone()),
        None => graph.names().last().cloned(),
    });
    let dropped = dropped.flatten();
    let is_kept = |name: &NodeName| dropped.as_ref() != Some(name);
    let nodes: Vec<&NodeName> = graph.names().filter(|name| is_kept(name)).collect();
    let kind = if graph.is_directed() { "DiGraph" } else { "Graph" };
    let mut edges = Vec::new();
    for edge in graph.edges().filter(|e| is_kept(e.source) && is_kept(e.target)) {
        edges.push(tuple(&edge));
    }
    if mistake == Some(Mistake::InventedEdge)
        && let Some((source, target)) = problem.missing_edge()
    {
        edges.push(format!("({}, {}, {{}})", json!(source), json!(target)));
    }
    format!(
        "import networkx as nx\n\nG = nx.{kind}()\nG.add_nodes_from({})\nG.add_edges_from([{}])\n\n",
        json!(nodes),
        edges.join(", ")
    )
}

fn tuple(edge: &EdgeRef<'_>) -> String {
    let mut data = serde_json::Map::new();
    for (name, value) in [("weight", edge.weight), ("capacity", edge.capacity)] {
        if let Some(value) = value {
            data.insert(name.into(), number(value));
        }
    }
    format!("({}, {}, {})", json!(edge.source), json!(edge.target), Value::Object(data))
}

/// A number as a person writes it: `3` for 3.0.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

/// The lines that compute the answer of one of NLGraph's tasks and print it.
fn computes(problem: &Problem, adds_one: bool) -> Option<String> {
    let more = if adds_one { " + 1" } else { "" };
    let ends = problem.query.ends().map(|(a, b)| (json!(a), json!(b)));
    Some(match (&problem.query, ends) {
        (Query::Connectivity(_), Some((a, b))) => {
            format!("print(\"The answer is\", \"yes.\" if nx.has_path(G, {a}, {b}) else \"no.\")\n")
        }
        (Query::Cycle(_), _) => "has_cycle = bool(nx.cycle_basis(G))\n\
             print(\"Yes, there is a cycle.\" if has_cycle else \"No, there is no cycle.\")\n"
            .to_owned(),
        (Query::Topology(_), _) => "order = list(nx.topological_sort(G))\n\
             print(\"The solution is:\", \",\".join(map(str, order)))\n"
            .to_owned(),
        (Query::ShortestPath(_), Some((a, b))) => format!(
            "path = nx.shortest_path(G, {a}, {b}, weight=\"weight\")\n\
             total = nx.path_weight(G, path, \"weight\"){more}\n\
             print(\"The shortest path is\", \",\".join(map(str, path)), \"with a total weight of\", total)\n"
        ),
        (Query::Flow(_), Some((a, b))) => format!(
            "value = nx.maximum_flow_value(G, {a}, {b}){more}\n\
             print(f\"The maximum flow from node {a} to node {b} is {{value}}.\")\n"
        ),
        (Query::Matching(_), _) => format!(
            "applicants = [n for n in G if n.startswith(\"a\")]\n\
             found = nx.bipartite.maximum_matching(G, applicants)\n\
             pairs = [(a, found[a]) for a in applicants if a in found]\n\
             for a, j in pairs:\n    print(f\"applicant {{a[1:]}}: job {{j[1:]}}\")\n\
             print(len(pairs){more}, \"applicants can find the job they are interested in.\")\n"
        ),
        (Query::Hamilton(_), _) => "\
             def search(path):\n    \
                 if len(path) == len(G):\n        return path\n    \
                 for n in G[path[-1]]:\n        \
                     if n not in path:\n            \
                         found = search(path + [n])\n            \
                         if found:\n                return found\n\n\
             found = next(filter(None, (search([n]) for n in G)), None)\n\
             print(\"Yes. The path can be: \" + \",\".join(map(str, found)) if found else \"No.\")\n"
            .to_owned(),
        (Query::Gnn(asked), _) => {
            let graph = &problem.graph;
            let values = graph.indices().map(|i| {
                let row = graph.embedding(i).unwrap_or_default();
                let row: Vec<Value> = row.iter().copied().map(number).collect();
                format!("{}: {}", json!(graph.name(i)), json!(row))
            });
            let values: Vec<String> = values.collect();
            format!(
                "values = {{{}}}\n\
                 for layer in range({}):\n    \
                     values = {{n: [sum(values[m][k] for m in G[n]) for k in range(len(values[n]))] for n in G}}\n\
                 for n in G:\n    print(f\"node {{n}}: {{values[n]}}\")\n",
                values.join(", "),
                asked.layers
            )
        }
        _ => return None,
    })
}
