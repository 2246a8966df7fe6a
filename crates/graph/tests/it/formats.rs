//! Formats: what is written is read again, what others write is read, and nothing panics.

// Brute force reads best with indices.
#![allow(clippy::needless_range_loop)]

use graph::formats::{FORMATS, find, open, sniff};
use graph::functions::is_isomorphic::{Isomorphism, is_isomorphic};
use graph::{Delta, Graph, NodeName};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = NodeName> {
    prop_oneof![
        (0..12usize).prop_map(NodeName::from),
        "[ -~é€]{1,6}"
            .prop_filter("a name", |s| !s.trim().is_empty())
            .prop_map(|s| NodeName::from(s.trim())),
    ]
}

/// Graphs with odd names; weights on all edges or none, with capacities and embeddings at will.
fn graphs(extras: bool) -> impl Strategy<Value = Graph> {
    let edge = (name(), name(), -9.5..9.5f64, proptest::option::of(0.0..5.0f64));
    (
        any::<bool>(),
        any::<bool>(),
        proptest::collection::vec(name(), 0..5),
        proptest::collection::vec(edge, 0..10),
    )
        .prop_map(move |(directed, weighted, nodes, edges)| {
            let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
            for node in nodes {
                graph.ensure_node(node.clone()).unwrap();
                if extras {
                    graph.apply(&Delta::SetEmbedding { node, values: vec![1.5, -2.0] }).unwrap();
                }
            }
            for (source, target, w, capacity) in edges {
                graph.ensure_node(source.clone()).unwrap();
                graph.ensure_node(target.clone()).unwrap();
                let weight = weighted.then_some(w);
                let capacity = capacity.filter(|_| extras);
                graph.apply(&Delta::AddEdge { source, target, weight, capacity }).unwrap();
            }
            graph
        })
}

fn again(id: &str, graph: &Graph) -> Graph {
    let format = find(id).unwrap();
    let text = (format.write.unwrap())(graph).unwrap();
    let read = (format.parse)(&text).unwrap_or_else(|e| panic!("{id}: {e}\n{text}"));
    assert!(!read.notes.is_lossy(), "{id}: {:?}\n{text}", read.notes.lines());
    read.graph
}

proptest! {
    #[test]
    fn everything_survives_node_link(graph in graphs(true)) {
        prop_assert_eq!(again("node_link", &graph), graph);
    }

    #[test]
    fn edges_survive(graph in graphs(false)) {
        for id in ["edge_list", "node_link", "graphml", "gexf", "gml", "dot", "cytoscape", "adjacency_csv"] {
            let read = again(id, &graph);
            prop_assert_eq!(&read, &graph, "{}", id);
            let order = |g: &Graph| g.names().cloned().collect::<Vec<_>>();
            prop_assert_eq!(order(&read), order(&graph), "{} changes the order", id);
        }
    }

    #[test]
    fn the_shape_survives_graph6(n in 0..70usize, seed in any::<u64>()) {
        let graph = graph::generators::gnp(n, 0.3, false, seed).unwrap();
        prop_assert_eq!(again("graph6", &graph), graph);
    }

    #[test]
    fn what_is_written_is_recognised(graph in graphs(false)) {
        for format in FORMATS {
            // A table without an edge is a heading alone, and one node looks like another line.
            let is_empty = format.id == "edge_table" && graph.n_edges() == 0;
            if is_empty || graph.n_nodes() < 2 {
                continue;
            }
            if let Some(Ok(text)) = format.write.map(|write| write(&graph)) {
                prop_assert_eq!(sniff(&text).map(|f| f.id), Ok(format.id), "{}", text);
            }
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,60}") {
        let _ = open(&text);
        for format in FORMATS {
            let _ = (format.parse)(&text);
        }
    }

    /// Pieces of the formats in any order get further into the parsers than noise does.
    #[test]
    fn no_pieces_make_a_parser_panic(pieces in proptest::collection::vec(0..PIECES.len(), 0..14)) {
        let text: String = pieces.into_iter().map(|i| PIECES[i]).collect();
        for format in FORMATS {
            let _ = (format.parse)(&text);
        }
        let _ = open(&text);
    }

    /// A written graph with a part cut out or doubled.
    #[test]
    fn no_damage_makes_a_parser_panic(graph in graphs(true), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>(), double in any::<bool>()) {
        for format in FORMATS {
            let Some(Ok(text)) = format.write.map(|write| write(&graph)) else { continue };
            let chars: Vec<char> = text.chars().collect();
            let (mut a, mut b) = (a.index(chars.len() + 1), b.index(chars.len() + 1));
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            let middle = if double { &chars[a..b] } else { &[] };
            let broken: String =
                [&chars[..if double { b } else { a }], middle, &chars[b..]].concat().iter().collect();
            let _ = (format.parse)(&broken);
        }
    }
}

