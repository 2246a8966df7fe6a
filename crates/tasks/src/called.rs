//! What a call of a graph function asks, as the question of a task.

use graph::{Graph, NodeName};
use serde::Deserialize as _;
use serde_json::Value;

use crate::{Query, TaskId};

/// The names of arguments under which functions take the first node, and the second.
const FIRST: [&str; 3] = ["start", "source", "first"];
const SECOND: [&str; 4] = ["end", "sink", "target", "second"];

impl Query {
    /// The question of a task that a call of a graph function answers: `has_path` from 0 to 4 is the
    /// question whether they are connected. `None` where no task asks this, or it cannot be asked of
    /// the graph. O(n + m).
    pub fn of_call(graph: &Graph, function: &str, arguments: &Value) -> Option<Self> {
        let possible = TaskId::suited(graph);
        let answers = |query: &&Self| query.task().answering().contains(&function);
        let is_made_for = |query: &&Self| query.task().answering().first() == Some(&function);
        let found = possible.iter().find(is_made_for).or_else(|| possible.iter().find(answers))?;
        if found.ends().is_none() {
            return Some(found.clone());
        }
        let node = |names: &[&str]| {
            let value = names.iter().find_map(|name| arguments.get(*name))?;
            NodeName::deserialize(value).ok()
        };
        // A question about one node has it at both ends.
        let first = node(&FIRST)?;
        let is_one = found.ends().is_some_and(|(a, b)| a == b);
        let second = if is_one { first.clone() } else { node(&SECOND)? };
        let asked = found.with_ends(first, second);
        asked.check(graph).ok().map(|()| asked)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Difficulty, task};

    #[test]
    fn the_function_of_each_task_asks_its_question() {
        for id in TaskId::ALL {
            let problem = task(id).generate(Difficulty::Easy, 3);
            // What has two parties, or numbers at its nodes, cannot be asked of any graph.
            if !TaskId::suited(&problem.graph).iter().any(|query| query.task() == id) {
                continue;
            }
            let (function, arguments) = problem.query.function();
            let asked = Query::of_call(&problem.graph, function, &arguments);
            assert_eq!(asked.as_ref(), Some(&problem.query), "{id:?}");
        }
    }

    #[test]
    fn a_call_that_no_task_asks_is_no_question() {
        let mut graph = Graph::undirected();
        graph.link("Tom", "Katy").unwrap();
        graph.link("Katy", "Paul").unwrap();
        let asked = |function: &str, arguments: Value| Query::of_call(&graph, function, &arguments);
        let path = asked("has_path", json!({ "start": "Tom", "end": "Paul" })).unwrap();
        let ends = path.ends().map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(ends, Some(("Tom".into(), "Paul".into())));
        // Without weights, the shortest path is the one with the fewest edges.
        let shortest = asked("find_shortest_path", json!({ "start": "Tom", "end": "Paul" }));
        assert_eq!(shortest.map(|query| query.task()), Some(TaskId::Distance));
        assert_eq!(asked("has_path", json!({ "start": "Tom", "end": "Zoe" })), None);
        assert_eq!(asked("has_path", json!({ "start": "Tom" })), None);
        assert_eq!(asked("get_degrees", json!({})), None);
        assert_eq!(asked("topological_sort", json!({})), None, "it has no direction");
    }
}
