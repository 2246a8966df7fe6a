//! The executor: what calls give, how they fail, what is remembered.

use std::cell::RefCell;
use std::rc::Rc;

use graph::Graph;
use graph::generators::gnp;
use proptest::prelude::*;
use systems::toolformer::data::{Data, Network};
use systems::toolformer::hubs::{DatasetKind, Hubs};
use systems::toolformer::toolx::PROPERTIES;
use systems::toolformer::{
    CallError, ExecutedText, Executor, Mode, Order, Reasoned, Reasoner, ReasonerRequest,
    Replacement, python,
};

fn hubs() -> Hubs {
    Hubs::new().unwrap()
}

fn run(text: &str) -> ExecutedText {
    Executor::new(hubs(), Mode::Ours).run(text)
}

fn error(text: &str) -> CallError {
    let ran = run(text);
    assert_eq!(ran.text, text, "what failed stays");
    ran.calls().next().unwrap().error.clone().expect(text)
}

/// Four papers in a ring, and what each is about.
fn papers() -> Data {
    let mut graph = Graph::undirected();
    for (a, b) in [(10, 20), (20, 30), (30, 40), (40, 10)] {
        graph.link_weighted(a as usize, b as usize, 5.0).unwrap();
    }
    let labels = ["AI", "DB", "AI", "IR"].map(|l| Some(l.to_owned())).to_vec();
    let features = (0..4).map(|i| vec![(i, 1.0)]).collect();
    Data::network(Network { graph, features, labels, times: Vec::new() })
}

/// Reads labels, and writes down what it was asked.
#[derive(Default)]
struct Labels {
    asked: Rc<RefCell<Vec<String>>>,
}

impl Reasoner for Labels {
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError> {
        let Data::Network(network) = &ask.data.data else {
            return Err(CallError::ModelFailed { message: "one network is needed".into() });
        };
        let ids: Vec<&str> = ask.arguments.iter().map(|a| a.id.as_str()).collect();
        self.asked.borrow_mut().push(format!("{} {}", ask.function.name, ids.join(" ")));
        let label = |id: &str| {
            let place = network.graph.names().position(|n| n.to_string() == id)?;
            network.labels.get(place).cloned().flatten()
        };
        let labels: Vec<String> = ids.iter().filter_map(|id| label(id)).collect();
        Ok(Reasoned::new(labels.join(", ")))
    }
}

#[test]
fn results_take_the_places_of_calls() {
    let ran = run(
        "The bull graph's center is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:center\")-->r], and \
         [GL(\"gpr\", {\"house_graph\"})] the house has size [GR(GL(\"gpr\", \"house\"), \
         \"toolx:size\")->r] [GL(\"gpr\", {\"house_graph\"})].",
    );
    assert_eq!(ran.text, "The bull graph's center is [0, 1, 2], and the house has size 6.");
    let places: Vec<Replacement> = ran.calls().map(|c| c.place).collect();
    assert_eq!(
        places,
        [Replacement::Result, Replacement::Nothing, Replacement::Result, Replacement::Nothing]
    );
    assert_eq!(ran.answers(Order::Text), [Some("[0, 1, 2]"), Some("6")]);
    let looked_at = &ran.calls().next().unwrap().steps[0].looked_at.nodes;
    assert_eq!(looked_at.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0", "1", "2"]);
}

#[test]
fn calls_stand_in_sequence_within_each_other_and_under_names() {
    let mut executor = Executor::new(hubs(), Mode::Ours);
    let first = executor.run("[GL(\"lollipop\")->G_l]Loaded.");
    assert_eq!(first.text, "Loaded.");
    let notes = &first.calls().next().unwrap().steps[0].notes;
    assert!(notes.iter().any(|n| n.contains("lollipop_graph of gpr")), "{notes:?}");
    let order = executor.run("It has [GR(G_l, \"toolx:order\"), GR(G_l, \"size\")->r] of both.");
    assert_eq!(order.text, "It has 14, 16 of both.");
    let size = &order.calls().next().unwrap().steps[1];
    assert_eq!(size.notes, ["the call names no model; toolx was asked", "G_l is GL(lollipop)"]);
    // The eccentricities of the nodes that another call finds.
    let inner = "GR(GL(\"gpr\", {\"path_graph\"}), \"toolx:center\")";
    let nested = executor.run(&format!(
        "[GR(GL(\"gpr\", {{\"path_graph\"}}), \"toolx:eccentricity\", {inner})-->r]"
    ));
    assert_eq!(nested.text, "{5: 6, 6: 6}");
    let several = "[GR(GL(\"gpr\", {\"bull_graph\", \"house_graph\"}), \"toolx:order\")-->r]";
    assert_eq!(executor.run(several).text, "{'bull_graph': 5, 'house_graph': 5}");
    let claimed = executor.run("[GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")->7]");
    assert_eq!(claimed.text, "5");
    assert!(claimed.calls().next().unwrap().steps[0].notes[0].contains("claims \"7\""));
}

