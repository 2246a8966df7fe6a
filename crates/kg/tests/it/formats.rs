//! Files of graphs: what is written is read again, what others write is read, what is broken is
//! told.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use kg::formats::{ENOUGH_FAULTS, FORMATS, Faults, MAX_FAULTS, find, sniff};
use kg::{Kg, KgBuilder};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

type Nodes = BTreeMap<String, (String, String, Map<String, Value>)>;
type Edges = BTreeSet<(String, String, String)>;

/// Everything of a graph, without the order.
fn content(kg: &Kg) -> (Nodes, Edges) {
    let nodes = kg.nodes().map(|n| {
        let of = kg.schema().node_type(kg.node_type(n)).name.clone();
        let attributes = kg.attributes(n).cloned().unwrap_or_default();
        (kg.id(n).to_owned(), (of, kg.name(n).to_owned(), attributes))
    });
    let edges = kg.edges().map(|(s, t, o)| {
        let name = kg.schema().edge_type(t).name.clone();
        (kg.id(s).to_owned(), name, kg.id(o).to_owned())
    });
    (nodes.collect(), edges.collect())
}

pub(crate) fn read(format: &str, text: &str) -> (Kg, Faults) {
    let mut builder = KgBuilder::new("read");
    let faults = (find(format).unwrap().read)(text, &mut builder);
    (builder.build().unwrap(), faults)
}

pub(crate) fn clean(format: &str, text: &str) -> Kg {
    let (kg, faults) = read(format, text);
    assert!(faults.is_empty(), "{format}: {:?}", faults.first);
    kg
}

pub(crate) fn edges(kg: &Kg) -> Vec<String> {
    content(kg).1.into_iter().map(|(s, t, o)| format!("{s} {t} {o}")).collect()
}

fn text() -> impl Strategy<Value = String> {
    // Without spaces around: nobody means them, and readers of cells cut them off.
    prop_oneof!["[a-c]", "[A-Za-zäß0-9:;,'\"<>&\\\\|#_.%/-]{1,8}", "\\PC{1,9}"]
        .prop_map(|s| s.trim().to_owned())
        .prop_filter("something", |s| !s.is_empty() && !s.chars().any(char::is_control))
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1000i32..1000).prop_map(|n| Value::from(f64::from(n) / 8.0)),
        prop::collection::vec(text(), 2..4).prop_map(Value::from),
    ]
}

