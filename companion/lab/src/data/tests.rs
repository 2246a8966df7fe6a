//! Every format on a small made-up file, and what is wrong with it told.

use graph::Graph;
use proptest::prelude::*;
use systems::toolformer::data::{Data, Network};
use systems::toolformer::pack;

use super::*;

fn network(data: &Data) -> &Network {
    match data {
        Data::Network(network) => network,
        _ => panic!("a network was expected"),
    }
}

fn counts(data: &Data) -> [usize; 3] {
    let p = data.profile();
    [p.n_graphs, p.n_nodes, p.n_links]
}

/// Reads made-up files; what must be in the real ones is not in them.
fn read(name: &str, files: &[(&str, &str)]) -> Result<Data> {
    (find(name).unwrap().read)(&Files::of(files))
}

const CONTENT: &str = "35 0 1 0 Alpha\n40 1 1 0 Beta\n7 0 0 1 Alpha\n";

#[test]
fn citations_of_linqs() {
    let files = [("citeseer.content", CONTENT), ("citeseer.cites", "35 40\n40 7\nlost 7\n35 40\n")];
    let data = read("citeseer-linqs", &files).unwrap();
    assert_eq!(counts(&data), [1, 3, 2]);
    let network = network(&data);
    // By their rows, as the paper's prompts call them.
    assert!(network.graph.edge(&"0".into(), &"1".into()).is_some());
    assert_eq!(network.features, [vec![(1, 1.0)], vec![(0, 1.0), (1, 1.0)], vec![(2, 1.0)]]);
    assert_eq!(network.labels[1].as_deref(), Some("Beta"));
    // Cora must have what Cora has.
    let few = [("cora.content", CONTENT), ("cora.cites", "35 40\n")];
    let wrong = find("cora").unwrap().import(&Files::of(&few)).unwrap_err().to_string();
    assert!(
        wrong.contains("expected 1 graphs, 2708 nodes") && wrong.contains("found 1, 3"),
        "{wrong}"
    );
    let broken = [("cora.content", "35 0 x Alpha\n"), ("cora.cites", "")];
    let wrong = format!("{:#}", read("cora", &broken).unwrap_err());
    assert!(wrong.starts_with("content, line 1, word 1: \"x\""), "{wrong}");
    let twice = format!("{CONTENT}35 0 0 0 Beta\n");
    let wrong = read("cora", &[("cora.content", &twice), ("cora.cites", "")]).unwrap_err();
    assert!(wrong.to_string().contains("line 4: paper 35 comes twice"));
}

#[test]
fn molecules_in_the_text_of_dgcnn() {
    let text = "2\n3 1\n0 1 1\n2 2 0 2\n0 1 1\n2 0\n1 1 1\n1 1 0\n";
    let data = read("ptc", &[("PTC.txt", text)]).unwrap();
    assert_eq!(counts(&data), [2, 5, 3]);
    let Data::Set(set) = &data else { panic!() };
    assert_eq!((set[0].name.as_str(), set[0].label.as_deref()), ("0", Some("1")));
    assert_eq!(set[0].network.features[1], [(2, 1.0)]);
    let told = |text: &str| format!("{:#}", read("ptc", &[("PTC.txt", text)]).unwrap_err());
    assert!(told("1\n2 0\n1 1 5\n").contains("line 3: neighbour 5 of a graph of 2 nodes"));
    assert!(told("1\n2 0\n1 3 1\n").contains("line 3: fewer neighbours"));
    assert!(told("1\n2 0\n").contains("it ends before a node"));
    assert!(told("1\nx 0\n").contains("line 2: \"x\""));
    // A number alone takes no memory.
    let many = told("1\n99999999999 0\n0 0\n");
    assert!(many.contains("line 2: 99999999999 nodes, and the text has 3 lines"), "{many}");
}

