use graph::Graph;
use kg::KgBuilder;
use ml::fixture;
use serde_json::Map;

use super::*;
use systems::toolformer::data::{Data, Member, Network};
use systems::toolformer::hubs::DatasetKind;
use systems::toolformer::{Executor, Hubs, Mode, StepRun};

fn network() -> Network {
    let (links, features) = fixture::papers();
    let mut graph = Graph::undirected();
    for i in 0..links.n_nodes() {
        graph.ensure_node(i.to_string().as_str()).unwrap();
    }
    for i in 0..links.n_nodes() {
        for j in links.around(i).iter().filter(|j| **j as usize > i) {
            graph.link(i.to_string().as_str(), j.to_string().as_str()).unwrap();
        }
    }
    Network { graph, features, labels: Vec::new(), times: Vec::new() }
}

fn liked() -> Data {
    let mut graph = Graph::undirected();
    for (user, item) in [("u1", "i2"), ("u1", "i3"), ("u2", "i1")] {
        graph.link(user, item).unwrap();
    }
    Data::network(graph)
}

fn facts() -> Data {
    let mut kg = KgBuilder::new("WordNet");
    for i in 1..=7 {
        kg.node(&format!("w{i}.n.01"), "Noun", "", Map::new()).unwrap();
    }
    kg.edge("w1.n.01", "_hypernym", "w2.n.01").unwrap();
    Data::Knowledge(Rc::new(kg.build().unwrap()))
}

fn hubs() -> Hubs {
    let molecule = Member { name: "31".into(), network: Rc::new(network()), label: None };
    let mut hubs = Hubs::new()
        .unwrap()
        .with_data("cora", DatasetKind::Bibliographic, Data::network(network()))
        .with_data("citeseer", DatasetKind::Bibliographic, Data::network(network()))
        .with_data("mutag", DatasetKind::Molecules, Data::Set(vec![molecule]))
        .with_data("movielens", DatasetKind::Recommender, liked())
        .with_data("wordnet", DatasetKind::Knowledge, facts());
    for bytes in [fixture::graph_bert(), fixture::seg_bert(), fixture::bpr(), fixture::transe()] {
        let (name, dataset, model) = read(&bytes).unwrap();
        hubs = hubs.with_model_of(name, &dataset, model).unwrap();
    }
    hubs
}

fn ask(call: &str) -> StepRun {
    let ran = Executor::new(hubs(), Mode::Ours).run(&format!("[{call}-->r]"));
    ran.calls().next().unwrap().steps[0].clone()
}

fn told(call: &str) -> String {
    ask(call).error.unwrap().to_string()
}

/// The page is held to the same texts and, within 1e-5, to the same scores.
#[test]
fn every_function_of_the_four_is_answered() {
    let topic = ask("GR(GL(\"cora\"), \"graph_bert:topic\", paper#4)");
    let shares = &fixture::GRAPH_BERT_SHARES[3..6];
    assert_eq!(topic.result.as_deref(), Some("IR"));
    assert!((topic.scores[0].1 - f64::from(shares[0])).abs() < 1e-5);
    assert_eq!(topic.looked_at.nodes.len(), 4);
    assert_eq!(topic.looked_at.nodes[0], node("4"));
    assert!(topic.looked_at.edges.len() >= 2, "{:?}", topic.looked_at);
    assert!(topic.notes[0].starts_with("looked at with the closest by intimacy: "));
    let both = ask("GR(GL(\"cora\"), \"graph_bert:topic\", {paper#4, paper#5})");
    assert_eq!(both.result.unwrap().split(", ").count(), 2);

    let class = ask("GR(GL(\"mutag\"), \"seg_bert:molecule_function\", instance#31)");
    assert_eq!(class.result.as_deref(), Some("0"));
    assert!((class.scores[0].1 - f64::from(fixture::SEG_BERT_SHARES[0])).abs() < 1e-5);
    assert_eq!((class.looked_at.nodes.len(), class.looked_at.edges.len()), (9, 11));

    let score = ask("GR(GL(\"movielens\"), \"bpr:recommendation\", user#u1, movie#i2)");
    let model = ml::bpr::Bpr::new(ModelFile::read(&fixture::bpr()).unwrap()).unwrap();
    let expected = ml::bpr::share(model.score(0, 1));
    assert_eq!(score.result, Some(format!("{expected:.3}")));
    assert_eq!(score.notes, ["1 of these u1 has in the data: i2"]);
    let top = ask("GR(GL(\"movielens\"), \"bpr:topk_recommendation\", user#u1, 3)");
    let items: Vec<String> = model.top(0, 3).iter().map(|(i, _)| format!("'i{}'", i + 1)).collect();
    assert_eq!(top.result, Some(format!("[{}]", items.join(", "))));
    assert_eq!((top.looked_at.nodes.len(), top.looked_at.edges.len()), (4, 3));

    let model = ml::transe::TransE::new(ModelFile::read(&fixture::transe()).unwrap()).unwrap();
    let tail =
        ask("GR(GL(\"wordnet\"), \"transe:tail_entity\", entity#w1.n.01, relation#_hypernym)");
    let expected = model.tails(0, 0, 1)[0].0;
    assert_eq!(tail.result, Some(format!("w{}.n.01", expected + 1)));
    let head =
        ask("GR(GL(\"wordnet\"), \"transe:head_entity\", relation#_part_of, entity#w3.n.01)");
    let expected = model.heads(1, 2, 1)[0].0;
    assert_eq!(head.result, Some(format!("w{}.n.01", expected + 1)));
    assert_eq!(head.scores.len(), 6);
    let relation = ask("GR(GL(\"wordnet\"), \"transe:relation\", entity#w1.n.01, entity#w2.n.01)");
    assert!(relation.result.unwrap().starts_with('_'));
    assert!(relation.notes.iter().any(|n| n.starts_with("the data ")));
}

