use super::*;
use crate::fixture;

fn model() -> SegBert {
    SegBert::new(ModelFile::read(&fixture::seg_bert()).unwrap()).unwrap()
}

fn molecule(config: &Config) -> Molecule {
    let (network, features) = fixture::papers();
    Molecule::new(config, network, &features)
}

#[test]
fn a_graph_is_told_the_same_alone_and_beside_others() {
    let model = model();
    let small = Links::new(2, [(0, 1)]);
    let small = Molecule::new(&model.config, small, &[vec![(3, 1.0)], vec![(0, 1.0)]]);
    let none = Molecule::new(&model.config, Links::new(0, []), &[]);
    let large = molecule(&model.config);
    let together = model.predict(&[&small, &large, &none]).unwrap();
    for (graph, expected) in [&small, &large, &none].into_iter().zip(&together) {
        let alone = model.predict(&[graph]).unwrap().remove(0);
        assert!(alone.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
        assert!((alone.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

/// What the page must find too, within 1e-5.
#[test]
fn the_fixture_says_this() {
    let model = model();
    let shares = model.predict(&[&molecule(&model.config)]).unwrap().remove(0);
    for (found, expected) in shares.iter().zip(fixture::SEG_BERT_SHARES) {
        assert!((found - expected).abs() < 1e-5, "{shares:?}");
    }
}

/// Segments are means of means; room that is filled up changes nothing.
#[test]
fn segments_share_out_and_room_counts_for_nothing() {
    let mut config = fixture::seg_bert_config();
    let graph = molecule(&config);
    // Nine nodes, eight that are looked at, segments of three, three and two.
    let made = batch(&config, &[&graph]).unwrap();
    assert_eq!((made.n_segments, made.length), (3, 3));
    let pool = made.pool.to_vec2::<f32>().unwrap().remove(0);
    let third = 1.0 / 9.0;
    assert_eq!(pool, [third, third, third, third, third, third, 1.0 / 6.0, 1.0 / 6.0, 0.0]);
    assert_eq!(made.seen.to_vec2::<f32>().unwrap()[2], [1.0, 1.0, 0.0]);
    let rows = made.rows.to_vec2::<f32>().unwrap();
    // Node 0 is linked with 1, 4 and 8, which is beyond.
    assert_eq!(rows[0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(made.degrees.to_vec1::<u32>().unwrap()[..2], [3, 2]);
    config.segment = 100;
    assert_eq!(batch(&config, &[&graph]).unwrap().length, 8);
}

/// Atoms keep their kind, their links and their neighbourhood wherever they stand.
#[test]
fn a_reordered_graph_is_the_same_graph() {
    let config = fixture::seg_bert_config();
    let graph = molecule(&config);
    let order = [4, 8, 0, 3, 7, 1, 6, 2, 5];
    let other = graph.reordered(&order);
    assert_ne!(other.tags, graph.tags);
    for (to, from) in order.into_iter().enumerate() {
        assert_eq!(other.tags[to], graph.tags[from]);
        assert_eq!(other.codes[to], graph.codes[from]);
        for (b, a) in order.into_iter().enumerate() {
            let is_linked =
                |g: &Molecule, i: usize, j: usize| g.network.around(i).contains(&(j as u32));
            assert_eq!(is_linked(&other, to, b), is_linked(&graph, from, a), "{from} {a}");
        }
    }
    let mut back = [0; 9];
    order.into_iter().enumerate().for_each(|(to, from)| back[from] = to);
    let again = other.reordered(&back);
    assert_eq!((again.network, again.tags), (graph.network.clone(), graph.tags.clone()));
    // What is not in the order is left out with its links.
    let part = graph.reordered(&[4, 0]);
    assert_eq!((part.n_nodes(), part.network.around(0)), (2, &[1][..]));
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let mut file = ModelFile::read(&fixture::seg_bert()).unwrap();
    file.config["n_tags"] = serde_json::json!(6);
    let told = SegBert::new(file).unwrap_err().to_string();
    assert_eq!(told, "the tensor \"embeddings.tags.weight\" is [6, 8]; by the config it is [7, 8]");
    assert!(SegBert::new(ModelFile::read(&fixture::graph_bert()).unwrap()).is_err());
}