prop_compose! {
    fn graph()(
        nodes in prop::collection::btree_map(text(), (text(), text(), prop::collection::btree_map("[a-z]{3}x", value(), 0..3)), 1..9)
    )(
        edges in prop::collection::vec((0..nodes.len(), text(), 0..nodes.len()), 0..20),
        nodes in Just(nodes),
    ) -> Kg {
        let mut builder = KgBuilder::new("made");
        let ids: Vec<&String> = nodes.keys().collect();
        for (id, (of, name, attributes)) in &nodes {
            builder.node(id, of, name, attributes.clone().into_iter().collect()).unwrap();
        }
        for (source, of, target) in edges {
            builder.edge(ids[source], &of, ids[target]).unwrap();
        }
        builder.build().unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read_again(kg in graph()) {
        let (nodes, edges) = content(&kg);
        for format in FORMATS {
            let written = (format.write)(&kg);
            let (back, faults) = read(format.id, &written);
            prop_assert!(faults.is_empty(), "{}: {:?}\n{written}", format.id, faults.first);
            let (back_nodes, back_edges) = content(&back);
            match format.id {
                // Only edges, so only nodes that have some.
                "triple_lists" => {
                    let ends: BTreeSet<&String> =
                        edges.iter().flat_map(|(s, _, o)| [s, o]).collect();
                    prop_assert_eq!(back_nodes.keys().collect::<BTreeSet<_>>(), ends);
                    prop_assert_eq!(&back_edges, &edges);
                }
                "tsv" | "csv" | "bars" => {
                    let short = |n: &Nodes| n.iter().map(|(k, v)| (k.clone(), v.0.clone(), v.1.clone())).collect::<Vec<_>>();
                    prop_assert_eq!(short(&back_nodes), short(&nodes), "{}", written);
                    prop_assert_eq!(&back_edges, &edges);
                }
                "grbench" => {
                    prop_assert_eq!(&back_nodes, &nodes);
                    let either = |edges: &Edges| -> Edges {
                        edges.iter().map(|(s, t, o)| (s.min(o).clone(), t.clone(), s.max(o).clone())).collect()
                    };
                    prop_assert_eq!(either(&back_edges), either(&edges));
                    // Both ends say the same, so none comes twice.
                    prop_assert_eq!(either(&back_edges).len(), back_edges.len());
                }
                _ => {
                    prop_assert_eq!(&back_nodes, &nodes, "{}: {}", format.id, written);
                    prop_assert_eq!(&back_edges, &edges, "{}", format.id);
                }
            }
        }
    }

    #[test]
    fn any_text_is_no_panic(text in "\\PC{0,120}|[\\[\\]{}<>\"',:.@a-c \\n\\t\\\\]{0,120}") {
        for format in FORMATS {
            let mut builder = KgBuilder::new("any");
            let faults = (format.read)(&text, &mut builder);
            prop_assert!(faults.first.len() <= MAX_FAULTS && faults.first.len() <= faults.n);
            prop_assert!(builder.build().is_ok());
        }
        let _ = sniff("x", &text);
    }

    #[test]
    fn a_file_that_is_cut_or_changed_is_no_panic(kg in graph(), at in 0.0..1.0f64, put in "\\PC|[<>\"{}\\[\\],\\n]") {
        for format in FORMATS {
            let written = (format.write)(&kg);
            let mut cut = (written.len() as f64 * at) as usize;
            while !written.is_char_boundary(cut) {
                cut -= 1;
            }
            read(format.id, &written[..cut]);
            read(format.id, &format!("{}{put}{}", &written[..cut], &written[cut..]));
        }
    }
}

#[test]
fn three_lines_in_a_hundred_are_broken_and_the_rest_is_read() {
    let mut text = String::from("head\trelation\ttail\n");
    for i in 0..10_000 {
        match i % 100 {
            7 => text += "only one cell\n",
            40 => text += "a\t\tb\n",
            77 => text += "ünï\trel\n",
            _ => text += &format!("n{i}\trel\tn{}\n", i + 1),
        }
    }
    let (kg, faults) = read("tsv", &text);
    assert_eq!((kg.n_edges(), faults.n, faults.first.len()), (9_700, 300, MAX_FAULTS));
    let said: Vec<String> = faults.first[..3].iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "line 9, column 1: this line has 1 of 3 columns; is the separator right?");
    assert_eq!(said[1], "line 42, column 4: there is no relation before the target");
    assert_eq!(said[2], "line 79, column 5: this line has 2 of 3 columns; is the separator right?");
}

#[test]
fn a_relation_of_a_megabyte_is_refused_in_every_format() {
    let long = "r".repeat(1_000_000);
    let mut texts = vec![
        ("tsv", format!("a\tb\tc\nx\t{long}\ty\n")),
        ("csv", format!("a,b,c\nx,\"{long}\",y\n")),
        ("bars", format!("a|b|c\nx|{long}|y\n")),
        ("triple_lists", format!("['a','b','c']\n['x', '{long}', 'y']\n")),
        (
            "jsonl",
            format!(
                "{{\"src\":\"a\",\"dst\":\"b\",\"type\":\"c\"}}\n{{\"src\":\"a\",\"dst\":\"b\",\"type\":\"{long}\"}}\n"
            ),
        ),
        (
            "grbench",
            format!("{{\"T_nodes\":{{\n\"a\":{{\"neighbors\":{{\"{long}\":[\"b\"]}}}}}}}}"),
        ),
        (
            "graphml",
            format!(
                "<graphml><graph>\n<edge source='a' target='b'><data key='type'>{long}</data></edge></graph></graphml>"
            ),
        ),
    ];
    if find("turtle").is_some() {
        texts.push((
            "turtle",
            format!("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:{long}> <urn:b> .\n"),
        ));
    }
    for (format, text) in texts {
        let (_, faults) = read(format, &text);
        let said = faults.first[0].to_string();
        assert_eq!(faults.n, 1, "{format}");
        assert!(said.contains("bytes; at most 10000 are read"), "{format}: {}", &said[..200]);
        if format == "tsv" {
            assert_eq!((faults.first[0].line, faults.first[0].column), (2, 3));
        }
        if format != "turtle" {
            assert!(faults.first[0].line == 2 && said.len() < 400, "{format}: {}", said.len());
        }
    }
}

#[test]
fn a_type_that_contradicts_is_told_with_both() {
    let (kg, faults) = read("tsv", "u\tlikes\tv\tPerson\tFilm\nw\tlikes\tu\tPerson\tFilm\n");
    assert_eq!(kg.n_edges(), 2);
    assert!(faults.first[0].message.contains("\"Person\" and again of type \"Film\""));
}

