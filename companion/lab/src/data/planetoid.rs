//! Planetoid's files: `ind.NAME.{x, tx, allx, y, ty, ally, graph, test.index}`.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use graph::Graph;
use systems::toolformer::data::{Data, Network};
use tasks::official::files::pickle::{Pickle, PickleId, PickleValue};

use super::numpy::{array, csr, pickle};
use super::{Files, link_new};

/// A citation network. Nodes that the test index passes over have neither features nor class, as
/// in Citeseer: the public loaders fill them with zeros.
pub(super) fn read(files: &Files, stem: &str) -> Result<Data> {
    let part = |name: &str| -> Result<Pickle> {
        let file = format!("ind.{stem}.{name}");
        pickle(files.bytes(&file)?).with_context(|| file)
    };
    let matrix = |name: &str| part(name).and_then(|file| csr(&file, file.root()));
    let numbers = |name: &str| part(name).and_then(|file| array(&file, file.root()));
    let (all, test) = (matrix("allx")?, matrix("tx")?);
    let (all_of, test_of) = (numbers("ally")?, numbers("ty")?);
    if all.n_columns != test.n_columns {
        bail!("allx has {} features, tx {}", all.n_columns, test.n_columns);
    }
    let links = links(&part("graph")?)?;
    let n = links.len();
    let mut features = all.rows;
    let mut labels = classes(&all_of.values, &all_of.shape)?;
    features.resize(n, Vec::new());
    labels.resize(n, None);
    let index = files.text(&format!("ind.{stem}.test.index"))?;
    let rows = test.rows.into_iter().zip(classes(&test_of.values, &test_of.shape)?);
    for (line, (row, label)) in index.lines().zip(rows) {
        let at: usize = line.trim().parse().with_context(|| format!("test index {line:?}"))?;
        let place = features.get_mut(at).with_context(|| format!("test index {at} of {n}"))?;
        *place = row;
        labels[at] = label;
    }
    let mut graph = Graph::undirected();
    for i in 0..n {
        graph.ensure_node(i.to_string())?;
    }
    for (i, others) in links.iter().enumerate() {
        for other in others {
            link_new(&mut graph, &i.to_string(), &other.to_string())?;
        }
    }
    Ok(Data::network(Network { graph, features, labels, times: Vec::new() }))
}

/// The classes of rows of ones and zeros.
fn classes(values: &[f64], shape: &[usize]) -> Result<Vec<Option<String>>> {
    let [_, n_classes] = shape else {
        bail!("labels of shape {shape:?}; expected rows of classes")
    };
    let of = |row: &[f64]| row.iter().position(|v| *v != 0.0).map(|c| c.to_string());
    Ok(values.chunks((*n_classes).max(1)).map(of).collect())
}

/// Of each node its neighbours, as the dictionary of the file has them.
fn links(pickle: &Pickle) -> Result<Vec<BTreeSet<usize>>> {
    let PickleValue::Dict(pairs) = pickle.get(pickle.root()) else {
        bail!("the graph is no dictionary")
    };
    let place = |id: PickleId| {
        pickle.int(id).and_then(|n| usize::try_from(n).ok()).context("a node's number")
    };
    let mut all = vec![BTreeSet::new(); pairs.len()];
    for (node, others) in pairs {
        let node = place(*node)?;
        for other in pickle.items(*others).context("neighbours")? {
            let other = place(*other)?;
            let n = all.len();
            if node >= n || other >= n {
                bail!("a link of {node} with {other}, and there are {n} nodes");
            }
            all[node].insert(other);
        }
    }
    Ok(all)
}