#[test]
fn every_failure_has_a_kind_and_says_what_would_be_right() {
    let gr = |rest: &str| format!("[GR(GL(\"gpr\", {{\"bull_graph\"}}), {rest})-->r]");
    let cases: Vec<(String, &str)> = vec![
        ("[GR(GL(\"cora\"), \"graph_bert:topic\", paper#1)-->r]".into(), "the data of \"cora\""),
        ("[GL(\"imdb\")]".into(), "there is no dataset \"imdb\"; there are amazon, citeseer"),
        ("[GL(\"gpr\", {\"bul_graph\"})]".into(), "near it are bull_graph"),
        (gr("\"toolx:new_attribute\""), "toolx has order, size"),
        (gr("\"tool:order\""), "there is no model \"tool\"; there are bpr, graph_bert"),
        (gr("\"graph_bert:order\""), "it is of toolx: \"toolx:order\""),
        (gr("\"graph_bert:topic\", paper#1"), "it gives the field of a paper"),
        (gr("\"toolx:shortest_path\", node#1"), "takes node#… and node#…; node#1 stands there"),
        (gr("\"toolx:shortest_path\", node#1, node#9"), "the graph has no node \"9\""),
        (gr("\"toolx:order\", node#1"), "takes nothing; node#1 stands there"),
        (gr("\"toolx:eccentricity\", user#1"), "takes any number of node#…"),
        ("[GR(G_l, \"toolx:order\")-->r]".into(), "name one first"),
        ("[GR(GL(\"gpr\", {\"bull_graph\"}))]".into(), "no function stands there"),
        ("[GL({\"a\"})]".into(), "GL takes a dataset's name"),
        ("[GR(GL(\"cora\")".into(), "the text ends before the call does"),
    ];
    for (text, words) in cases {
        let error = error(&text);
        assert!(error.to_string().contains(words), "{text}: {error}");
        let json = serde_json::to_value(&error).unwrap();
        assert!(json["kind"].is_string(), "{json}");
        assert_eq!(serde_json::from_value::<CallError>(json).unwrap(), error);
    }
    let apart = Data::network(gnp(3, 0.0, false, 1).unwrap());
    let hubs = hubs().with_data("apart", DatasetKind::Properties, apart);
    let mut executor = Executor::new(hubs, Mode::Ours);
    for property in ["radius", "avg_path_length", "eccentricity", "shortest_path"] {
        let nodes = if property == "shortest_path" { ", 0, 1" } else { "" };
        let ran = executor.run(&format!("[GR(GL(\"apart\"), \"toolx:{property}\"{nodes})-->r]"));
        let error = ran.calls().next().unwrap().error.clone().unwrap();
        assert!(error.to_string().contains('0') && error.to_string().contains('1'), "{error}");
    }
}