#[test]
fn lists_of_python() {
    let kg = clean(
        "triple_lists",
        "['Bob', 'mother', \"Al'ice\"],\n [ 'Mr. \\'S\\'','x\\u00e4' , 'b\\n' ]\n",
    );
    assert_eq!(edges(&kg), ["Bob mother Al'ice", "Mr. 'S' xä b\n"]);
    let (_, faults) =
        read("triple_lists", "['Bob', mother, 'Alice']\n['Bob', 'a', 'b'\n['Bob', 'a', 'b]");
    let said: Vec<String> = faults.first.iter().map(ToString::to_string).collect();
    assert!(said[0].starts_with("line 1, column 9: found 'm'; expected a text in quotation marks"));
    assert!(said[1].starts_with("line 2, column 17: found the end of the line; expected ']'"));
    assert!(said[2].starts_with("line 3, column 14: found '\\''; expected a text that ends"));
}

#[test]
fn neighbours_at_both_ends_are_one_edge() {
    let text = r#"{"Pathway_nodes": {"p": {"features": {"name": "Path"}, "neighbors": {"Gene-participates-Pathway": ["g"]}}},
        "Gene_nodes": {"g": {"features": {"name": "G one", "chromosome": 7},
            "neighbors": {"Gene-participates-Pathway": ["p"], "Gene-interacts-Gene": [3, "g"]}},
            "3": {"features": {}, "neighbors": {"Gene-interacts-Gene": ["g"]}}}}"#;
    let kg = clean("grbench", text);
    assert_eq!(
        edges(&kg),
        ["g Gene-interacts-Gene 3", "g Gene-interacts-Gene g", "g Gene-participates-Pathway p"]
    );
    let gene = kg.find_id("g").unwrap();
    assert_eq!((kg.name(gene), &kg.attributes(gene).unwrap()["chromosome"]), ("G one", &json!(7)));
    let (_, faults) = read("grbench", "{\"a_nodes\":\n {\"x\": 5}}");
    assert!(
        faults.first[0].to_string().starts_with("line 2, column 8: invalid type: integer `5`, expected a node with features and neighbors;"),
        "{}",
        faults.first[0]
    );
}

#[test]
fn graphml_as_other_programs_write_it() {
    let text = r#"<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="born" for="node" attr.name="born" attr.type="int"/>
        <key id="label" for="edge" attr.name="label" attr.type="string"/>
        <graph id="G" edgedefault="directed">
        <node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data><data key="born">1964</data><data key="name">A &amp; B</data></node>
        <node id="n1"/>
        <edge id="e0" source="n0" target="n1" label="KNOWS"><data key="label">KNOWS</data></edge>
        <edge source="n1" target="n0"/>
        <edge source="n1"/>
        <node id="n2"><data key="born">soon</data></node>
        </graph></graphml>"#;
    let (kg, faults) = read("graphml", text);
    assert_eq!(edges(&kg), ["n0 KNOWS n1", "n1 related_to n0"]);
    let node = kg.find_id("n0").unwrap();
    assert_eq!(kg.schema().node_type(kg.node_type(node)).name, "Person:Actor");
    assert_eq!((kg.name(node), &kg.attributes(node).unwrap()["born"]), ("A & B", &json!(1964)));
    let said: Vec<String> = faults.first.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "line 9, column 9: a <edge> lacks one of: source and target");
    assert!(
        said[1]
            .starts_with("line 10, column 44: \"born\" is \"soon\"; expected a value of type int"),
        "{}",
        said[1]
    );
}

#[test]
fn turtle_as_other_programs_write_it() {
    let text = "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n\
        @prefix ex: <http://example.org/> .\n\
        ex:alice a foaf:Person ; foaf:knows ex:bob_the_2nd, _:someone ; foaf:age 42 ;\n\
          <http://www.w3.org/2000/01/rdf-schema#label> \"Alicia\"@es, \"Alice\"@en .\n\
        ex:bob_the_2nd foaf:age \"old\" , \"very\" .\n\
        ex:bob foaf:knows .\n\
        ex:lost foaf:knows ex:alice .\n\
        ex:bob foaf:knows ex:alice .\n";
    let (kg, faults) = read("turtle", text);
    let alice = kg.find_id("http://example.org/alice").unwrap();
    assert_eq!((kg.name(alice), &kg.attributes(alice).unwrap()["foaf:age"]), ("Alice", &json!(42)));
    assert_eq!(kg.schema().node_type(kg.node_type(alice)).name, "foaf:Person");
    let bob = kg.find_id("http://example.org/bob_the_2nd").unwrap();
    assert_eq!(
        (kg.name(bob), &kg.attributes(bob).unwrap()["foaf:age"]),
        ("bob the 2nd", &json!(["old", "very"]))
    );
    // The parser continues after the next full stop.
    assert_eq!(faults.first[0].line, 6, "{:?}", faults.first);
    assert!(
        edges(&kg)
            .contains(&"http://example.org/bob foaf:knows http://example.org/alice".to_owned()),
        "{:?}",
        edges(&kg)
    );
}