#[test]
fn ratings_and_friends() {
    let artists = "userID\tartistID\tweight\n2\t51\t13883\n2\t52\t11690\n4\t51\t10\n";
    let friends = "userID\tfriendID\n2\t4\n4\t2\n";
    let files = [("user_artists.dat", artists), ("user_friends.dat", friends)];
    let data = read("last-fm", &files).unwrap();
    assert_eq!(counts(&data), [1, 4, 4]);
    assert!(network(&data).graph.edge(&"u2".into(), &"i51".into()).is_some());
    let data = read("amazon", &[("Software.csv", "0077,A2,5.0,12\n0077,A3,1.0,13\n")]).unwrap();
    let edge = network(&data).graph.edge(&"0077".into(), &"A3".into()).unwrap();
    assert_eq!(edge.weight, Some(1.0));
    assert_eq!(network(&data).times, [12, 13]);
    let wrong = read("amazon", &[("Software.csv", "0077,A2,5.0,soon\n")]).unwrap_err();
    assert!(wrong.to_string().contains("line 1: the fourth column is no time"), "{wrong}");
    let wrong = read("amazon", &[("Software.csv", "0077,A2,much,12\n")]).unwrap_err();
    assert!(wrong.to_string().contains("line 1: the third column is no number"), "{wrong}");
    let data = read("twitter", &[("following.number", "1 2\n2 1\n# told\n2 3\n")]).unwrap();
    assert_eq!(counts(&data), [1, 3, 2]);
}

#[test]
fn facts_by_name_and_by_number() {
    let files = [("train.txt", "a\tlikes\tb\n"), ("valid.txt", "b\tlikes\tc\n"), ("test.txt", "")];
    assert_eq!(counts(&read("umls", &files).unwrap()), [1, 3, 2]);
    let files = [
        ("train2id.txt", "1\n0 1 0\n"),
        ("valid2id.txt", "1\n1 0 1\n"),
        ("test2id.txt", "0\n"),
        ("entity2id.txt", "2\n/m/x\t0\n/m/y\t1\n"),
        ("relation2id.txt", "2\n/a/b\t0\n/c/d./e/f\t1\n"),
    ];
    let data = read("freebase", &files).unwrap();
    assert_eq!(counts(&data), [1, 2, 2]);
    let Data::Knowledge(kg) = &data else { panic!() };
    let types: Vec<&str> = kg.schema().edge_types().iter().map(|t| t.name.as_str()).collect();
    assert_eq!(types, ["/a/b", "/c/d./e/f"]);
    let wrong = [files[0], files[1], files[2], ("entity2id.txt", "1\n/m/x\t0\n"), files[4]];
    let wrong = read("freebase", &wrong).unwrap_err().to_string();
    assert!(wrong.contains("line 2: nothing has number 1"), "{wrong}");
}

const NOUNS: &str = "  1 This software and database\n\
00001740 03 n 01 entity 0 001 ~ 00002000 n 0000 | that which is\n\
00002000 03 n 02 Plaything 1 toy 0 003 @ 00001740 n 0000 + 00003000 v 0102 ! 00001740 n 0101 | a toy\n";
const VERBS: &str = "00003000 29 v 01 toy 0 001 + 00002000 n 0201 01 + 01 00 | play\n";

#[test]
fn wordnet_with_names_as_in_the_prompts() {
    let files = [
        ("data.noun", NOUNS),
        ("data.verb", VERBS),
        ("data.adj", ""),
        ("data.adv", ""),
        (
            "index.noun",
            "entity n 1 1 ~ 1 1 00001740\nplaything n 1 2 @ + 1 0 00002000\ntoy n 2 0 2 0 00009999 00002000\n",
        ),
        ("index.verb", "toy v 1 1 + 1 0 00003000\n"),
        ("index.adj", ""),
        ("index.adv", ""),
    ];
    let data = read("wordnet", &files).unwrap();
    assert_eq!(counts(&data), [1, 3, 4]);
    let Data::Knowledge(kg) = &data else { panic!() };
    let (toy, thing) = (kg.find_id("toy.v.01").unwrap(), kg.find_id("plaything.n.01").unwrap());
    let related = kg.schema().find_edge_type("_derivationally_related_form").unwrap();
    assert!(kg.has_edge(toy, related, thing) && kg.has_edge(thing, related, toy));
    let lost = [
        files[0],
        files[1],
        files[2],
        files[3],
        ("index.noun", "entity n 1 0 1 1 00001740\n"),
        files[5],
        files[6],
        files[7],
    ];
    let wrong = read("wordnet", &lost).unwrap_err().to_string();
    assert!(wrong.contains("\"plaything\" of 00002000 is not among the senses"), "{wrong}");
}