#[test]
fn a_model_plugs_in_and_is_asked_once_for_one_question() {
    let labels = Labels::default();
    let asked = Rc::clone(&labels.asked);
    let text = "Paper 20 is on [GR(GL(\"cora\"), \"graph_bert:topic\", paper#20)-->r].";
    let with_data = hubs().with_data("Cora", DatasetKind::Bibliographic, papers());
    let missing = Executor::new(with_data.clone(), Mode::Ours).run(text);
    let error = missing.calls().next().unwrap().error.clone().unwrap();
    assert!(matches!(&error, CallError::NoModel { model, .. } if model == "graph_bert"), "{error}");
    let whole = with_data.with_model("graph-bert", Rc::new(labels)).unwrap();
    let mut executor = Executor::new(whole, Mode::Ours);
    assert_eq!(executor.run(text).text, "Paper 20 is on DB.");
    let other = "On [gr( gl('CORA') , \"Graph-Bert:topic\", {Paper#20}) -> r].";
    // Another spelling, and one word of the set: Paper in place of paper is another key.
    assert_eq!(executor.run(other).text, "On DB.");
    assert_eq!(executor.run(text).text, "Paper 20 is on DB.");
    assert_eq!(*asked.borrow(), ["topic 20", "topic 20"]);
    assert!(hubs().with_model("gpt", Rc::new(Labels::default())).is_err());
}

#[test]
fn parts_of_a_network_are_loaded() {
    let hubs = hubs().with_data("cora", DatasetKind::Bibliographic, papers());
    let mut executor = Executor::new(hubs, Mode::Ours);
    let mut size = |arguments: &str| {
        let text = format!(
            "[GR(GL(\"cora\"{arguments}), \"toolx:order\")-->r] \
                            [GR(GL(\"cora\"{arguments}), \"toolx:size\")-->r]"
        );
        let ran = executor.run(&text);
        let error = ran.calls().find_map(|c| c.error.clone());
        match error {
            Some(error) => error.to_string(),
            None => ran.text.clone(),
        }
    };
    assert_eq!(size(""), "4 4");
    assert_eq!(size(", \"all nodes\", \"all links\""), "4 4");
    assert_eq!(size(", {10, \"20\", paper#30}, \"all related links\""), "3 2");
    assert_eq!(size(", {10, 30}"), "2 0");
    assert_eq!(size(", \"all related nodes\", {(10, 20), (\"20\", \"30\")}"), "3 2");
    assert_eq!(size(", \"all paper nodes\", {(10, 20)}"), "4 1");
    assert_eq!(size(", {10, 20}, {(20, 10)}"), "2 1");
    assert!(size(", {10, 20}, {(20, 30)}").starts_with("the graph has no node \"30\""));
    assert_eq!(size(", {10}, {(10, 30)}"), "the graph has no link between \"10\" and \"30\"");
    assert!(size(", {11}").contains("no node \"11\"; near it are 10"));
    assert!(size(", {10}, \"some links\"").contains("\"all links\""));
    assert!(size(", {(10, 20)}").contains("does not say which nodes"));
    // Labels go along, in the order of the network.
    let hubs = self::hubs().with_data("cora", DatasetKind::Bibliographic, papers());
    let hubs = hubs.with_model("graph_bert", Rc::new(Labels::default())).unwrap();
    let text = "[GR(GL(\"cora\", {30, 20}), \"graph_bert:topic\", paper#20, paper#30)-->r]";
    assert_eq!(Executor::new(hubs, Mode::Ours).run(text).text, "DB, AI");
    // Of a graph of a set too.
    let part = "[GR(GL(\"gpr\", {\"bull_graph\"}, {0, 1, 2}), \"toolx:size\")-->r]";
    assert_eq!(run(part).text, "3");
}

