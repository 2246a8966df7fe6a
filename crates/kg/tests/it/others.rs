//! Files that other programs wrote: tables, lines and objects as they mean them.

use kg::KgBuilder;
use kg::formats::{find, sniff};
use serde_json::json;

use super::formats::{clean, edges, read};

#[test]
fn graphs_without_types_open_too() {
    for text in [
        "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": [{\"source\": \"a\", \"target\": \"b\"}]}",
        "graph [ directed 1 node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] edge [ source 0 target 1 ] ]",
        "digraph { a -> b }",
    ] {
        let format = sniff("graph.txt", text).unwrap();
        assert_eq!(format.id, "graph", "{text}");
        let mut builder = KgBuilder::new("graph");
        let faults = (format.read)(text, &mut builder);
        assert!(faults.is_empty(), "{:?}", faults.first);
        assert_eq!(edges(&builder.build().unwrap()), ["a related_to b"]);
    }
}

/// The two tables that neo4j-admin imports are one graph.
#[test]
fn nodes_and_edges_of_neo4j_admin_are_joined() {
    let nodes = "stopId:ID(Stop),name,zone:int,:LABEL\n1,Ash Row,2,Stop;Depot\n2,Elm End,3,Stop\n3,Oak Hill,3,Stop\n";
    let edges_of = ":START_ID(Stop),minutes:int,:END_ID(Stop),:TYPE\n1,4,2,NEXT\n2,5,3,NEXT\n";
    let mut builder = KgBuilder::new("two tables");
    for text in [nodes, edges_of] {
        let faults = (find("csv").unwrap().read)(text, &mut builder);
        assert!(faults.is_empty(), "{:?}", faults.first);
    }
    let kg = builder.build().unwrap();
    assert_eq!((kg.n_nodes(), kg.n_edges()), (3, 2));
    let named: Vec<(&str, &str)> = kg.nodes().map(|node| (kg.id(node), kg.name(node))).collect();
    assert_eq!(named, [("1", "Ash Row"), ("2", "Elm End"), ("3", "Oak Hill")]);
    let edge = kg.edges().next().unwrap();
    assert_eq!(kg.schema().edge_type(edge.1).name, "NEXT");
    assert_eq!(kg.schema().node_type(kg.node_type(edge.0)).name, "Stop");
}

#[test]
fn triples_between_bars_are_read_whatever_the_file_is_called() {
    let text = "Dusk, Part 2|made_by|Ann Lee\nDusk, Part 2|shown_in|1999\n";
    assert_eq!(sniff("kb.txt", text).map(|f| f.id), Some("bars"));
    assert_eq!(
        edges(&clean("bars", text)),
        ["Dusk, Part 2 made_by Ann Lee", "Dusk, Part 2 shown_in 1999"]
    );
}

#[test]
fn tables_and_lines_of_other_programs_are_read_as_they_mean_them() {
    let read_any = |name: &str, text: &str| {
        let format = sniff(name, text).unwrap();
        let mut builder = KgBuilder::new("table");
        let faults = (format.read)(text, &mut builder);
        assert!(faults.is_empty(), "{name}: {:?}", faults.first);
        (edges(&builder.build().unwrap()), faults.notes)
    };
    let gephi = "Source,Target,Type,Id,Label,timeset,Weight\na,b,Directed,0,,,1.0\nb,c,Directed,1,feeds,,2.0\n";
    assert_eq!(read_any("edges.csv", gephi).0, ["a related_to b", "b feeds c"]);
    let (found, notes) = read_any("genes.tsv", "g1\tg2\t0.5\ng2\tg3\t0.9\n");
    assert_eq!(found, ["g1 related_to g2", "g2 related_to g3"]);
    assert_eq!(notes, ["left out: the numbers of the third column"]);
    // Numbers without a point may be nodes.
    assert_eq!(read_any("ids.tsv", "7\tr\t12\n").0, ["7 r 12"]);
    let tabs = "oak, old\tis\tash, tall\n";
    assert_eq!(read_any("facts.csv", tabs).0, ["oak, old is ash, tall"]);
    let apoc = "{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"Tree\"],\"properties\":{\"name\":\"Ash\"}}\n\
        {\"type\":\"node\",\"id\":\"1\",\"labels\":[\"River\"]}\n\
        {\"id\":\"0\",\"type\":\"relationship\",\"label\":\"GROWS_BY\",\"properties\":{\"since\":1999},\"start\":{\"id\":\"0\"},\"end\":{\"id\":\"1\"}}\n";
    let (found, notes) = read_any("export.jsonl", apoc);
    assert_eq!(
        (found, notes),
        (vec!["0 GROWS_BY 1".into()], vec!["left out: 1 edge property".into()])
    );
    // A cell may have a line break, and numbers a comma where semicolons separate cells.
    let (found, notes) =
        read_any("b.csv", "from,type,to\n\"Alder\nCreek\",\"flows,\ninto\",Elm\nElm,joins,Sea\n");
    assert_eq!(found, ["Alder Creek flows, into Elm", "Elm joins Sea"]);
    assert_eq!(notes, ["changed: line breaks in 2 cells into blanks"]);
    let (found, notes) =
        read_any("c.csv", "Quelle;Beziehung;Ziel;Gewicht\nUlm, alt;an;Donau;0,5\n");
    assert_eq!(found, ["Ulm, alt an Donau"]);
    assert_eq!(notes, ["left out: the column `Gewicht`"]);
    assert_eq!(
        read_any("d.csv", "a;b;0,5\nb;c;1,25\n").1,
        ["left out: the numbers of the third column"]
    );
    // Behind an empty line in a cell, and behind a line that begins with a mark of its text.
    let breaks = "head,relation,tail\n1,\"says\n\nmore\n\",2\n2,\"x\n\"\"y\"\" z\",\"\"\"\"\"t, 5\"\"\"\"\"\n";
    assert_eq!(read_any("j.csv", breaks).0, ["1 says more 2", "2 x \"y\" z \"\"t, 5\"\""]);
    // Gephi without labels, Cytoscape's table of edges, and a heading behind `#`.
    let gephi = "Source,Target,Type,Weight\na,b,Directed,1.0\n";
    assert_eq!(read_any("e.csv", gephi).0, ["a related_to b"]);
    let cytoscape = "SUID,interaction,name,shared name\n12,pp,a (pp) b,a (pp) b\n";
    assert_eq!(read_any("f.csv", cytoscape).0, ["a pp b"]);
    assert_eq!(read_any("g.tsv", "#node1\tinteraction\tnode2\na\tpp\tb\n").0, ["a pp b"]);
    // Vectors in a column have more semicolons than the table has commas.
    let vectors = "docId:ID,title,vector:float[],:LABEL\nd1,One,0.1;0.2;0.3;0.4;0.5,Doc\nd2,Two,0.5;0.4;0.3;0.2;0.1,Doc\n";
    assert!(read_any("h.csv", vectors).1.iter().any(|note| note.ends_with("`vector:float[]`")));
    // Without a heading, names of films have quotation marks that close in their middle.
    let films = "\"Crow\" Hill\tby\t\"Al\" Reed\n\"Open\tby\tAnn\nShut\"\tby\tAnn\n";
    assert_eq!(
        read_any("i.tsv", films).0,
        ["\"Crow\" Hill by \"Al\" Reed", "\"Open by Ann", "Shut\" by Ann"]
    );
    let genes = "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\n\
        ppi,interacts,0,9796,gene,PHYH,N,8889,56992,gene,KIF15,N\n";
    let (kg, faults) = read("csv", genes);
    assert_eq!((edges(&kg), faults.n), (vec!["0 ppi 8889".into()], 0));
    let gene = kg.find_id("8889").unwrap();
    assert_eq!(
        (kg.name(gene), &*kg.schema().node_type(kg.node_type(gene)).name),
        ("KIF15", "gene")
    );
    let graphml = "<graphml><key id=\"d\" for=\"node\" attr.name=\"deep\" attr.type=\"boolean\"/>\
        <key id=\"n\" for=\"node\" attr.name=\"n\" attr.type=\"int\"/>\
        <graph edgedefault=\"directed\"><node id=\"a\"><data key=\"d\">True</data><data key=\"n\">3.0</data></node>\
        <node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    let kg = clean("graphml", graphml);
    let a = kg.attributes(kg.find_id("a").unwrap()).unwrap();
    assert_eq!((&a["deep"], &a["n"]), (&json!(true), &json!(3)));
}

#[test]
fn links_say_what_they_are() {
    let kg = |text: &str| {
        let mut builder = KgBuilder::new("graph");
        let faults = (sniff("graph.json", text).unwrap().read)(text, &mut builder);
        assert!(faults.is_empty(), "{text}: {:?}", faults.first);
        (builder.build().unwrap(), faults.notes)
    };
    for (text, expected) in [
        // networkx, as version 3.4 and older ones call the list.
        (
            r#"{"directed":true,"multigraph":false,"graph":{},"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"relation":"likes","source":"a","target":"b"}]}"#,
            "a likes b",
        ),
        (
            r#"{"nodes":[{"id":"a"},{"id":"b"}],"links":[{"type":"likes","source":"a","target":"b"}]}"#,
            "a likes b",
        ),
        (
            r#"{"multigraph":true,"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b","key":"likes"}]}"#,
            "a likes b",
        ),
        (
            r#"{"multigraph":true,"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b","key":0}]}"#,
            "a related_to b",
        ),
        // Old networkx had places in the list of nodes as ends.
        (
            r#"{"directed":false,"graph":[],"nodes":[{"id":"k"},{"id":"l"}],"links":[{"source":0,"target":1}],"multigraph":false}"#,
            "k related_to l",
        ),
        (
            r#"{"nodes":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"edges":[{"source":"a","target":"b","relation":"calls"}],"hyperedges":[]}"#,
            "a calls b",
        ),
        // vis.js, graphology, D3 with places, JSON Graph Format, Cytoscape.
        (
            r#"{"nodes":[{"id":1},{"id":2}],"edges":[{"from":1,"to":2,"label":"likes"}]}"#,
            "1 likes 2",
        ),
        (
            r#"{"options":{"type":"directed"},"nodes":[{"key":"a"},{"key":"b"}],"edges":[{"key":"geid_1","source":"a","target":"b","attributes":{"label":"likes"}}]}"#,
            "a likes b",
        ),
        (
            r#"{"options":{"type":"directed"},"nodes":[{"key":"a"},{"key":"b"}],"edges":[{"key":"geid_1","source":"a","target":"b"}]}"#,
            "a related_to b",
        ),
        (
            r#"{"nodes":[{"name":"a","group":1},{"name":"b","group":2}],"links":[{"source":0,"target":1,"type":"likes"}]}"#,
            "a likes b",
        ),
        (
            r#"{"graph":{"directed":true,"nodes":{"a":{"label":"Ann"},"b":{}},"edges":[{"source":"a","target":"b","relation":"likes"}]}}"#,
            "a likes b",
        ),
        (
            r#"{"elements":{"nodes":[{"data":{"id":"a"}},{"data":{"id":"b"}}],"edges":[{"data":{"id":"e","source":"a","target":"b","interaction":"likes"}}]}}"#,
            "a likes b",
        ),
    ] {
        assert_eq!(edges(&kg(text).0), [expected], "{text}");
    }
    let text = r#"{"multigraph":true,"nodes":[{"id":"a","type":"Person","name":"Ann","age":3},{"id":"b","labels":["Town"]}],
        "links":[{"source":"a","target":"b","key":0,"label":"born in","year":1901},{"source":"a","target":"b","key":1,"label":"died in"}]}"#;
    let (kg, notes) = kg(text);
    assert_eq!(edges(&kg), ["a born in b", "a died in b"]);
    assert_eq!(notes, ["left out: 1 edge property"]);
    let ann = kg.find_id("a").unwrap();
    assert_eq!(
        (kg.name(ann), &kg.schema().node_type(kg.node_type(ann)).name[..]),
        ("Ann", "Person")
    );
    assert_eq!(kg.attributes(ann).unwrap()["age"], json!(3));
}

#[test]
fn rows_with_a_heading_without_one_and_with_types_in_the_ids() {
    let kg = clean(
        "csv",
        "# a comment\nTarget, Source ,weight,Relation\nBerlin,\"Rome, the old\",3,\"the \"\"rail\"\" to\"\n",
    );
    assert_eq!(edges(&kg), ["Rome, the old the \"rail\" to Berlin"]);
    let kg = clean("tsv", "a\tb\nb\tc\n");
    assert_eq!(edges(&kg), ["a related_to b", "b related_to c"]);
    let kg = clean("tsv", "Gene::9021\tGiG\tGene::5\nCompound::DB1\tCbG\tGene::5\n");
    let gene = kg.find_id("Gene::5").unwrap();
    assert_eq!(kg.schema().node_type(kg.node_type(gene)).name, "Gene");
    assert_eq!((kg.name(gene), kg.schema().node_types().len()), ("5", 2));
    let kg = clean("tsv", "u\tlikes\tv\tPerson\tFilm\n");
    let film = kg.find_id("v").unwrap();
    assert_eq!(kg.schema().node_type(kg.node_type(film)).name, "Film");
    // A quotation mark inside a tab-separated cell is a quotation mark.
    let kg = clean("tsv", "\"Heroes\" (song)\tby\tDavid\n5\" disc\tof\tDavid\n");
    assert_eq!(edges(&kg), ["\"Heroes\" (song) by David", "5\" disc of David"]);
    let (_, faults) = read("csv", "a,b,c\nx,\"never closed,y\n");
    assert_eq!(
        faults.first[0].to_string(),
        "line 2, column 3: a quotation mark begins here and does not end"
    );
}