#[test]
fn what_is_packed_is_read_again_and_what_was_changed_is_not() {
    let files = [("citeseer.content", CONTENT), ("citeseer.cites", "35 40\n40 7\n")];
    let linqs = find("citeseer-linqs").unwrap();
    let data = linqs.import(&Files::of(&files)).unwrap();
    let card = pack::Card { source: "x".into(), licence: "y".into(), notes: vec!["z".into()] };
    let text = pack::write("citeseer", "Citeseer", linqs.kind, &data, &card);
    let (head, back) = pack::read(&text).unwrap();
    assert_eq!((head.name.as_str(), &head.card), ("citeseer", &card));
    assert_eq!(network(&back).features, network(&data).features);
    assert_eq!(network(&back).labels, network(&data).labels);
    assert_eq!(pack::write("citeseer", "Citeseer", linqs.kind, &back, &card), text);
    let cut: String = text.lines().take(4).map(|l| format!("{l}\n")).collect();
    let wrong = pack::read(&cut).unwrap_err().to_string();
    assert_eq!(wrong, "the pack says 2 links, and has 0; it was cut off or changed");
    let wrong = pack::read(&text.replacen("[\"0\",\"1\"]", "[\"0\",\"9\"]", 1)).unwrap_err();
    assert!(wrong.to_string().contains("line 5: a link names node 9"), "{wrong}");
    let wrong = pack::read("{\"nodes\": []}").unwrap_err().to_string();
    assert!(wrong.starts_with("line 1: expected"), "{wrong}");
}

proptest! {
    #[test]
    fn no_text_is_more_than_refused(text in "[ 0-9a-z.@\n\t{}\":,\\[\\]-]{0,120}") {
        for source in sources() {
            let all: Vec<(&str, &str)> = source.files().into_iter().map(|f| (f, text.as_str())).collect();
            let _ = source.import(&Files::of(&all));
        }
        let _ = pack::read(&text);
    }

    /// Any network comes back as it was.
    #[test]
    fn any_network_is_read_back(
        n in 1usize..8,
        links in prop::collection::vec((0usize..8, 0usize..8, prop::option::of(-9.0f64..9.0)), 0..12),
        features in prop::collection::vec((0u32..9, -3.0f32..3.0), 0..4),
        is_directed in any::<bool>(),
        has_times in any::<bool>(),
    ) {
        let mut graph = if is_directed { Graph::directed() } else { Graph::undirected() };
        for i in 0..n {
            graph.ensure_node(format!("n \"{i}\"")).unwrap();
        }
        for (a, b, w) in links.into_iter().filter(|(a, b, _)| *a < n && *b < n && a != b) {
            let (a, b) = (format!("n \"{a}\""), format!("n \"{b}\""));
            if graph.edge(&a.as_str().into(), &b.as_str().into()).is_some() {
                continue;
            }
            match w {
                Some(w) => graph.link_weighted(a, b, w).unwrap(),
                None => graph.link(a, b).unwrap(),
            }
        }
        let mut all = vec![Vec::new(); n];
        all[0] = features;
        let labels = (0..n).map(|i| (i % 2 == 0).then(|| i.to_string())).collect();
        let n_times = if has_times { graph.n_edges() } else { 0 };
        let times: Vec<u64> = (0..n_times as u64).map(|i| 900_000_000 - 7 * i).collect();
        let data =
            Data::network(Network { graph, features: all, labels, times: times.clone() });
        let kind = systems::toolformer::hubs::DatasetKind::Social;
        let text = pack::write("x", "X", kind, &data, &pack::Card::default());
        let (head, back) = pack::read(&text).unwrap();
        prop_assert_eq!(head.version, if n_times > 0 { 2 } else { 1 });
        prop_assert_eq!(&network(&back).times, &times);
        prop_assert_eq!(pack::write("x", "X", kind, &back, &pack::Card::default()), text);
    }
}
