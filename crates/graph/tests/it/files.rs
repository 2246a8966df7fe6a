//! Files as programs and people write them: each is recognised by its own sign, and what its graph does
//! not show is in the notes.

use graph::formats::{GraphRead, NoteKind, open};

/// A graph in one line: how it is directed, its nodes, its edges with their weights.
pub(crate) fn shown(read: &GraphRead) -> String {
    let graph = &read.graph;
    let arrow = if graph.is_directed() { "->" } else { "--" };
    let edges = graph.edges().map(|e| {
        let weight = e.weight.map(|w| format!(" {w}")).unwrap_or_default();
        let capacity = e.capacity.map(|c| format!(" cap {c}")).unwrap_or_default();
        format!("{}{arrow}{}{weight}{capacity}", e.source, e.target)
    });
    let alone = graph
        .indices()
        .filter(|&i| graph.neighbors(i).is_empty() && graph.predecessors(i).is_empty());
    let alone = alone.map(|i| graph.name(i).to_string());
    edges.chain(alone).collect::<Vec<_>>().join(", ")
}

/// Reads a text as that format, and holds its graph against the expected one.
#[track_caller]
pub(crate) fn reads(id: &str, text: &str, expected: &str) -> Vec<String> {
    let (format, read) = open(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(
        (format.id, shown(&read).as_str()),
        (id, expected),
        "{:?}\n{text}",
        read.notes.lines()
    );
    read.notes.lines()
}

#[track_caller]
pub(crate) fn says(notes: &[String], words: &str) {
    assert!(notes.iter().any(|n| n.contains(words)), "{words:?} is not in {notes:?}");
}

#[test]
fn gml() {
    let notes = reads(
        "gml",
        "Creator \"igraph version 0.10\"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    label \
         \"Ash &amp; Elm\"\n    graphics [ x 1.0 y 2.0 ]\n  ]\n  node [ id 7 label \"Oak\" ]\n  edge [ source 0 \
         target 7 weight 2.5 colour \"red\" ]\n]\n",
        "Ash & Elm->Oak 2.5",
    );
    says(&notes, "left out: 1 value of the edge attribute `colour` (line 13)");
    says(&notes, "1 list `graphics`");
    // Newman's files call weights values; labels that are not there leave ids.
    let notes = reads(
        "gml",
        "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 3 ] ]",
        "1--2 3",
    );
    says(&notes, "changed: 1 weight read from the key `value`");
    let notes =
        reads("gml", "graph [\n node [ id 1 ]\n node [ ]\n edge [ source 1 target 2 ]\n]", "1--2");
    says(&notes, "could not be read: line 3: a node has no `id`");
}

#[test]
fn gexf() {
    let notes = reads(
        "gexf",
        "<?xml version=\"1.0\"?>\n<gexf xmlns:viz=\"http://gexf.net/viz\" version=\"1.3\"><graph \
         defaultedgetype=\"undirected\"><attributes class=\"edge\"><attribute id=\"0\" title=\"Capacity\" \
         type=\"double\"><default>4</default></attribute></attributes>\n<nodes><node id=\"0\" \
         label=\"Ann\"><viz:color r=\"1\" g=\"2\" b=\"3\"/></node><node id=\"1\" label=\"Ben\"/><node id=\"2\" \
         label=\"Cleo\"/></nodes>\n<edges><edge source=\"0\" target=\"1\" weight=\"2.5\"><attvalues><attvalue \
         for=\"0\" value=\"9\"/></attvalues></edge><edge source=\"1\" target=\"2\" \
         type=\"directed\"/></edges></graph></gexf>",
        "Ann->Ben 2.5 cap 9, Ben->Ann 2.5 cap 9, Ben->Cleo cap 4",
    );
    says(&notes, "changed: 1 undirected edge into two directed ones");
    says(&notes, "assumed: 1 edge without a value of its own, which got the default of `capacity`");
    says(&notes, "left out: 1 value `viz:color`");
}

#[test]
fn graphml_of_many_programs() {
    let head = "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">";
    let notes = reads(
        "graphml",
        &format!(
            "{head}<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"><default>3.0</default>\
             </key><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" \
             target=\"b\"/><edge source=\"b\" target=\"a\"><data key=\"w\">9</data></edge></graph></graphml>"
        ),
        "a--b 12",
    );
    says(&notes, "the default of `weight`");
    says(&notes, "merged: 1 of 2 edges is parallel; their weights were added (line 1)");
    // yEd: labels within data, groups of nodes.
    let notes = reads(
        "graphml",
        &format!(
            "{head}<key id=\"d6\" for=\"node\" yfiles.type=\"nodegraphics\"/><graph edgedefault=\"directed\">\n\
             <node id=\"n0\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel>Mill</y:NodeLabel></y:ShapeNode></data>\
             <graph edgedefault=\"directed\"><node id=\"n0::n0\"><data key=\"d6\"><y:NodeLabel> Weir \
             </y:NodeLabel></data></node></graph></node>\n<edge source=\"n0\" target=\"n0::n0\"><data \
             key=\"d10\"><y:PolyLineEdge><y:EdgeLabel>4</y:EdgeLabel></y:PolyLineEdge></data></edge>\n\
             <hyperedge><endpoint node=\"n0\"/></hyperedge></graph></graphml>"
        ),
        "Mill->Weir 4",
    );
    says(&notes, "changed: 1 label of edges into weights");
    says(&notes, "left out: 1 hyperedge (line 4)");
    // Neo4j: labels of nodes as data, types of relationships as labels of edges.
    let notes = reads(
        "graphml",
        &format!(
            "{head}<graph id=\"G\" edgedefault=\"directed\"><node id=\"n0\" labels=\":P\"><data \
             key=\"labels\">:P</data><data key=\"name\">Ann</data></node><node id=\"n1\"><data \
             key=\"name\">Ben</data></node><edge id=\"e0\" source=\"n0\" target=\"n1\" label=\"KNOWS\"><data \
             key=\"label\">KNOWS</data></edge></graph></graphml>"
        ),
        "Ann->Ben",
    );
    says(&notes, "nodes are called by their labels");
    says(&notes, "left out: 1 label of edges");
    // An edge may say its own direction, and a file may break off.
    let notes = reads(
        "graphml",
        &format!(
            "{head}<graph edgedefault=\"undirected\">\n<edge source=\"1\" target=\"2\" directed=\"true\"/>\n<edge sour"
        ),
        "1->2",
    );
    says(&notes, "could not be read: line 3");
}

#[test]
fn dot_with_its_whole_grammar() {
    let notes = reads(
        "dot",
        "/* made by hand */ strict digraph \"a b\" {\n  edge [weight=4]; rankdir = LR\n  a -> subgraph s { b; c }\n  \
         subgraph t { edge [weight=9] d -> e }\n  { f g } -> { h:port:n } [weight=1]\n  \"long \" + \"name\" -> \
         b [color=red]\n  i [label=<<b>I</b> &gt; 2>]\n}\n",
        "a->b 4, a->c 4, d->e 9, f->h 1, g->h 1, long name->b 4, i",
    );
    says(&notes, "left out: 2 ports (first: line 5)");
    says(&notes, "left out: 1 value of the edge attribute `color` (line 6)");
    // Labels are weights where all are numbers, and names where ids are numbers.
    let notes = reads(
        "dot",
        "graph { 0 [label=Ann]; 1 [label=\"Ben\"]; 0 -- 1 [label=\"2.5\"] }",
        "Ann--Ben 2.5",
    );
    says(&notes, "changed: 1 label of edges into weights");
    let notes =
        reads("dot", "graph {\n a -> b\n b -- c\n d @ e\n e -- f\n}\ngraph { x }", "b--c, e--f, d");
    says(&notes, "could not be read: line 2: the edges of this graph are written --");
    says(&notes, "could not be read: line 4: '@'");
    says(&notes, "left out: 1 graph after the first (line 7)");
}

#[test]
fn pajek() {
    let notes = reads(
        "pajek",
        "% from a survey\n*vertices 3\n1 \"Ann B.\" 0.1 0.2 ic Red\n2 Ben\n*ARCS :1 \"knows\"\n1 2 2.5 c \
         Blue\n*Edges\n2 3\n9 1\n",
        "1->2 2.5, 2->3, 3->2",
    );
    says(&notes, "could not be read: line 9: `9` is no vertex: give a number from 1 to 3");
    says(&notes, "which do not tell all nodes apart");
    reads("pajek", "*Vertices 3\n*Edgeslist\n1 2 3\n", "1--2, 1--3");
    reads("pajek", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Matrix\n0 3\n3 0\n", "a--b 3");
}

#[test]
fn graph6_and_sparse6() {
    let notes = reads("graph6", "DQc\nBw\nBw\n", "0--2, 1--3, 0--4, 3--4");
    says(&notes, "left out: 2 graphs after the first (first: line 2)");
    // From the description of sparse6, and a digraph6 of the arcs 0-1, 1-2.
    reads("sparse6", ">>sparse6<<:Fa@x^\n", "0--1, 0--2, 1--2, 5--6, 3, 4");
    reads("graph6", "&BP?\n", "0->1, 1->2");
}

#[test]
fn matrix_market() {
    reads(
        "matrix_market",
        "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 2 4\n",
        "2--1 0.5, 3--2 4",
    );
    reads(
        "matrix_market",
        "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
        "1->2",
    );
    reads(
        "matrix_market",
        "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n3\n0\n",
        "2--1 3",
    );
    let notes = reads(
        "matrix_market",
        "%%matrixmarket matrix coordinate integer general\n2 3 2\n1 3 7\n5 1 1\n",
        "r1--c3 7",
    );
    says(&notes, "could not be read: line 4: 5, 1 is outside 2 × 3");
}

#[test]
fn forms_of_json() {
    let notes = reads(
        "node_link",
        r#"{"directed":false,"multigraph":true,"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"source":"a","target":"b","weight":2},{"source":"a","target":"b","weight":5},{"source":"a"}]}"#,
        "a--b 7",
    );
    says(&notes, "merged: 1 of 2 edges is parallel; their weights were added (edges[1])");
    says(&notes, "could not be read: edges[2]: it has no `target`");
    // D3: weights are values, ends are places, or the nodes themselves.
    let notes = reads(
        "node_link",
        r#"{"nodes":[{"name":"Ann"},{"name":"Ben"}],"links":[{"source":0,"target":1,"value":3}]}"#,
        "Ann--Ben 3",
    );
    says(&notes, "1 weight read from the key `value`");
    reads(
        "node_link",
        r#"{"nodes":[{"id":"x"},{"id":"y"}],"links":[{"source":{"id":"x"},"target":{"id":"y"}}]}"#,
        "x--y",
    );
    reads(
        "node_link",
        r#"{"nodes":[{"id":"elements"},{"id":"x"}],"edges":[{"source":"elements","target":"x"}]}"#,
        "elements--x",
    );
    reads("node_link", r#"{"nodes":[{"id":1,"label":"A"}],"edges":[{"from":1,"to":2}]}"#, "1--2");
    reads(
        "node_link",
        r#"{"options":{"type":"directed"},"nodes":[{"key":"a"}],"edges":[{"source":"a","target":"b","attributes":{"weight":2}}]}"#,
        "a->b 2",
    );
    reads("node_link", r#"{"edges":[[0,1],[1,2,4]]}"#, "0--1, 1--2 4");
    reads(
        "adjacency_json",
        r#"{"directed":false,"nodes":[{"id":0},{"id":1}],"adjacency":[[{"id":1,"weight":2}],[{"id":0,"weight":2}]]}"#,
        "0--1 2",
    );
    reads(
        "adjacency_json",
        r#"{"id":"root","children":[{"id":"a","children":[{"id":"b"}]}]}"#,
        "root->a, a->b",
    );
    reads(
        "json_graph",
        r#"{"graph":{"directed":true,"nodes":{"a":{"label":"Ann"},"b":{"label":"Ben"}},"edges":[{"source":"a","target":"b","relation":"knows","metadata":{"weight":2}}]}}"#,
        "Ann->Ben 2",
    );
    reads(
        "json_lists",
        "[[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]",
        "0--1, 1--2, 3",
    );
    reads("json_lists", r#"[["a", "b"], ["b", "c", 2]]"#, "a--b, b--c 2");
    reads("json_lists", r#"{"a": ["b", "c"], "b": ["a"], "c": ["a"]}"#, "a--b, a--c");
    reads("json_lists", r#"{"a": {"b": 3}, "b": {}}"#, "a->b 3");
    let notes = reads(
        "apoc",
        "{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"P\"],\"properties\":{\"name\":\"Ann\",\"age\":3}}\n\
         {\"type\":\"node\",\"id\":\"1\",\"properties\":{\"name\":\"Ben\"}}\n{spoiled\n\
         {\"type\":\"relationship\",\"id\":\"0\",\"label\":\"KNOWS\",\"start\":{\"id\":\"0\"},\"end\":{\"id\":\"1\"}}\n",
        "Ann->Ben",
    );
    says(&notes, "could not be read: line 3: this is not JSON");
}

#[test]
fn mermaid() {
    let notes = reads(
        "mermaid",
        "---\ntitle: t\n---\nflowchart LR\n  %% words\n  A[Mill house] -->|3| B(Weir) --> C{{Oak}}\n  subgraph one\n  \
         C -- 4 --- D([Elm]) & E[\"Ash (old)\"]\n  end\n  classDef x fill:#f00\n  B -.-> E:::x; D ==> A\n",
        "Mill house->Weir 3, Weir->Oak, Oak->Elm 4, Elm->Oak 4, Oak->Ash (old) 4, Ash (old)->Oak 4, Weir->Ash \
         (old), Elm->Mill house",
    );
    says(&notes, "left out: 1 statement `classDef`");
    reads("mermaid", "graph TD\nA-->B\nB-->C;\n", "A->B, B->C");
    reads("mermaid", "```mermaid\ngraph LR;\na---b\nb<-->c\n```\n", "a--b, b--c");
}

#[test]
fn edge_lists() {
    reads("edge_list", "a b {'weight': 3, 'x': 1}\nb c {'weight': 4, 'x': 2}\n", "a--b 3, b--c 4");
    let notes = reads("edge_list", "a b {}\nb c {'weight': 3, 'colour': 'red'}\n", "a--b, b--c 3");
    says(&notes, "`colour`");
    reads("edge_list", "% sym weighted\n% 2 2 2\n1 2 4 1200000\n2 3 5 1300000\n", "1--2 4, 2--3 5");
    let notes = reads("edge_list", "% bip unweighted\n1 1\n1 2\n2 1\n", "1--r1, 1--r2, 2--r1");
    says(&notes, "nodes on the right are called r1");
    reads(
        "edge_table",
        "# Directed graph (each unordered pair of nodes is saved once): x.txt\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n",
        "0->1, 1->0",
    );
    let notes = reads("edge_list", "0 1\n1 0\n1 2\n", "0--1, 1--2");
    says(&notes, "merged: 1 of 3 edges came again the other way round");
    says(&notes, "assumed: undirected, as the file does not say");
    reads("edge_list", "# a\nb 1.5\nc\n# b\nc 2\n", "a--b 1.5, a--c, b--c 2");
    reads("edge_list", "(0,1) (1,2), (2, 3, 4.5)\n", "0--1, 1--2, 2--3 4.5");
    reads("edge_list", "[('a', 'b'), ('b', 'c')]\n", "a--b, b--c");
    let notes =
        reads("edge_list", "a b\nb c\nc d e f\nd e\ne f\nf g\n", "a--b, b--c, d--e, e--f, f--g");
    says(&notes, "could not be read: line 3: 4 words; write two names, or two names and a number");
}

#[test]
fn arrows() {
    reads("arrows", "0 -> 1\n1 -> 2 -> 3\n", "0->1, 1->2, 2->3");
    reads(
        "arrows",
        "Ash Hill -- Elm: 3\nElm -- \"Oak -> x\" (2.5)\n",
        "Ash Hill--Elm 3, Elm--Oak -> x 2.5",
    );
    reads("arrows", "- a → b [weight=2]\n- c ← b\n", "a->b 2, b->c");
    reads("arrows", "a <-> b\nb - c\n", "a--b, b--c");
    reads("arrows", "a -> b, c\n", "a->b, a->c");
    reads("arrows", "a -3-> b\nb --(4)--> c\n", "a->b 3, b->c 4");
}

#[test]
fn adjacency_lists_and_matrices() {
    reads("adjacency_list", "#script.py\n# GMT\na b c\nb c\nc\n", "a--b, a--c, b--c");
    reads("adjacency_list", "A: B, C\nB: A\nC: A\n", "A--B, A--C");
    reads("adjacency_list", "3 2\n2\n1 3\n2\n", "1--2, 2--3");
    reads("adjacency_csv", "0,1,0\n1,0,1\n0,1,0\n", "0--1, 1--2");
    reads("adjacency_csv", "0 2.5 0 0\n0 0 1 0\n0 0 0 0\n0 0 0 0\n", "0->1 2.5, 1->2 1, 3");
    reads("adjacency_csv", ";a;b\nb;0,5;0\na;0;0,5\n", "a--b 0.5");
    // Three edges with weights are no matrix.
    reads("edge_list", "0 1 2\n1 2 3\n2 0 1\n", "0--1 2, 1--2 3, 2--0 1");
}

#[test]
fn tables() {
    let notes = reads("edge_table", "source,target\nAlder,Elm\nElm,Oak\n", "Alder--Elm, Elm--Oak");
    says(&notes, "assumed: undirected");
    reads(
        "edge_table",
        "von;nach;gewicht\nBad Ems;Köln;0,5\nKöln;\"Ulm; Süd\";1.234,5\n",
        "Bad Ems--Köln 0.5, Köln--Ulm; Süd 1234.5",
    );
    let notes = reads(
        "edge_table",
        "Source,Target,Type,Id,Label,timeset,Weight\n0,1,Directed,0,,,2.0\n1,2,Directed,1,,,1.0\n",
        "0->1 2, 1->2 1",
    );
    says(&notes, "left out: 1 column `timeset`");
    reads("edge_table", ":START_ID(P),since:int,:END_ID(P),:TYPE\n1,1999,2,KNOWS\n", "1->2");
    reads("edge_table", "personId:ID(P),name,:LABEL\n1,Ann,P\n2,Ben,P\n", "Ann, Ben");
    reads("edge_table", "Id,Label\n1,Ann\n2,Ben\n", "Ann, Ben");
    reads(
        "edge_table",
        "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\nr,d,0,9,t,Ann,s,1,8,t,Ben,s\n",
        "Ann--Ben",
    );
    reads(
        "edge_table",
        "SUID,interaction,name,selected,shared interaction,shared name\n12,pp,Ann (pp) Ben,false,pp,Ann (pp) Ben\n",
        "Ann->Ben",
    );
    reads(
        "edge_table",
        "protein1 protein2 combined_score\nP.1 P.2 490\nP.2 P.3 198\n",
        "P.1--P.2 490, P.2--P.3 198",
    );
    reads("edge_table", "#source\ttarget\tweight\nOak tree\tElm\t2\n", "Oak tree--Elm 2");
    // A cell may have a line break, and a quotation mark that nothing closes spoils its line alone.
    reads("edge_table", "from,to\n\"Alder\nCreek\",Elm\nElm,Sea\n", "Alder\nCreek--Elm, Elm--Sea");
    let notes = reads("edge_table", "from,to\na,\"b\nb,c\nc,d\n", "a--b, b--c, c--d");
    says(&notes, "changed: 1 line with a quotation mark that is not closed");
    let notes =
        reads("edge_table", "from,to,weight\na,b,1\nb,c,heavy\n,d,2\nd,e,3\n", "a--b 1, d--e 3");
    says(&notes, "could not be read: line 3: `heavy` is no number");
    says(&notes, "could not be read: line 4: the source is empty");
    let notes = reads("edge_table", "Ann,Ben\nBen,Cleo Reed\n", "Ann--Ben, Ben--Cleo Reed");
    says(&notes, "the first row is an edge, not a heading");
    // Names of nodes may be those of headings.
    reads("edge_table", "node1,node2\nnode2,node3\n", "node1--node2, node2--node3");
    reads(
        "edge_table",
        "gene1\tgene2\t0.5\ngene2\tgene3\t0.25\n",
        "gene1--gene2 0.5, gene2--gene3 0.25",
    );
}

#[test]
fn a_table_of_other_columns_asks_for_them() {
    use graph::formats::{TableColumns, open_table};
    let text = "km;stadt A;stadt B\n3;Ulm;Bonn\n4;Bonn;Kiel\n";
    let error = open(text).unwrap_err().to_string();
    assert!(
        error.contains("this is a table; line 1") && error.contains("say which they are"),
        "{error}"
    );
    let name = |n: &str| Some(n.to_owned());
    let chosen = TableColumns {
        source: name("Stadt A"),
        target: name("3"),
        weight: name("km"),
        relation: None,
    };
    assert_eq!(shown(&open_table(text, &chosen).unwrap()), "Ulm--Bonn 3, Bonn--Kiel 4");
    let chosen = TableColumns { source: name("city"), ..TableColumns::default() };
    let error = open_table(text, &chosen).unwrap_err().to_string();
    assert!(error.contains("there is no column `city`; there are km, stadt A, stadt B"), "{error}");
}

#[test]
fn sif_and_sentences() {
    let notes = reads(
        "sif",
        "Ann pp Ben\nBen pd Cleo Dan\nEve\nAnn pp Cleo\nDan pp Ann\n",
        "Ann->Ben, Ben->Cleo, Ben->Dan, Ann->Cleo, Dan->Ann, Eve",
    );
    says(&notes, "left out: 4 relations");
    let notes = reads("sentences", "Ann knows Ben. Ben knows Cleo.\n", "Ann->Ben, Ben->Cleo");
    says(&notes, "such as `knows`");
    reads("sentences", "Ann knows Ben.", "Ann->Ben");
    reads(
        "sentences",
        "Node 0 is connected to nodes 1, 2.\nNode 1 is connected to node 0.\n",
        "0--1, 0--2",
    );
    reads(
        "sentences",
        "Ann and Ben are friends.\nBen and Cleo are friends.",
        "Ann--Ben, Ben--Cleo",
    );
    reads(
        "sentences",
        "There is an edge between A and B with weight 3.\nThere is an edge between B and C with weight 2.5.",
        "A--B 3, B--C 2.5",
    );
}

#[test]
fn what_is_no_graph_is_called_by_its_name() {
    let cases = [
        ("<!DOCTYPE html>\n<html><body>x</body></html>", "a web page"),
        ("@prefix : <http://x/> .\n:a :b :c .", "graphground kg"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("sequenceDiagram\nAlice->>John: Hi\n", "only flowcharts"),
        ("dl n=3 format=edgelist1\n1 2\n", "UCINET DL"),
        ("{\"nodes\": [1, 2", "this is JSON; line 1"),
        ("{\"a\": 1}", "no graph of a known form"),
        ("What is the colour of the sea?", "shows no form of a graph"),
        (
            "Dear all,\nplease find the graph below. It has many nodes and edges, as you know.\n",
            "line 1",
        ),
        ("name,age\nAnn,30\nBen,31\n", "say which they are"),
    ];
    for (text, words) in cases {
        let error = open(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
    // A refusal names the form that it recognised, and the line.
    let error = open("*Vertices 2\n*Edges\n1 x\n3 4\n").map(|r| r.1.notes.lines());
    says(&error.unwrap(), "could not be read: line 3: `x` is no vertex");
}

#[test]
fn many_faults_are_counted_and_refused_where_they_are_most() {
    let mut text = String::from("# directed\n");
    for i in 0..1000 {
        text += &format!("{i} {}\n", i + 1);
    }
    text += &"bad line of words\n".repeat(50);
    let read = open(&text).unwrap().1;
    assert_eq!((read.graph.n_edges(), read.notes.n_faults()), (1000, 50));
    assert_eq!(read.notes.faults().len(), 20);
    says(&read.notes.lines(), "could not be read: 30 more");
    let kinds: Vec<NoteKind> = read.notes.iter().map(|n| n.kind).collect();
    assert!(kinds.is_empty(), "{kinds:?}");
}

#[test]
fn reading_takes_time_in_proportion() {
    // Each would take minutes in a reader that is not linear.
    let n = 20_000;
    let long: Vec<(&str, String)> = vec![
        ("dot", format!("digraph {{ {} }}", "a -> b [x=\"y\"]; ".repeat(n))),
        ("gml", format!("graph [ {} ]", "node [ id 1 x [ y 2 ] ] ".repeat(n))),
        ("edge_table", format!("source,target\n{}", "a,\"b\n".repeat(n))),
        ("edge_list", "a b {'weight': 3}\n".repeat(n)),
        (
            "graphml",
            format!(
                "<graphml><graph>{}</graph></graphml>",
                "<edge source='a' target='b'/>".repeat(n)
            ),
        ),
        ("arrows", format!("a{}", " -> b".repeat(n / 4))),
        ("sentences", "Ann knows Ben. ".repeat(n)),
        ("mermaid", format!("graph TD\n{}", "A-->B & C\n".repeat(n))),
    ];
    for (id, text) in long {
        let _ = (graph::formats::find(id).unwrap().parse)(&text);
        let _ = open(&text);
    }
}