const PIECES: &[&str] = &[
    "graph",
    "digraph",
    "{",
    "}",
    "[",
    "]",
    "a",
    "b",
    "0",
    "--",
    "->",
    ";",
    ",",
    "=",
    "\"",
    "\\",
    "weight",
    "\n",
    " ",
    "#",
    "//",
    "/*",
    "*/",
    ":",
    "1e999",
    "-1",
    "<graphml>",
    "<graph>",
    "<node id=\"a\"/>",
    "<edge source=\"a\" target=\"b\">",
    "</edge>",
    "<data key=\"weight\">",
    "</data>",
    "&amp;",
    "&bad;",
    "{\"nodes\":[",
    "{\"id\":0}",
    "\"edges\":",
    "null",
    "~~",
    "D?{",
    "\"elements\"",
    "subgraph",
    "strict",
    "é",
];

#[test]
fn what_others_write_is_read() {
    let mut square = Graph::undirected();
    for (a, b, w) in [("a", "b", 1.5), ("b", "c", 2.0)] {
        square.link_weighted(a, b, w).unwrap();
    }
    let texts = [
        ("edge_list", "# a comment\na b 1.5\n\nb, c, 2\n"),
        (
            "node_link",
            "{\"directed\": false, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": \"a\"}, \
             {\"id\": \"b\"}, {\"id\": \"c\"}], \"links\": [{\"weight\": 1.5, \"source\": \"a\", \
             \"target\": \"b\"}, {\"weight\": 2, \"source\": \"b\", \"target\": \"c\"}]}",
        ),
        (
            "graphml",
            "<?xml version='1.0' encoding='utf-8'?>\n<graphml \
             xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"d0\" for=\"edge\" \
             attr.name=\"weight\" attr.type=\"double\"/>\n<graph edgedefault=\"undirected\"><node \
             id=\"a\"/><node id=\"b\"/><node id=\"c\"/><edge source=\"a\" target=\"b\"><data \
             key=\"d0\">1.5</data></edge><edge source=\"b\" target=\"c\"><data \
             key=\"d0\">2</data></edge></graph></graphml>",
        ),
        (
            "dot",
            "strict graph \"my graph\" { // one\n  node [shape=box];\n  rankdir = LR\n  subgraph \
             cluster_0 { a -- b [weight=1.5, color=\"red\"] }\n  b:port -- c [weight=2]; }",
        ),
        ("adjacency_csv", ",a,b,c\na,0,1.5,\nb,1.5,0,2\nc,,2,0\n"),
        (
            "cytoscape",
            "[{\"data\": {\"id\": \"a\"}}, {\"data\": {\"source\": \"a\", \"target\": \"b\", \
             \"weight\": 1.5}}, {\"data\": {\"source\": \"b\", \"target\": \"c\", \"weight\": 2}}]",
        ),
    ];
    for (id, text) in texts {
        let (format, read) = open(text).unwrap();
        assert_eq!((format.id, read.graph), (id, square.clone()));
    }
    // From the description of graph6: a path of five nodes is `DQc` up to its numbering.
    let read = (find("graph6").unwrap().parse)(">>graph6<<DQc\n").unwrap().graph;
    let path = graph::generators::path(5).unwrap();
    assert!(matches!(is_isomorphic(&read, &path, 10_000), Isomorphism::Same(_)));
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    let mut directed = Graph::directed();
    directed.link_weighted("a", "b", 0.0).unwrap();
    let cases = [
        ("edge_list", "a b\nb c d e\n"),
        ("edge_list", "a b\nb c heavy\n"),
        ("edge_list", "\"a b\n"),
        ("node_link", "{\"nodes\": ["),
        ("node_link", "{}"),
        ("node_link", "{\"edges\": [{\"source\": 1}]}"),
        ("node_link", "{\"edges\": [{\"source\": 1, \"target\": 2, \"weight\": [3]}]}"),
        ("graphml", "<graphml>\n<node id='a'/></graphml>"),
        ("graphml", "<graphml><graph>\n<node/></graph></graphml>"),
        ("graphml", "<graphml><graph>\n</grap></graphml>"),
        ("graphml", "hello"),
        ("dot", "graph {\n a -> b }"),
        ("dot", "graph {\n a -- {b c -- } }"),
        ("dot", "graph {\n a -- b"),
        ("dot", "tree { }"),
        ("dot", "graph { a [weight=heavy] }"),
        ("graph6", "D Q"),
        ("graph6", "DQ"),
        ("adjacency_csv", ",a,b\na,0\n"),
        ("adjacency_csv", ",a,b\nb,0,1\n"),
        ("cytoscape", "{\"elements\": 3}"),
        ("cytoscape", "{\"elements\": [{}]}"),
    ];
    let mut text = String::new();
    for (id, input) in cases {
        text += &format!("{id} {input:?}\n");
        match (find(id).unwrap().parse)(input) {
            Err(error) => text += &format!("  {error}\n"),
            // The rest is read, and what is wrong with the one record is said.
            Ok(read) => {
                assert!(read.notes.n_faults() > 0, "{id} {input:?}");
                for line in read.notes.lines() {
                    text += &format!("  {} nodes; {line}\n", read.graph.n_nodes());
                }
            }
        }
    }
    for id in ["graph6", "adjacency_csv"] {
        let error = (find(id).unwrap().write.unwrap())(&directed).unwrap_err();
        text += &format!("{id} written\n  {error}\n");
    }
    insta::assert_snapshot!("format_errors", text);
}