#[test]
fn a_format_is_known_by_how_it_begins_or_what_it_is_called() {
    let mut builder = KgBuilder::new("x");
    builder.node("a b", "T", "A", Map::new()).unwrap();
    builder.edge("a b", "r", "c").unwrap();
    let kg = builder.build().unwrap();
    for format in FORMATS {
        let written = (format.write)(&kg);
        let name = format!("graph.{}", format.endings[0]);
        assert_eq!(sniff(&name, &written).map(|f| f.id), Some(format.id));
        assert!(!format.keeps.is_empty() && !format.title.is_empty());
    }
    assert_eq!(sniff("graph", "a\tb\tc\n").map(|f| f.id), Some("tsv"));
    assert!(sniff("notes.txt", "hello").is_none());
    let ids: BTreeSet<&str> = FORMATS.iter().map(|f| f.id).collect();
    assert_eq!(ids.len(), FORMATS.len());
}

/// Ten times the text may take ten times as long, not a hundred times.
#[test]
#[allow(clippy::disallowed_methods)]
fn reading_takes_time_in_proportion() {
    let made = |n: usize| {
        let mut builder = KgBuilder::new("made");
        for i in 0..n {
            builder.edge(&format!("n{i}"), "next", &format!("n{}", i / 3)).unwrap();
        }
        builder.build().unwrap()
    };
    let (small, large) = (made(2_000), made(20_000));
    for format in FORMATS {
        let time = |kg: &Kg| {
            let text = (format.write)(kg);
            let begun = Instant::now();
            clean(format.id, &text);
            begun.elapsed()
        };
        let (a, b) = (time(&small), time(&large));
        assert!(b < a * 60 + Duration::from_millis(300), "{}: {a:?} {b:?}", format.id);
    }
}

/// What is not of a format at all, in many sizes.
fn junk(n: usize) -> Vec<(&'static str, String)> {
    let mut state = 1u32;
    let mut chance = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let random = (0..n).map(|_| char::from((chance() % 256) as u8)).collect();
    let printable = (0..n).map(|_| char::from(32 + (chance() % 95) as u8)).collect();
    let repeated = |piece: &str| piece.repeat(n / piece.len());
    vec![
        ("zeros", "\0".repeat(n)),
        ("random letters", random),
        ("random printable letters", printable),
        ("short lines", repeated("x\n")),
        ("a line without an end", repeated("a ")),
        ("JSON on one line", format!("[{}1]", repeated("{\"id\": 1, \"to\": [1, 2.5e3, null]}, "))),
        ("brackets", repeated("[")),
        ("a string that never ends", format!("<a> <b> \"{}", repeated("x\\n"))),
        ("quotation marks", repeated("\"\t\"\"")),
        ("an address that never ends", repeated("<a")),
        ("dots", repeated("a....... ")),
        ("one fault in eight statements, on one line", {
            let right = "<urn:a> <urn:b> <urn:c> . ".repeat(8);
            repeated(&format!("{right} \"x\" <urn:b> \0 . "))
        }),
        ("one fault in eight lines", repeated("{\"id\":\"a\",\"type\":\"b\"}\n[\n")),
        ("tags", repeated("<a>")),
    ]
}

/// Eight times the junk may take eight times as long, not sixty-four times. The processor's time for
/// this thread counts: other programs run beside the tests.
#[test]
fn what_is_not_of_a_format_is_given_up_in_time_in_proportion() {
    const SIZES: [usize; 4] = [40_000, 80_000, 160_000, 320_000];
    let pieces: Vec<_> = SIZES.iter().map(|n| junk(*n)).collect();
    for format in FORMATS {
        for i in 0..pieces[0].len() {
            let mut times = [Duration::MAX; SIZES.len()];
            for (time, junk) in times.iter_mut().zip(&pieces) {
                for _ in 0..3 {
                    let mut builder = KgBuilder::new("junk");
                    let begun = ThreadTime::now();
                    let faults = (format.read)(&junk[i].1, &mut builder);
                    *time = (*time).min(begun.elapsed());
                    assert!(faults.n <= ENOUGH_FAULTS, "{}: {}", format.id, pieces[0][i].0);
                    assert!(faults.n < ENOUGH_FAULTS || faults.gave_up.is_some());
                }
            }
            let allowed = times[0] * 20 + Duration::from_millis(100);
            assert!(times[3] < allowed, "{}: {}: {times:?}", format.id, pieces[0][i].0);
        }
    }
}

