use candle_core::DType;

use super::*;
use crate::fixture;
use crate::layers::Seeded;

fn model() -> (GraphBert, Papers) {
    let model = GraphBert::new(ModelFile::read(&fixture::graph_bert()).unwrap()).unwrap();
    let (network, features) = fixture::papers();
    let papers = Papers::new(&model.config, network, features);
    (model, papers)
}

/// Written out with loops over numbers: a node, its sequence, two layers, the mean.
fn by_hand(tensors: &[(String, Array)], papers: &Papers, config: &Config, node: usize) -> Vec<f32> {
    let get = |name: &str| &tensors.iter().find(|(n, _)| n == name).unwrap().1;
    let linear = |name: &str, x: &[f32]| -> Vec<f32> {
        let (w, b) = (get(&format!("{name}.weight")), get(&format!("{name}.bias")));
        (0..w.shape[0])
            .map(|o| {
                b.data[o]
                    + x.iter().enumerate().map(|(i, x)| w.data[o * x_len(w) + i] * x).sum::<f32>()
            })
            .collect()
    };
    fn x_len(w: &Array) -> usize {
        w.shape[1]
    }
    let row = |name: &str, i: usize| {
        let t = get(name);
        t.data[i * t.shape[1]..(i + 1) * t.shape[1]].to_vec()
    };
    let norm = |name: &str, x: &[f32]| -> Vec<f32> {
        let (w, b) = (get(&format!("{name}.weight")), get(&format!("{name}.bias")));
        let mean = x.iter().sum::<f32>() / x.len() as f32;
        let var = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / x.len() as f32;
        x.iter().enumerate().map(|(i, x)| (x - mean) / var.sqrt() * w.data[i] + b.data[i]).collect()
    };
    let add = |a: &[f32], b: &[f32]| -> Vec<f32> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
    let dense = |f: &Features| {
        let mut x = vec![0.0; config.n_features];
        f.iter().for_each(|(i, v)| x[*i as usize] = *v);
        x
    };
    let gelu = |x: f32| {
        // The error function by its series, in double.
        let z = f64::from(x) / 2_f64.sqrt();
        let (mut term, mut sum) = (z, z);
        for n in 1..80 {
            term *= -z * z / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        x * (0.5 + (sum / std::f64::consts::PI.sqrt()) as f32)
    };
    let mixed = dense(&papers.network.mixed(node, &papers.features));
    let around = linear("mixed.hidden", &mixed);
    let mut tokens: Vec<Vec<f32>> = Vec::new();
    for (rank, m) in papers.sequence(config, node).iter().enumerate() {
        let hop = m.hops.map_or(config.n_hops - 1, |h| h.min(config.n_hops - 1));
        let mut x = linear("embeddings.features", &dense(&papers.features[m.node as usize]));
        x = add(&x, &row("embeddings.codes.weight", papers.codes[m.node as usize] as usize));
        x = add(&x, &row("embeddings.ranks.weight", rank));
        x = add(&x, &row("embeddings.hops.weight", hop));
        tokens.push(norm("embeddings.LayerNorm", &x));
    }
    for layer in 0..config.sizes.layers {
        let at = format!("encoder.layer.{layer}");
        let of = |what: &str, tokens: &[Vec<f32>]| -> Vec<Vec<f32>> {
            tokens.iter().map(|t| linear(&format!("{at}.{what}"), t)).collect()
        };
        let q = of("attention.self.query", &tokens);
        let k = of("attention.self.key", &tokens);
        let v = of("attention.self.value", &tokens);
        let size = config.sizes.hidden / config.sizes.heads;
        let mut heeded = vec![vec![0.0; config.sizes.hidden]; tokens.len()];
        for head in 0..config.sizes.heads {
            let part = head * size..(head + 1) * size;
            for i in 0..tokens.len() {
                let weights: Vec<f32> = (0..tokens.len())
                    .map(|j| {
                        part.clone().map(|p| q[i][p] * k[j][p]).sum::<f32>() / (size as f32).sqrt()
                    })
                    .map(f32::exp)
                    .collect();
                let sum: f32 = weights.iter().sum();
                for (j, w) in weights.iter().enumerate() {
                    part.clone().for_each(|p| heeded[i][p] += w / sum * v[j][p]);
                }
            }
        }
        tokens = tokens
            .iter()
            .zip(&heeded)
            .map(|(t, h)| {
                let h = linear(&format!("{at}.attention.output.dense"), h);
                let h = norm(&format!("{at}.attention.output.LayerNorm"), &add(&h, t));
                let wide: Vec<f32> = linear(&format!("{at}.intermediate.dense"), &h);
                let wide: Vec<f32> = wide.into_iter().map(gelu).collect();
                let narrow = linear(&format!("{at}.output.dense"), &wide);
                let out = norm(&format!("{at}.output.LayerNorm"), &add(&narrow, &h));
                add(&out, &around)
            })
            .collect();
    }
    let mean: Vec<f32> = (0..config.sizes.hidden)
        .map(|i| tokens.iter().map(|t| t[i]).sum::<f32>() / tokens.len() as f32)
        .collect();
    let logits = add(&linear("out", &mean), &linear("mixed.out", &mixed));
    let sum: f32 = logits.iter().map(|x| x.exp()).sum();
    logits.iter().map(|x| x.exp() / sum).collect()
}

#[test]
fn it_computes_what_is_written_out_by_hand() {
    let (model, papers) = model();
    let all = ModelFile::read(&fixture::graph_bert()).unwrap().take_all("");
    for node in 0..9 {
        let told = &model.predict(&papers, &[node]).unwrap()[0];
        let expected = by_hand(&all, &papers, &model.config, node);
        for (a, b) in told.shares.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-5, "{node}: {:?} {expected:?}", told.shares);
        }
        assert_eq!(told.sequence.len(), 4);
        assert_eq!(told.sequence[0].node as usize, node);
        assert!(told.sequence[1..].is_sorted_by(|a, b| a.intimacy >= b.intimacy - 1e-9));
    }
}

