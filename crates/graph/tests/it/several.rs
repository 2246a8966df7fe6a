//! Files with several graphs, and graphs in several files.

use graph::Graph;
use graph::formats::{open, open_nth, open_tables};

fn edges(graph: &Graph) -> Vec<String> {
    let mut edges: Vec<String> =
        graph.edges().map(|e| format!("{} {}", e.source, e.target)).collect();
    edges.sort();
    edges
}

/// A file of each format that may have several, with the edges of its two graphs.
fn files() -> Vec<(&'static str, String, [&'static str; 2])> {
    let gml = |a: &str, b: &str| {
        format!(
            "graph [ directed 0 node [ id 1 label \"{a}\" ] node [ id 2 label \"{b}\" ] edge [ source 1 \
             target 2 ] ]\n"
        )
    };
    let dot = "graph one { graph [rankdir=LR]; Ann -- Bo }\n// graph no\nstrict graph { Cy -- Di; Cy -- Di }\n";
    let graphml = |a: &str, b: &str| {
        format!(
            "<graph edgedefault=\"undirected\"><node id=\"{a}\"/><node id=\"{b}\"/><edge source=\"{a}\" \
             target=\"{b}\"/></graph>\n"
        )
    };
    let pajek =
        |a: &str, b: &str| format!("*Network\n*Vertices 2\n1 \"{a}\"\n2 \"{b}\"\n*Edges\n1 2\n");
    let json = |a: &str, b: &str| {
        format!(
            "{{\"nodes\": {{\"{a}\": {{}}, \"{b}\": {{}}}}, \"edges\": [{{\"source\": \"{a}\", \"target\": \"{b}\"}}]}}"
        )
    };
    let both = ["Ann Bo", "Cy Di"];
    vec![
        ("gml", gml("Ann", "Bo") + &gml("Cy", "Di"), both),
        ("dot", dot.to_owned(), both),
        (
            "graphml",
            format!("<graphml>{}{}</graphml>", graphml("Ann", "Bo"), graphml("Cy", "Di")),
            both,
        ),
        ("pajek", pajek("Ann", "Bo") + &pajek("Cy", "Di"), both),
        (
            "json_graph",
            format!("{{\"graphs\": [{}, {}]}}", json("Ann", "Bo"), json("Cy", "Di")),
            both,
        ),
        ("graph6", "A_\nB_\n".to_owned(), ["0 1", "0 1"]),
        ("sparse6", ":An\n:Bf\n".to_owned(), ["0 1", "0 1, 1 2"]),
    ]
}

#[test]
fn a_graph_of_several_is_chosen_by_its_number() {
    for (id, text, wanted) in files() {
        for (i, wanted) in wanted.iter().enumerate() {
            let (format, read) = open_nth(&text, i + 1).unwrap_or_else(|e| panic!("{id}: {e}"));
            assert_eq!(format.id, id);
            if id != "sparse6" {
                assert_eq!(edges(&read.graph), [*wanted], "{id} {i}");
            }
            let notes = read.notes.lines().join("\n");
            let said = if i == 0 { "after the first" } else { "beside the one that was chosen" };
            assert!(notes.contains(said) && notes.contains("left out: 1 "), "{id}: {notes}");
        }
        let error = open_nth(&text, 3).unwrap_err().to_string();
        assert!(error.ends_with("there is no graph 3: the file has 2 graphs"), "{id}: {error}");
        assert_eq!(open(&text).unwrap().1, open_nth(&text, 1).unwrap().1);
    }
    let error = open_nth("Ann Bo\nBo Cy\n", 2).unwrap_err().to_string();
    assert!(error.ends_with("there is no graph 2: the file has 1 graph"), "{error}");
}

#[test]
fn tables_of_nodes_and_of_edges_are_one_graph() {
    let nodes = "personId:ID,name,:LABEL\np1,Ann,Person\np2,Bo,Person\np3,Cy,Person\n";
    let edges_of = ":START_ID,:END_ID,:TYPE\np1,p2,KNOWS\np3,p2,KNOWS\n";
    for texts in [[nodes, edges_of], [edges_of, nodes]] {
        let read = open_tables(&texts).unwrap();
        assert_eq!(edges(&read.graph), ["Ann Bo", "Cy Bo"]);
        assert!(read.graph.is_directed() && read.graph.has_node(&"Cy".into()));
    }
    let gephi = open_tables(&["Id,Label\n1,Ann\n2,Bo\n", "Source,Target\n1,2\n"]).unwrap().graph;
    assert_eq!(edges(&gephi), ["Ann Bo"]);
    assert!(!gephi.is_directed());
}

#[test]
fn a_table_with_unknown_columns_is_shown_to_a_person() {
    let error = open("colour;shade;depth\nred;dark;2\nblue;pale;3\n").unwrap_err();
    let table = error.table.clone().unwrap();
    assert_eq!(table.columns, ["colour", "shade", "depth"]);
    assert_eq!(table.rows, [["red", "dark", "2"], ["blue", "pale", "3"]]);
    assert!(!error.to_string().contains("--"), "{error}");
}

#[test]
fn headings_of_a_letter_are_headings_where_no_node_has_one() {
    for text in ["u,v,w\n10,11,2\n11,12,3\n", "s\tt\tw\nAnn\tBo\t2\nBo\tCy\t3\n"] {
        let graph = open(text).unwrap().1.graph;
        assert_eq!((graph.n_edges(), graph.n_nodes()), (2, 3), "{text}");
        assert_eq!(graph.edges().filter_map(|e| e.weight).sum::<f64>(), 5.0);
    }
    let graph = open("u,v\na,b\nb,c\n").unwrap().1.graph;
    assert_eq!((graph.n_edges(), graph.n_nodes()), (3, 5));
}

/// Between bars stand names as long as titles are.
#[test]
fn triples_between_bars_may_have_titles() {
    let text = "Who Stole the Long Grey Winter Coat?|made_by|Ann Lee\nDusk: Part 2.|made_by|Bo Hart Jr.\n\
                Dusk: Part 2.|shown_in|1999\n(Un)seen!|made_by|Ann Lee\n";
    let graph = open(text).unwrap().1.graph;
    assert_eq!((graph.n_edges(), graph.n_nodes()), (4, 6));
    assert!(graph.edge(&"Dusk: Part 2.".into(), &1999_usize.into()).is_some());
}