#[test]
fn a_file_of_another_format_is_refused_with_what_would_be_right() {
    let expected = [
        (
            "tsv",
            "x\n",
            "no tab-separated table: gave up after 1,000 faults in line 1000; the first",
        ),
        ("bars", "x\n", "no table with bars: gave up after 1,000 faults in line 1000; the first"),
        ("csv", "x\n", "no comma-separated table: gave up after 1,000 faults in line 1000; the"),
        ("triple_lists", "0\n", "no file of triples as lists: gave up after 1,000 faults in line"),
        ("jsonl", "<a>\n", "no file of JSON lines: gave up after 1,000 faults in line 1000; the"),
        (
            "ntriples",
            "\0",
            "no N-Triples: gave up after 1,000 faults in line 1; the first fault is",
        ),
        ("turtle", "{\"a\": 1}\n", "no Turtle: gave up after 1,000 faults in line "),
    ];
    for (id, piece, told) in expected {
        let format = find(id).unwrap();
        let mut builder = KgBuilder::new("other");
        let faults = (format.read)(&piece.repeat(5000), &mut builder);
        let why = faults.refusal(format).unwrap();
        assert!(why.starts_with(&format!("this is {told}")), "{why}");
        assert!(why.ends_with(format.example) && why.len() < 700, "{why}");
    }
    for format in FORMATS {
        // What is to be right is read, and nothing at all is no fault of one file of several.
        assert_eq!(clean(format.id, format.example).n_edges(), 1, "{}", format.id);
        let line = format!("{}\n", format.example);
        if !["grbench", "graphml", "rdfxml", "jsonld"].contains(&format.id) {
            let (_, faults) = read(format.id, &format!("{line}\n{line}{}[\n", line.repeat(3)));
            assert_eq!((faults.n, faults.refusal(format)), (1, None), "{}", format.id);
            let (_, faults) = read(format.id, &format!("{line}\0\n\0\n\0\n"));
            let why = faults.refusal(format).unwrap();
            assert!(why.contains("places could not be read, and 1 could; the first"), "{why}");
        }
    }
}

/// Every column is counted from the start of its line, so that many faults at the end of a long
/// line would go over it as often.
#[test]
fn faults_far_into_one_line_are_given_up_sooner() {
    let right = "<urn:a> <urn:b> <urn:c> . ".repeat(100_000);
    let (_, faults) = read("turtle", &format!("{right}{}", "\0 . ".repeat(900)));
    let why = faults.gave_up.unwrap();
    assert!(why.contains("faults far into a long line, in line 1"), "{why}");
    assert!(faults.n < 20 && faults.n_read == 100_000, "{}", faults.n);
}

/// A long prefix makes any name long: 300 KB would be 1 GB.
#[test]
fn a_prefix_does_not_make_a_small_file_larger_than_memory() {
    let long = "x".repeat(9_000);
    let mut text = format!("@prefix p: <urn:{long}> .\n");
    for i in 0..20_000 {
        text += &format!("p:a{i} p:b p:c{i} .\n");
    }
    let (kg, faults) = read("turtle", &text);
    assert!(faults.gave_up.unwrap().contains("names that are 50 times as long as the file"));
    assert!(kg.n_edges() < 1_500, "{}", kg.n_edges());
}

#[test]
fn real_graphs_survive_every_format() {
    use std::io::Read as _;
    let Some(folder) = test_data::folder("kgqa/wc2014") else { return };
    let unpacked = |name: &str| {
        let mut text = String::new();
        let file = std::fs::File::open(folder.join(name)).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    };
    let (nodes, links) = (unpacked("nodes.jsonl.gz"), unpacked("edges.jsonl.gz"));
    let mut builder = KgBuilder::new("wc2014");
    for text in [nodes, links] {
        assert!((find("jsonl").unwrap().read)(&text, &mut builder).is_empty());
    }
    let kg = builder.build().unwrap();
    for format in FORMATS.iter().filter(|f| !["triple_lists", "grbench"].contains(&f.id)) {
        let back = clean(format.id, &(format.write)(&kg));
        assert_eq!(content(&back).1, content(&kg).1, "{}", format.id);
    }
}