/// What the page must find too, within 1e-5.
#[test]
fn the_fixture_says_this() {
    let (model, papers) = model();
    let told = model.predict(&papers, &[0, 4, 8]).unwrap();
    let found: Vec<f32> = told.iter().flat_map(|t| t.shares.clone()).collect();
    let all = found.clone();
    for (found, expected) in found.iter().zip(fixture::GRAPH_BERT_SHARES) {
        assert!((found - expected).abs() < 1e-5, "{all:?}");
    }
    let mut one_by_one = Vec::new();
    for node in [0, 4, 8] {
        one_by_one.extend(model.predict(&papers, &[node]).unwrap().remove(0).shares);
    }
    assert!(one_by_one.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn a_paper_alone_is_its_own_surroundings() {
    let config = fixture::graph_bert_config();
    let papers = Papers::new(&config, Links::new(2, []), vec![vec![(0, 1.0), (99, 3.0)]]);
    let sequence = papers.sequence(&config, 1);
    assert!(sequence.iter().all(|m| m.node == 1 && m.hops == Some(0)));
    // A feature that the model does not know counts for nothing.
    assert_eq!(papers.features[0], [(0, 1.0)]);
    let (model, _) = model();
    assert!(model.predict(&papers, &[0, 1]).unwrap()[1].shares.iter().all(|x| x.is_finite()));
}

#[test]
fn files_that_do_not_fit_are_refused_by_the_tensors_name() {
    let read = || ModelFile::read(&fixture::graph_bert()).unwrap();
    let told = |file| GraphBert::new(file).unwrap_err().to_string();
    let mut file = read();
    file.config["n_features"] = serde_json::json!(8);
    let wrong = told(file);
    assert_eq!(
        wrong,
        "the tensor \"embeddings.features.weight\" is [8, 7]; by the config it is [8, 8]"
    );
    let mut file = read();
    file.take("out.bias", &[3]).unwrap();
    assert!(told(file).starts_with("the tensor \"out.bias\" is missing"));
    let mut file = read();
    file.config["layers"] = serde_json::json!(1);
    assert!(told(file).contains("belongs to no graph_bert"));
    let mut file = read();
    file.config["heads"] = serde_json::json!(3);
    assert!(told(file).contains("shared out among 3 heads"));
    let mut file = read();
    file.config["restart"] = serde_json::json!(0.0);
    assert!(told(file).contains("restart is 0"));
}

/// Slopes by candle are those by differences.
#[test]
fn gradients_are_those_of_differences() {
    let config = fixture::graph_bert_config();
    let (network, features) = fixture::papers();
    let papers = Papers::new(&config, network, features);
    let vars = Seeded::new(5);
    let net = Net::load(&config, &vars.builder(DType::F32)).unwrap();
    // Far enough from zero that every layer bends.
    for (_, var) in vars.all() {
        let n = var.elem_count();
        let data = fixture::numbers(n, &mut 77_u32.wrapping_add(n as u32));
        let bent = Tensor::from_vec(data, var.shape(), var.device()).unwrap();
        var.set(&bent).unwrap();
    }
    let sequences = [papers.sequence(&config, 0), papers.sequence(&config, 5)];
    let batch = papers.batch(&config, &sequences).unwrap();
    let wanted = Tensor::new(&[2_u32, 0], &candle_core::Device::Cpu).unwrap();
    let loss = || {
        let logits = net.forward(&batch, &mut NoDropout).unwrap();
        candle_nn::loss::cross_entropy(&logits, &wanted).unwrap()
    };
    let slopes = loss().backward().unwrap();
    for (name, var) in vars.all() {
        let slope = slopes.get(&var).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let start = var.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        for at in (0..start.len()).step_by(1 + start.len() / 3) {
            let moved = |by: f32| {
                let mut moved = start.clone();
                moved[at] += by;
                var.set(&Tensor::from_vec(moved, var.shape(), var.device()).unwrap()).unwrap();
                loss().to_scalar::<f32>().unwrap()
            };
            let by_differences = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            moved(0.0);
            assert!(
                (by_differences - slope[at]).abs() < 3e-3 + 0.02 * slope[at].abs(),
                "{name} {at}: {by_differences} {}",
                slope[at]
            );
        }
    }
}
