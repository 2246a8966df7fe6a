//! What people reported to other programs about files that those could not read, with data of our own.

use graph::formats::open;

use crate::files::{reads, says};

#[test]
fn gml_of_older_programs() {
    // Edges twice without `multigraph 1`, a file's maker in the first line, brackets on lines of their own.
    let notes = reads(
        "gml",
        "Creator \"A. Maker on Wed 26\"\ngraph [\n directed 1\n node   [\n id 1\n ]   node\n  [\n id 2\n ]\n edge [ \
         source 1 target 2 ]\n edge [ source 1 target 2 ]\n]",
        "1->2",
    );
    says(&notes, "1 of 2 edges is parallel, and count once (line 11)");
    // Ids without quotation marks that are no numbers.
    reads(
        "gml",
        "graph [ node [ id n42 ] node [ id n7 ] edge [ source n42 target n7 ] ]",
        "n42--n7",
    );
}

#[test]
fn pajek_of_many_programs() {
    // No lines for vertices, none before the edges, and a name with odd signs.
    reads("pajek", "*Network [sample]. net (1)\n*Vertices 3\n*Edges\n1 2\n2 3\n", "1--2, 2--3");
    reads("pajek", "*Arcs\n1 2\n", "1->2");
    // Labels without quotation marks, with blanks and commas in them, and an empty line between.
    reads(
        "pajek",
        "*vertices 3\n1 0 0.2 0.9 ellipse\n2 1 0.1 0.5 ellipse\n3 2 0.5 0.5 ellipse\n\n*arcs\n1 2 1.5\n",
        "0->1 1.5, 2",
    );
    reads(
        "pajek",
        "*Vertices 2\n1 \"Mill, Weir & Sons\"\n2 \"Oak House\"\n*Arcs\n1 2 1\n",
        "Mill, Weir & Sons->Oak House 1",
    );
    let notes = reads("pajek", "*vertices 2\n1 98 \"a b\"\n2 11 \"c\"\n*arcs\n1 2 3\n", "98->11 3");
    says(&notes, "look of vertices");
}

#[test]
fn graphml_with_keys_that_say_little() {
    let graph = |keys: &str, inside: &str| {
        format!("<graphml>{keys}<graph edgedefault=\"undirected\">{inside}</graph></graphml>")
    };
    // Keys without a name or a type, and data without a key.
    let notes = reads(
        "graphml",
        &graph(
            "<key id=\"sure\" for=\"node\"><desc>d</desc></key><key attr.name=\"kind\" for=\"node\" id=\"d4\"/>",
            "<node id=\"a\"><data key=\"d4\">x</data></node><edge source=\"a\" target=\"b\"><data \
             key=\"e_name\">lives in</data><data key=\"weight\">2</data></edge>",
        ),
        "a--b 2",
    );
    says(&notes, "value of the node attribute `kind`");
    says(&notes, "value of the edge attribute `e_name`");
    // Edges with the same id are different ones.
    reads(
        "graphml",
        &graph(
            "",
            "<edge id=\"0\" source=\"a\" target=\"b\"/><edge id=\"0\" source=\"b\" target=\"c\"/>",
        ),
        "a--b, b--c",
    );
    // yEd puts more tags into a label, and has many kinds of lines.
    reads(
        "graphml",
        &graph(
            "",
            "<node id=\"n0\"><data key=\"d\"><y:NodeLabel x=\"1\">Ash<y:LabelModel><y:Smart d=\"0\"/></y:LabelModel>\
             </y:NodeLabel></data></node><node id=\"n1\"><data key=\"d\"><y:NodeLabel>Elm</y:NodeLabel></data></node>\
             <edge source=\"n0\" target=\"n1\"><data key=\"e\"><y:ArcEdge><y:EdgeLabel>2.5</y:EdgeLabel></y:ArcEdge>\
             </data></edge>",
        ),
        "Ash--Elm 2.5",
    );
}