/// The triples of a graph, as SPARQL has them.
fn triples(kg: &Kg) -> Vec<String> {
    let mut all = Vec::new();
    let done = kg::each_triple(kg, |triple| {
        all.push(triple.to_string());
        Ok::<(), ()>(())
    });
    done.unwrap();
    all
}

#[test]
fn languages_datatypes_and_second_types_survive() {
    let text = "@prefix ex: <http://example.org/> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        ex:ash a ex:Tree, ex:Plant ; rdfs:label \"Esche\"@de, \"Ash\"@en ; ex:seen \"2026-03-01\"^^xsd:date ;\n\
          ex:alias \"one\", \"two\"@fr ; ex:height 12 ; ex:wide \"012\"^^xsd:integer .\n";
    for format in ["turtle", "ntriples", "rdfxml", "jsonld", "nquads", "trig"] {
        let kg = clean("turtle", text);
        let kg = clean(format, &(find(format).unwrap().write)(&kg));
        let said = triples(&kg);
        let ash = kg.find_id("http://example.org/ash").unwrap();
        assert_eq!(kg.name(ash), "Ash");
        for object in [
            "\"Esche\"@de",
            "\"Ash\"@en",
            "\"2026-03-01\"^^<http://www.w3.org/2001/XMLSchema#date>",
            "\"one\"",
            "\"two\"@fr",
            "\"12\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            "\"012\"^^<http://www.w3.org/2001/XMLSchema#integer>",
            "<http://example.org/Tree>",
            "<http://example.org/Plant>",
        ] {
            assert!(
                said.iter().any(|t| t.ends_with(&format!(" {object}"))),
                "{format}: {object}: {said:#?}"
            );
        }
    }
}

#[test]
fn rdf_of_other_programs_is_known_by_its_signs() {
    let xml = "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n\
        xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\" xmlns:ex=\"http://example.org/\">\n\
        <ex:Mill rdf:about=\"http://example.org/m1\"><rdfs:label xml:lang=\"en\">Old Mill</rdfs:label>\n\
        <ex:on rdf:resource=\"http://example.org/r1\"/></ex:Mill>\n</rdf:RDF>\n";
    let json = "{\"@context\": {\"ex\": \"http://example.org/\", \"on\": {\"@id\": \"ex:on\", \"@type\": \"@id\"}},\n\
        \"@id\": \"ex:m1\", \"@type\": \"ex:Mill\", \"on\": \"ex:r1\"}\n";
    let quads = "<http://example.org/m1> <http://example.org/on> <http://example.org/r1> <http://example.org/g> .\n";
    let trig = "@prefix ex: <http://example.org/> .\nex:g { ex:m1 ex:on ex:r1 }\n";
    for (id, name, text) in [
        ("rdfxml", "mills.xml", xml),
        ("jsonld", "mills.json", json),
        ("nquads", "mills.txt", quads),
        ("trig", "mills.trig", trig),
    ] {
        assert_eq!(sniff(name, text).map(|f| f.id), Some(id));
        let (kg, faults) = read(id, text);
        assert!(faults.is_empty(), "{id}: {:?}", faults.first);
        let on = "http://example.org/m1 http://example.org/on http://example.org/r1";
        assert_eq!(edges(&kg), [on], "{id}");
        let is_noted = !faults.notes.is_empty();
        assert_eq!(is_noted, ["nquads", "trig"].contains(&id), "{id}: {:?}", faults.notes);
    }
    let remote = "{\"@context\": \"https://schema.org\", \"@id\": \"urn:a\", \"name\": \"A\"}";
    let (_, faults) = read("jsonld", remote);
    assert!(faults.first[0].message.contains("nothing is fetched"), "{:?}", faults.first);
}

#[test]
fn types_are_called_by_their_labels_or_the_end_of_their_address() {
    let text = "@prefix ex: <http://example.org/museum/> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        ex:c1 rdfs:label \"Painting\" .\nex:a a ex:c1 .\nex:b a ex:Room .\n";
    let kg = clean("turtle", text);
    let labels: Vec<String> =
        kg.schema().node_types().iter().map(|t| kg.label_of_type(&t.name)).collect();
    assert!(labels.contains(&"Painting".into()) && labels.contains(&"Room".into()), "{labels:?}");
}