#[test]
fn the_memory_is_a_queue_of_calls() {
    let mut executor = Executor::new(hubs(), Mode::Ours).with_capacity(3);
    let order = |name: &str| format!("[GR(GL(\"gpr\", {{\"{name}\"}}), \"toolx:order\")-->r]");
    let hits = |ran: &ExecutedText| -> Vec<bool> {
        ran.calls().flat_map(|c| &c.steps).flat_map(|s| &s.recalls).map(|r| r.is_hit).collect()
    };
    assert_eq!(hits(&executor.run(&order("bull_graph"))), [false, false]);
    // The result first; if it is there, nothing is loaded.
    assert_eq!(hits(&executor.run(&order("bull_graph"))), [true]);
    let size = "[GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:size\")]";
    assert_eq!(hits(&executor.run(size)), [false, true]);
    let shown = executor.memory().shown();
    let keys: Vec<(&str, &str, usize)> =
        shown.iter().map(|e| (e.key.as_str(), e.value.as_str(), e.n_hits)).collect();
    let graph = "GL(gpr, {\"bull_graph\"})";
    assert_eq!(
        keys,
        [
            (graph, "gpr: bull_graph, 5 nodes and 5 links", 1),
            (&format!("GR({graph}, toolx:order)"), "5", 1),
            (&format!("GR({graph}, toolx:size)"), "5", 0),
        ]
    );
    executor.run("[GL(\"gpr\", {\"house_graph\"})->G]");
    assert_eq!(hits(&executor.run(&order("bull_graph"))), [true]);
    assert_eq!(executor.memory().entries().count(), 3);
    for name in ["cycle_graph", "path_graph"] {
        executor.run(&order(name));
    }
    let forgotten = executor.run("[GR(G, \"toolx:order\")-->r]");
    let error = forgotten.calls().next().unwrap().error.clone().unwrap();
    assert!(error.to_string().contains("holds 3 results and this one was forgotten"), "{error}");
}

