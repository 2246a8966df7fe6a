//! Questions about graphs whose nodes have names.

use graph::{Delta, NodeName};
use tasks::{
    Difficulty, ParseError, Problem, Query, Style, TaskGroup, TaskId, Wording, parse_question, task,
};

/// The i-th name: of one word, of several, with a full stop, and with words that questions have too.
fn name(i: usize) -> String {
    match i % 5 {
        0 => format!("Ann{i}"),
        1 => format!("New York {i}"),
        2 => format!("St. Ives {i}"),
        3 => format!("Zoë and Co {i}"),
        _ => format!("way to {i}"),
    }
}

/// The same problem with names for numbers; nothing for a task whose nodes are numbered in any case.
fn renamed(problem: &Problem) -> Option<Problem> {
    use TaskId::{CommonSubgraph, EditDistance, Matching, Substructure};
    if matches!(problem.task(), Matching | Substructure | CommonSubgraph | EditDistance) {
        return None;
    }
    let mut problem = problem.clone();
    let places: Vec<NodeName> = problem.graph.names().cloned().collect();
    let of = |old: &NodeName| -> NodeName {
        name(places.iter().position(|place| place == old).unwrap()).as_str().into()
    };
    let ends = problem.query.ends().map(|(a, b)| (of(a), of(b)));
    for from in &places {
        problem.graph.apply(&Delta::RenameNode { from: from.clone(), to: of(from) }).unwrap();
    }
    if let Some((a, b)) = ends {
        problem.query = problem.query.with_ends(a, b);
    }
    Some(problem)
}

#[test]
fn a_question_about_named_nodes_is_read_in_every_task() {
    let mut n = 0;
    for id in TaskId::ALL.into_iter().filter(|id| id.group() != TaskGroup::GraphArena) {
        for seed in 0..4 {
            let Some(problem) = renamed(&task(id).generate(Difficulty::Easy, seed)) else {
                continue;
            };
            for wording in Wording::ALL {
                let text = problem.question(wording, Style::ZeroShot);
                let read =
                    parse_question(&text).unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
                assert_eq!(read.query, problem.query, "{text}");
                // The words of this task name only nodes that have edges.
                if id != TaskId::Connectivity {
                    assert_eq!(read.graph, problem.graph, "{text}");
                }
                assert_eq!(read.graph.n_edges(), problem.graph.n_edges(), "{text}");
                n += 1;
            }
        }
    }
    assert!(n > 100, "{n}");
}

#[test]
fn names_may_be_quoted_or_listed_in_other_words() {
    let text = "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
                edge.\nThe nodes are named \"Ann\", \"New York\" and 'Bo', and the edges are: (Ann, New \
                York) (\"New York\",Bo)\nQ: Is there a cycle in this graph?\nA:";
    let problem = parse_question(text).unwrap();
    let names: Vec<String> = problem.graph.names().map(ToString::to_string).collect();
    assert_eq!(names, ["Ann", "New York", "Bo"]);
    assert_eq!(problem.graph.n_edges(), 2);
    let error = parse_question(&text.replace("York\",Bo)", "York\",Cy)")).unwrap_err();
    assert!(
        matches!(&error, ParseError::Expected { expected, .. } if expected.contains("Ann, New York, Bo")),
        "{error}"
    );
    // Numbers may begin elsewhere than at zero.
    let ring = "In an undirected graph, (i,j) means that node i and node j are connected with an undirected \
                edge.\nThe nodes are numbered from 1 to 3, and the edges are: (1,2) (2,3) (3,1)\nQ: Is there \
                a cycle in this graph?\nA:";
    let problem = parse_question(ring).unwrap();
    assert_eq!((problem.graph.n_nodes(), problem.query), (3, Query::Cycle(tasks::Whole)));
    let path = "Determine if there is a path between two nodes in the graph. Note that (i,j) means that node i \
                and node j are connected with an undirected edge.\nGraph: (Ann,Bo) (Bo,New York)\nQ: Is there \
                a path between node Ann and node New York?\nA:";
    let problem = parse_question(path).unwrap();
    assert_eq!(
        problem.query.ends().map(|(a, b)| format!("{a}, {b}")),
        Some("Ann, New York".into())
    );
}

/// GraphArena's networks: its nodes always have names, and its prompts differ from release to release.
#[test]
fn networks_are_read_in_other_words() {
    let read = |intro: &str, nodes: &str, edges: &str, asks: &str| {
        let text = format!(
            "{intro}\n\n**Example 1**\n\n- Nodes of it: X, Y.\n- Its edges: X and Y.\nOne is: [X]\n\n\
             **Problem to Solve**\n\n- {nodes}\n- {edges}\n{asks}"
        );
        parse_question(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let users = "People here: Al, Bo Jr., Cy and Co.";
    let friends = "Who knows whom: Al and Bo Jr., Bo Jr. and Cy and Co.";
    let found = read(
        "Solve the Maximum Independent Set problem.",
        users,
        friends,
        "Give an independent set of the most nodes.",
    );
    assert_eq!(
        (found.task(), found.graph.n_nodes(), found.graph.n_edges()),
        (TaskId::IndependentSet, 3, 2)
    );
    assert!(found.graph.has_node(&"Bo Jr.".into()) && found.graph.has_node(&"Cy and Co".into()));
    let found = read(
        "Find a Vertex Cover.",
        users,
        "Links: Al to Bo Jr., Al to Cy and Co",
        "Which vertex cover is least?",
    );
    assert_eq!((found.task(), found.graph.n_edges()), (TaskId::VertexCover, 2));
    let facts = "The facts:\n - Al is connected to Cy and Co via the relationship near.\n - Bo Jr. is connected to Al via the relationship in.";
    let found = read(
        "Find the shortest path between two.",
        users,
        facts,
        "Tell the shortest path between Cy and Co and Bo Jr. in this network.",
    );
    assert_eq!(
        found.query.ends().map(|(a, b)| format!("{a}; {b}")),
        Some("Cy and Co; Bo Jr.".into())
    );
    let found = read(
        "What is its diameter? It is the longest shortest path between two.",
        users,
        facts,
        "Give a path of the diameter.",
    );
    assert_eq!((found.task(), found.graph.n_edges()), (TaskId::Diameter, 2));
    let ways = "Kilometres:\nAl to Bo Jr.: 12\nAl to Cy and Co: 7.5\nBo Jr. to Cy and Co: 3";
    let found =
        read("Solve the Travelling Salesman Problem.", users, ways, "Give the shortest tour.");
    let weight = found.graph.edge(&"Al".into(), &"Cy and Co".into()).unwrap().weight;
    assert_eq!((found.task(), weight), (TaskId::Tour, Some(7.5)));
    // A name of nobody is an error, and not the end of the edges.
    let text = "Maximum Clique Problem.\n**Problem to Solve**\n- Nodes: Al, Bo.\n- Edges: Al and Bo, Al and Zed.\nFind the largest clique.";
    let error = parse_question(text).unwrap_err().to_string();
    assert!(error.contains("Al and Zed"), "{error}");
}
