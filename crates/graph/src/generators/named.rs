//! Single graphs that have a name.

use super::families::lcf;
use super::{complete, path};
use crate::{Graph, GraphError};

/// A node and those it is joined to; an edge stands once.
type Lists = &'static [(usize, &'static [usize])];

/// How a graph is written down.
enum Shape {
    /// Neighbours of nodes. Nodes stand in the order of this list, then as they are met in it.
    Lists(Lists),
    /// A ring with chords: nodes, and shifts that are repeated around it.
    Lcf(usize, &'static [i64]),
    /// A path with edges beside it.
    Path(usize, &'static [(usize, usize)]),
    /// An edge between all pairs of so many nodes.
    Complete(usize),
}

use Shape::{Complete, Lcf, Lists as L, Path};

/// The graphs by name.
static NAMED: &[(&str, Shape)] = &[
    ("bull", L(&[(0, &[1, 2]), (1, &[2, 3]), (2, &[4])])),
    (
        "chvatal",
        L(&[
            (0, &[1, 4, 6, 9]),
            (1, &[2, 5, 7]),
            (2, &[3, 6, 8]),
            (3, &[4, 7, 9]),
            (4, &[5, 8]),
            (5, &[10, 11]),
            (6, &[10, 11]),
            (7, &[8, 11]),
            (8, &[10]),
            (9, &[10, 11]),
        ]),
    ),
    (
        "cubical",
        L(&[
            (0, &[1, 3, 4]),
            (1, &[2, 7]),
            (2, &[3, 6]),
            (3, &[5]),
            (4, &[5, 7]),
            (5, &[6]),
            (6, &[7]),
        ]),
    ),
    ("desargues", Lcf(20, &[5, -5, 9, -9])),
    ("diamond", L(&[(0, &[1, 2]), (1, &[2, 3]), (2, &[3])])),
    ("dodecahedral", Lcf(20, &[10, 7, 4, -4, -7, 10, -4, 7, -7, 4])),
    (
        "frucht",
        L(&[
            (0, &[1, 6, 7]),
            (1, &[2, 7]),
            (2, &[3, 8]),
            (3, &[4, 9]),
            (4, &[5, 9]),
            (5, &[6, 10]),
            (6, &[10]),
            (7, &[11]),
            (8, &[9, 11]),
            (9, &[]),
            (10, &[11]),
        ]),
    ),
    ("heawood", Lcf(14, &[5, -5])),
    ("house", L(&[(0, &[1, 2]), (1, &[3]), (2, &[3, 4]), (3, &[4])])),
    ("house_x", L(&[(0, &[1, 2, 3]), (1, &[2, 3]), (2, &[3, 4]), (3, &[4])])),
    (
        "icosahedral",
        L(&[
            (0, &[1, 5, 7, 8, 11]),
            (1, &[2, 5, 6, 8]),
            (2, &[3, 6, 8, 9]),
            (3, &[4, 6, 9, 10]),
            (4, &[5, 6, 10, 11]),
            (5, &[6, 11]),
            (7, &[8, 9, 10, 11]),
            (8, &[9]),
            (9, &[10]),
            (10, &[11]),
        ]),
    ),
    (
        "krackhardt_kite",
        L(&[
            (0, &[1, 2, 3, 5]),
            (1, &[3, 4, 6]),
            (2, &[3, 5]),
            (3, &[4, 5, 6]),
            (4, &[6]),
            (5, &[6, 7]),
            (6, &[7]),
            (7, &[8]),
            (8, &[9]),
        ]),
    ),
    ("moebius_kantor", Lcf(16, &[5, -5])),
    (
        "octahedral",
        L(&[(0, &[1, 2, 3, 4]), (1, &[2, 3, 5]), (2, &[4, 5]), (3, &[4, 5]), (4, &[5])]),
    ),
    ("pappus", Lcf(18, &[5, 7, -7, 7, -7, -5])),
    (
        "sedgewick_maze",
        L(&[
            (0, &[2, 5, 7]),
            (1, &[7]),
            (2, &[6]),
            (3, &[4, 5]),
            (4, &[5, 6, 7]),
            (5, &[]),
            (6, &[]),
            (7, &[]),
        ]),
    ),
    ("tetrahedral", Complete(4)),
    (
        "truncated_cube",
        L(&[
            (0, &[1, 2, 4]),
            (1, &[11, 14]),
            (2, &[3, 4]),
            (3, &[6, 8]),
            (4, &[5]),
            (5, &[16, 18]),
            (6, &[7, 8]),
            (7, &[10, 12]),
            (8, &[9]),
            (9, &[17, 20]),
            (10, &[11, 12]),
            (11, &[14]),
            (12, &[13]),
            (13, &[21, 22]),
            (14, &[15]),
            (15, &[19, 23]),
            (16, &[17, 18]),
            (17, &[20]),
            (18, &[19]),
            (19, &[23]),
            (20, &[21]),
            (21, &[22]),
            (22, &[23]),
        ]),
    ),
    (
        "truncated_tetrahedron",
        Path(12, &[(0, 2), (0, 9), (1, 6), (3, 11), (4, 11), (5, 7), (8, 10)]),
    ),
    (
        "tutte",
        L(&[
            (0, &[1, 2, 3]),
            (1, &[4, 26]),
            (2, &[10, 11]),
            (3, &[18, 19]),
            (4, &[5, 33]),
            (5, &[6, 29]),
            (6, &[7, 27]),
            (7, &[8, 14]),
            (8, &[9, 38]),
            (9, &[10, 37]),
            (10, &[39]),
            (11, &[12, 39]),
            (12, &[13, 35]),
            (13, &[14, 15]),
            (14, &[34]),
            (15, &[16, 22]),
            (16, &[17, 44]),
            (17, &[18, 43]),
            (18, &[45]),
            (19, &[20, 45]),
            (20, &[21, 41]),
            (21, &[22, 23]),
            (22, &[40]),
            (23, &[24, 27]),
            (24, &[25, 32]),
            (25, &[26, 31]),
            (26, &[33]),
            (27, &[28]),
            (28, &[29, 32]),
            (29, &[30]),
            (30, &[31, 33]),
            (31, &[32]),
            (34, &[35, 38]),
            (35, &[36]),
            (36, &[37, 39]),
            (37, &[38]),
            (40, &[41, 44]),
            (41, &[42]),
            (42, &[43, 45]),
            (43, &[44]),
        ]),
    ),
];

/// The names that [`named`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|(name, _)| *name)
}

/// A graph that has a name, such as `bull` or `tutte`; `None` for other names.
///
/// # Errors
/// None in practice; the signature is that of its siblings.
pub fn named(name: &str) -> Option<Result<Graph, GraphError>> {
    let (_, shape) = NAMED.iter().find(|(n, _)| *n == name)?;
    Some(match shape {
        L(lists) => from_lists(lists),
        Lcf(n, shifts) => lcf(*n, shifts),
        Path(n, edges) => path(*n).and_then(|mut graph| {
            for &(a, b) in *edges {
                graph.link(a, b)?;
            }
            Ok(graph)
        }),
        Complete(n) => complete(*n),
    })
}

fn from_lists(lists: Lists) -> Result<Graph, GraphError> {
    let mut graph = Graph::undirected();
    for (node, _) in lists {
        graph.ensure_node(*node)?;
    }
    for (node, neighbours) in lists {
        for neighbour in *neighbours {
            graph.link(*node, *neighbour)?;
        }
    }
    Ok(graph)
}