#[test]
fn the_reference_is_followed_where_it_is_asked_for() {
    let mut reference = Executor::new(hubs(), Mode::Reference);
    let silent = "A [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")->r] B  C";
    assert_eq!(reference.run(silent).text, "A B C", "only --> is a tag, and spaces collapse");
    assert_eq!(run(silent).text, "A 5 B  C");
    let tagged = "[GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r]";
    let recalls = reference.run(tagged).calls().next().unwrap().steps[0].recalls.clone();
    let keys: Vec<(&str, bool)> = recalls.iter().map(|r| (r.key.as_str(), r.is_hit)).collect();
    assert_eq!(
        keys,
        [
            // With its tag the bracket is another one; the graph was loaded before.
            ("[gr(gl(\"gpr\",{\"bull_graph\"}),\"toolx:order\")-->r]", false),
            ("gl(\"gpr\",{\"bull_graph\"})", true),
        ]
    );
    for (text, why) in [
        ("[GR(GL(\"gpr\", \"bull_graph\"), \"toolx:order\")-->r]", "in a set"),
        ("[GL(\"gpr\", {\"bull_graph\"}, {0, 1})]", "never loads a part"),
        ("[GL(\"a\", \"all links, all of them\")]", "a comma in quotes"),
        ("[GL(\"gpr\"), GL(\"gpr\")]", "one call in a bracket"),
        ("[GR(GL(\"gpr\", {\"bull_graph\"}), \"graph-bert:topic\", paper#1)]", "\"_\" in place of"),
        ("[GR(G_l, \"toolx:order\")-->r]", "names of earlier results"),
    ] {
        let ran = reference.run(text);
        let error = ran.calls().next().unwrap().error.clone().expect(text);
        assert!(matches!(error, CallError::Reference { .. }), "{text}: {error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let three = "x [GR(GL(\"gpr\", {\"path_graph\"}), \"toolx:center\")-->r] \
                 [GR(GL(\"gpr\", {\"path_graph\"}), \"toolx:radius\")] \
                 [GR(GL(\"gpr\", {\"path_graph\"}), \"toolx:order\")]";
    let ran = run(three);
    assert_eq!(ran.answers(Order::Text), [Some("[5, 6]"), Some("6"), Some("12")]);
    assert_eq!(ran.answers(Order::Reference), [Some("6"), Some("12"), Some("[5, 6]")]);
}

/// All properties from a table of distances made by Floyd's and Warshall's three loops.
fn slow(graph: &Graph, property: &str) -> Option<String> {
    let names: Vec<String> = graph.names().map(ToString::to_string).collect();
    let n = names.len();
    let mut distance = vec![vec![f64::INFINITY; n]; n];
    for (i, row) in distance.iter_mut().enumerate() {
        row[i] = 0.0;
    }
    let place = |name: String| names.iter().position(|x| *x == name).unwrap();
    for e in graph.edges() {
        let (a, b) = (place(e.source.to_string()), place(e.target.to_string()));
        distance[a][b] = 1.0;
        distance[b][a] = 1.0;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                distance[i][j] = distance[i][j].min(distance[i][k] + distance[k][j]);
            }
        }
    }
    let m = graph.n_edges() as f64;
    let pairs = (n * (n - 1)) as f64;
    match property {
        "order" => return Some(n.to_string()),
        "size" => return Some(graph.n_edges().to_string()),
        "density" => return Some(python::float(m / pairs * 2.0)),
        "min_path_length" if m > 0.0 => return Some("1".to_owned()),
        _ => {}
    }
    if distance.iter().flatten().any(|d| d.is_infinite()) {
        return None;
    }
    let far: Vec<f64> = distance.iter().map(|r| r.iter().copied().fold(0.0, f64::max)).collect();
    let (least, most) = (
        far.iter().copied().fold(f64::INFINITY, f64::min),
        far.iter().copied().fold(0.0, f64::max),
    );
    let at = |d: f64| {
        let all: Vec<&str> = (0..n).filter(|i| far[*i] == d).map(|i| names[i].as_str()).collect();
        format!("[{}]", all.join(", "))
    };
    Some(match property {
        "eccentricity" => {
            let all: Vec<String> =
                names.iter().zip(&far).map(|(n, d)| format!("{n}: {}", *d as u64)).collect();
            format!("{{{}}}", all.join(", "))
        }
        "radius" => (least as u64).to_string(),
        "diameter" | "max_path_length" => (most as u64).to_string(),
        "center" => at(least),
        "periphery" => at(most),
        "avg_path_length" => python::float(distance.iter().flatten().sum::<f64>() / pairs),
        "shortest_path" => (distance[0][n - 1] as u64).to_string(),
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn properties_agree_with_a_table_of_distances(n in 2..14usize, p in 0.2..0.9f64, seed in 0..1000u64, weight in 0..2u8) {
        let mut graph = gnp(n, p, false, seed).unwrap();
        if weight == 1 {
            // Weights change nothing.
            let pairs: Vec<_> = graph.edges().map(|e| (e.source.clone(), e.target.clone())).collect();
            for (a, b) in pairs {
                graph.link_weighted(a, b, 7.5).unwrap();
            }
        }
        let hubs = hubs().with_data("it", DatasetKind::Properties, Data::network(graph.clone()));
        let mut executor = Executor::new(hubs, Mode::Ours);
        for property in &PROPERTIES {
            let nodes = match property.name {
                "shortest_path" => format!(", \"node#0\", \"node#{}\"", n - 1),
                _ => String::new(),
            };
            let text = format!("[GR(GL(\"it\"), \"toolx:{}\"{nodes})-->r]", property.name);
            let ran = executor.run(&text);
            if let Some(expected) = slow(&graph, property.name) {
                prop_assert_eq!(&ran.text, &expected, "{}", property.name);
            } else if property.name != "shortest_path" && graph.n_edges() > 0 {
                prop_assert!(ran.calls().all(|c| c.error.is_some()), "{}", property.name);
            }
        }
    }
}
