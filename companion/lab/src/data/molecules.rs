//! Sets of labelled graphs: the text of DGCNN, and MUTAG as the package `graphkernels` has it.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use graph::Graph;
use systems::toolformer::data::{Data, Member, Network};
use tasks::official::files::pickle::PickleId;

use super::numpy::{objects, pickle};
use super::{Files, link_new};

/// DGCNN's text: the number of graphs; of each a line `n label` and `n` lines `tag degree
/// neighbours…`. The tag is the one feature of a node.
pub(super) fn dgcnn(text: &str) -> Result<Data> {
    let (n_lines, mut n_nodes) = (text.lines().count() as i64, 0i64);
    let mut lines = text.lines().enumerate();
    let mut numbers = |what: &str| -> Result<(usize, Vec<i64>)> {
        let (i, line) = lines.next().with_context(|| format!("it ends before {what}"))?;
        let number = |w: &str| w.parse::<i64>().with_context(|| format!("line {}: {w:?}", i + 1));
        Ok((i + 1, line.split_whitespace().map(number).collect::<Result<_>>()?))
    };
    let (_, first) = numbers("the number of graphs")?;
    let n_graphs = first.first().copied().unwrap_or(-1);
    let mut set = Vec::new();
    for name in 0..n_graphs {
        let (line, head) = numbers("a graph")?;
        let &[n, label, ..] = head.as_slice() else {
            bail!("line {line}: expected the nodes of a graph and its class");
        };
        // Each node has a line, so that a number that is too large is found before it is believed.
        n_nodes = n_nodes.saturating_add(n.max(0));
        if n_nodes > n_lines {
            bail!("line {line}: {n} nodes, and the text has {n_lines} lines");
        }
        let mut graph = Graph::undirected();
        for i in 0..n {
            graph.ensure_node(i.to_string())?;
        }
        let mut features = Vec::new();
        for i in 0..n {
            let (line, row) = numbers("a node")?;
            let &[tag, degree, ref others @ ..] = row.as_slice() else {
                bail!("line {line}: expected the tag of a node, its degree and neighbours");
            };
            features.push(vec![(u32::try_from(tag).context("a tag")?, 1.0)]);
            let degree = usize::try_from(degree).unwrap_or(usize::MAX);
            let others = others.get(..degree);
            let others =
                others.with_context(|| format!("line {line}: fewer neighbours than said"))?;
            for other in others {
                if !(0..n).contains(other) {
                    bail!("line {line}: neighbour {other} of a graph of {n} nodes");
                }
                link_new(&mut graph, &i.to_string(), &other.to_string())?;
            }
        }
        let network = Rc::new(Network { graph, features, labels: Vec::new(), times: Vec::new() });
        set.push(Member { name: name.to_string(), network, label: Some(label.to_string()) });
    }
    Ok(Data::Set(set))
}

/// MUTAG out of an array of igraph's graphs: nodes, edges, direction, and what is told of the
/// graph, of its nodes and of its edges. Atoms are features, bonds are weights.
pub(super) fn mutag(files: &Files) -> Result<Data> {
    let bytes = files.bytes("data.mutag")?;
    // numpy's own head stands before the pickle.
    let head = bytes.strip_prefix(b"\x93NUMPY\x01\x00").context("it is no array of numpy")?;
    let (n, rest) = head.split_first_chunk::<2>().context("it is too short")?;
    let values = rest.get(usize::from(u16::from_le_bytes(*n))..).context("it is too short")?;
    let pickle = pickle(values)?;
    let text = |id: PickleId| {
        pickle.text(id).map(str::to_owned).or_else(|| pickle.number(id).map(|x| x.to_string()))
    };
    let mut atoms: BTreeMap<String, u32> = BTreeMap::new();
    let (mut set, mut n_nodes) = (Vec::new(), 0i64);
    for (i, one) in objects(&pickle, pickle.root())?.iter().enumerate() {
        let arguments =
            pickle.arguments(*one).with_context(|| format!("graph {i} is no object"))?;
        let &[n, edges, _, of_graph, of_nodes, of_edges] = arguments else {
            bail!("graph {i} has {} parts; expected 6", arguments.len());
        };
        let n = pickle.int(n).context("a number of nodes")?;
        // Each atom has its name in the file, so that there are fewer than bytes.
        n_nodes = n_nodes.saturating_add(n.max(0));
        if n_nodes > bytes.len() as i64 {
            bail!("graph {i} has {n} nodes, and the file {} bytes", bytes.len());
        }
        let mut graph = Graph::undirected();
        for node in 0..n {
            graph.ensure_node(node.to_string())?;
        }
        let list = |of: PickleId| {
            pickle.field(of, "label").and_then(|list| pickle.items(list)).unwrap_or_default()
        };
        let bonds = list(of_edges);
        for (k, edge) in pickle.items(edges).context("edges")?.iter().enumerate() {
            let ends = pickle.items(*edge).unwrap_or_default();
            let ends: Vec<i64> = ends.iter().filter_map(|end| pickle.int(*end)).collect();
            let &[a, b] = ends.as_slice() else { bail!("graph {i}, edge {k}: no two ends") };
            if !(0..n).contains(&a) || !(0..n).contains(&b) {
                bail!("graph {i}, edge {k}: {a} and {b}, and there are {n} nodes");
            }
            match bonds.get(k).and_then(|bond| pickle.number(*bond)) {
                Some(bond) => graph.link_weighted(a.to_string(), b.to_string(), bond)?,
                None => graph.link(a.to_string(), b.to_string())?,
            }
        }
        let mut features = Vec::new();
        for atom in list(of_nodes) {
            let name = text(*atom).with_context(|| format!("graph {i}: an atom without a name"))?;
            let next = atoms.len() as u32;
            features.push(vec![(*atoms.entry(name).or_insert(next), 1.0)]);
        }
        let label = pickle.field(of_graph, "label").and_then(text);
        let network = Rc::new(Network { graph, features, labels: Vec::new(), times: Vec::new() });
        set.push(Member { name: i.to_string(), network, label });
    }
    Ok(Data::Set(set))
}