#[test]
fn what_a_model_does_not_know_is_an_error() {
    let other = told("GR(GL(\"citeseer\"), \"graph_bert:topic\", paper#4)");
    assert!(other.contains("for \"citeseer\"; its weights for cora are"), "{other}");
    assert!(other.contains("graphground train graph_bert"), "{other}");
    assert!(told("GR(GL(\"cora\"), \"graph_bert:topic\", paper#77)").contains("no node \"77\""));
    let molecule = told("GR(GL(\"mutag\"), \"seg_bert:molecule_function\", instance#3)");
    assert!(molecule.contains("no graph \"3\"; near it are 31"), "{molecule}");
    let user = told("GR(GL(\"movielens\"), \"bpr:topk_recommendation\", user#u99, 3)");
    assert!(user.contains("know no user \"u99\""), "{user}");
    let relation =
        told("GR(GL(\"wordnet\"), \"transe:tail_entity\", entity#w1.n.01, relation#eats)");
    assert!(relation.contains("know no relation \"eats\""), "{relation}");
    // Registered for any data set, the model itself says no.
    let (name, _, model) = read(&fixture::graph_bert()).unwrap();
    let hubs = hubs().with_model(name, model).unwrap();
    let ran = Executor::new(hubs, Mode::Ours)
        .run("[GR(GL(\"citeseer\"), \"graph_bert:topic\", paper#4)-->r]");
    let error = ran.calls().next().unwrap().error.clone().unwrap().to_string();
    assert!(error.contains("learned from \"cora\" and say nothing about \"citeseer\""), "{error}");
}

#[test]
fn weights_of_several_data_sets_stand_side_by_side() {
    let mut file = ModelFile::read(&fixture::graph_bert()).unwrap();
    let config: ml::graph_bert::Config = file.config(ml::graph_bert::NAME).unwrap();
    let mut tensors = file.take_all("");
    // The other one says the last label, whatever it is asked.
    for (name, tensor) in &mut tensors {
        if name == "out.bias" {
            tensor.data[2] += 100.0;
        }
    }
    let bytes = ml::graph_bert::file("citeseer", &config, &tensors).unwrap();
    let (name, dataset, model) = read(&bytes).unwrap();
    let hubs = hubs().with_model_of(name, &dataset, model).unwrap();
    let mut executor = Executor::new(hubs, Mode::Ours);
    let text = "[GR(GL(\"cora\"), \"graph_bert:topic\", paper#4)-->r] \
                [GR(GL(\"citeseer\"), \"graph_bert:topic\", paper#4)-->r]";
    assert_eq!(executor.run(text).text, "IR Theory");
}

#[test]
fn no_other_file_is_a_model() {
    let unknown = ml::weights::write("gpt", "cora", &serde_json::json!({}), &[]).unwrap();
    let told = read(&unknown).err().unwrap().to_string();
    assert!(told.contains("these are weights of \"gpt\""), "{told}");
    let bytes = fixture::transe();
    assert!(read(&bytes[..bytes.len() / 2]).is_err());
    // Another model's name on the tensors.
    let mut file = ModelFile::read(&bytes).unwrap();
    let tensors = file.take_all("");
    let wrong = ml::weights::write("bpr", "movielens", &file.config, &tensors).unwrap();
    assert!(read(&wrong).is_err());
}