#[test]
fn ids_are_unique_and_large_texts_take_no_time() {
    for (i, format) in FORMATS.iter().enumerate() {
        assert!(FORMATS[..i].iter().all(|f| f.id != format.id));
        assert!(!format.extensions.is_empty() && !format.keeps.is_empty());
    }
    let big = graph::generators::gnp(700, 0.2, false, 3).unwrap();
    for format in FORMATS {
        let Some(write) = format.write else { continue };
        let read = (format.parse)(&write(&big).unwrap()).unwrap();
        let same = (read.graph.n_nodes(), read.graph.n_edges()) == (big.n_nodes(), big.n_edges());
        assert!(same && !read.notes.is_lossy(), "{}", format.id);
    }
}

/// The table of `docs/formats.md`, from the list.
fn documented() -> String {
    let mut text = String::from(
        "| format | endings | what is read | what notes say was left out | what is written |\n|---|---|---|---|---|\n",
    );
    for format in FORMATS {
        let endings: Vec<String> = format.extensions.iter().map(|e| format!("`.{e}`")).collect();
        let keeps = if format.write.is_some() { format.keeps } else { "–" };
        text += &format!(
            "| {} (`{}`) | {} | {} | {} | {keeps} |\n",
            format.title,
            format.id,
            endings.join(", "),
            format.reads,
            format.loses,
        );
    }
    text
}

#[test]
fn the_document_has_every_format() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let document = std::fs::read_to_string(path).unwrap();
    let table = documented();
    assert!(document.contains(&table), "put this table into docs/formats.md:\n{table}");
}