#[test]
fn gexf_with_weights_of_zero_and_the_same_ids() {
    let notes = reads(
        "gexf",
        "<gexf><graph defaultedgetype=\"directed\"><nodes><node id=\"a\"/><node id=\"b\"/></nodes><edges><edge \
         id=\"0\" source=\"a\" target=\"b\" weight=\"0\" label=\"road\"/><edge id=\"0\" source=\"b\" target=\"a\" \
         weight=\"2\"/></edges></graph></gexf>",
        "a->b 0, b->a 2",
    );
    says(&notes, "1 label of edges");
}

#[test]
fn dot_of_decision_trees_and_ports() {
    reads(
        "dot",
        "digraph graph {\n    1:s [label=\"1\", x=0];\n    2 [label=\"2\"];\n    1:s -> 2:n;\n}",
        "1->2",
    );
    let notes = reads(
        "dot",
        "digraph Tree { fontsize=25;\nsubgraph cluster_1 {\n node [shape=box style=\"filled, rounded\"]\n edge \
         [fontname=x]\n V0 [label=\"Width: < 170\nGood (#): 2294\" fillcolor=\"#199750\"]\n V0 -> V1 [xlabel=\"A >= \
         9\"]\n label = \"View 1\"\n}\n}",
        "V0->V1",
    );
    says(&notes, "`xlabel`");
    reads(
        "dot",
        "digraph M { \"b6\" [shape=\"none\", label=<<table><tr><td>end</td></tr></table>>]; b5 -> b6 }",
        "b5->b6",
    );
    // Graphviz refuses a slash without quotation marks; here the other lines are read.
    let notes = reads("dot", "digraph {\na -> b [label=HTTP/80; weight=1]\nb -> c\n}", "b->c");
    says(&notes, "could not be read: line 2: '/' (put a name with it between quotation marks)");
    // Attributes of a chain and of a group are those of each edge.
    reads("dot", "digraph { A -> {B, C} -> D [weight=2] }", "A->B 2, A->C 2, B->D 2, C->D 2");
}

#[test]
fn matrix_market_and_edge_lists_that_look_like_it() {
    reads(
        "matrix_market",
        "%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n",
        "2--1, 3--1",
    );
    reads(
        "matrix_market",
        "%%MatrixMarket matrix coordinate integer general\n%\n2 3 2\n1 1 1\n2 3 1\n",
        "r1--c1 1, r2--c3 1",
    );
    let notes = reads(
        "edge_list",
        "%% Club (graph is undirected)\n%% Nodes: 3 Edges:2\n3 3 2\n0 1\n0 2\n",
        "0--1, 0--2",
    );
    says(&notes, "left out: 1 line with the numbers of rows, columns and entries (line 3)");
}

#[test]
fn edge_lists_with_odd_names() {
    reads("edge_list", "A DavidL\nDavidL C#1\n", "A--DavidL, DavidL--C#1");
    reads(
        "edge_list",
        "http://x.org/a/Reject_7 http://y.org/b.owl#Afford\nhttp://x.org/c http://y.org/b.owl#Afford\n",
        "http://x.org/a/Reject_7--http://y.org/b.owl#Afford, http://x.org/c--http://y.org/b.owl#Afford",
    );
}

#[test]
fn tables_of_spreadsheets() {
    let notes = reads(
        "adjacency_csv",
        ";A;B;C\nA;1.1;4.3;0.0\nB;1.4;2.0;1.1\nC;1.0;0.0;3.1\n",
        "A->A 1.1, A->B 4.3, B->A 1.4, B->B 2, B->C 1.1, C->A 1, C->C 3.1",
    );
    says(&notes, "directed, as the matrix is not symmetric");
    // A mark of the byte order, blanks around headings, quotation marks beside semicolons.
    reads("edge_table", "\u{feff}Source;Target;Type\nAsh;Elm;Directed\n", "Ash->Elm");
    reads("edge_table", " Source , Target ,Weight\na, b ,2\n", "a--b 2");
    reads("edge_table", "\"a\";\"b\"\n\"a\";\"c\"\n\"c\";\"d\"\n", "a--b, a--c, c--d");
    let notes = reads("edge_table", "Source;Target;Count\na;b;610,5\n", "a--b 610.5");
    says(&notes, "decimal comma");
    let error = open("a mill, which stood by the river for long; nobody knows\nwhy\n").unwrap_err();
    assert!(error.to_string().contains("shows no form of a graph"), "{error}");
}
