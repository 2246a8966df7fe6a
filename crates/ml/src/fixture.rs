//! Small models of each kind with made-up weights, the same everywhere: tests hold builds to each
//! other by them.
#![allow(clippy::expect_used, reason = "only tests have this")]

use crate::weights::{Array, Names};
use candle_core::DType;

use crate::layers::{Seeded, Sizes};
use crate::network::{Codes, Links};
use crate::{bpr, graph_bert, seg_bert, transe};

/// Numbers that look like chance and are not.
pub fn numbers(n: usize, seed: &mut u32) -> Vec<f32> {
    let mut next = || {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / 16_777_216.0 - 0.5
    };
    (0..n).map(|_| next()).collect()
}

/// Tensors of these shapes.
pub fn tensors(shapes: Vec<(String, Vec<usize>)>, mut seed: u32) -> Vec<(String, Array)> {
    let fill = |(name, shape): (String, Vec<usize>)| {
        let data = numbers(shape.iter().product(), &mut seed);
        (name, Array { shape, data })
    };
    shapes.into_iter().map(fill).collect()
}

/// Names such as `u1`, `u2`.
pub fn names(before: &str, n: usize) -> Names {
    let all: Vec<String> = (1..=n).map(|i| format!("{before}{i}")).collect();
    Names::try_from(all).expect("each once")
}

/// A file of BPR about `movielens`: users `u1` to `u4`, items `i1` to `i6`.
pub fn bpr() -> Vec<u8> {
    let config = bpr::Config { n_dims: 3, users: names("u", 4), items: names("i", 6) };
    bpr::file("movielens", &config, &tensors(bpr::shapes(&config), 1)).expect("tensors that fit")
}

/// A file of TransE about `wordnet`: entities `w1.n.01` to `w7.n.01`, three relations.
pub fn transe() -> Vec<u8> {
    let all: Vec<String> = (1..=7).map(|i| format!("w{i}.n.01")).collect();
    let relations = ["_hypernym", "_part_of", "_similar_to"].map(str::to_owned).to_vec();
    let config = transe::Config {
        n_dims: 4,
        norm: transe::Norm::L1,
        entities: Names::try_from(all).expect("each once"),
        relations: Names::try_from(relations).expect("each once"),
        has_loops: vec![false, false, true],
    };
    transe::file("wordnet", &config, &tensors(transe::shapes(&config), 2)).expect("they fit")
}

/// A network of nine papers in a ring with chords, and what is known of each of `cora`'s kind.
pub fn papers() -> (Links, Vec<Vec<(u32, f32)>>) {
    let links = (0..9).map(|i| (i, (i + 1) % 9)).chain([(0, 4), (2, 7)]);
    let features = (0..9_u32).map(|i| vec![(i % 5, 1.0), (5 + i % 2, 0.5)]).collect();
    (Links::new(9, links), features)
}

/// What the made-up Graph-Bert is.
pub fn graph_bert_config() -> graph_bert::Config {
    let (network, features) = papers();
    graph_bert::Config {
        labels: Names::try_from(["IR", "Agents", "Theory"].map(str::to_owned).to_vec())
            .expect("each once"),
        n_features: 7,
        n_nodes: features.len(),
        k: 3,
        restart: 0.15,
        is_shared_out: true,
        n_hops: 4,
        codes: Codes::learn(&[(&network, &[1; 9])], 1),
        sizes: Sizes::new(8, 12, 2, 2),
    }
}

/// Large numbers, so that one in the wrong place is seen.
fn made_up(vars: &Seeded, seed: u32) -> Vec<(String, Array)> {
    tensors(vars.all().into_iter().map(|(n, v)| (n, v.dims().to_vec())).collect(), seed)
}

/// A file of Graph-Bert about `cora`.
pub fn graph_bert() -> Vec<u8> {
    let config = graph_bert_config();
    let vars = Seeded::new(1);
    graph_bert::Net::load(&config, &vars.builder(DType::F32)).expect("sizes that fit");
    graph_bert::file("cora", &config, &made_up(&vars, 3)).expect("tensors that fit")
}

/// What the made-up SEG-Bert is.
pub fn seg_bert_config() -> seg_bert::Config {
    let (network, _) = papers();
    seg_bert::Config {
        labels: Names::try_from(["0", "2"].map(str::to_owned).to_vec()).expect("each once"),
        n_tags: 5,
        n_nodes: 8,
        segment: 3,
        n_degrees: 4,
        codes: Codes::learn(&[(&network, &[1, 2, 3, 4, 5, 1, 2, 3, 4])], 2),
        sizes: Sizes::new(8, 12, 2, 2),
    }
}

/// A file of SEG-Bert about `mutag`.
pub fn seg_bert() -> Vec<u8> {
    let config = seg_bert_config();
    let vars = Seeded::new(1);
    seg_bert::Net::load(&config, &vars.builder(DType::F32)).expect("sizes that fit");
    seg_bert::file("mutag", &config, &made_up(&vars, 4)).expect("tensors that fit")
}

/// What the made-up Graph-Bert says of papers 0, 4 and 8: three shares each.
pub const GRAPH_BERT_SHARES: [f32; 9] = [
    0.4811647, 0.33772182, 0.1811135, 0.47835085, 0.3321436, 0.18950555, 0.50352556, 0.31686646,
    0.17960802,
];

/// What the made-up SEG-Bert says of [`papers`] as a molecule.
pub const SEG_BERT_SHARES: [f32; 2] = [0.5443181, 0.45568195];
