//! Shortest paths.

use std::collections::VecDeque;

use kg::property::{EdgeId, NodeId};
use rustc_hash::FxHashMap;

use super::{Ran, Row, Run, fault};
use crate::ast::{PathPattern, Shortest};
use crate::error::{Cause, CypherErrorKind};
use crate::value::CypherValue;

/// How far a node is from the start, and the edges by which it was reached so.
struct Reached {
    distance: u64,
    by: Vec<(EdgeId, NodeId)>,
}

impl Run<'_, '_> {
    /// The edges of the shortest paths between the two ends of a pattern, which have values.
    /// Breadth-first: O(nodes + edges) for one path.
    pub(super) fn shortest(&self, path: &PathPattern, row: &mut Row) -> Ran<Vec<Vec<EdgeId>>> {
        let [first, last] = &path.nodes[..] else {
            let message = "a shortest path has two nodes and one relationship that repeats";
            return fault(CypherErrorKind::SyntaxError, Cause::InvalidRelationshipPattern, message);
        };
        let edge = &path.edges[0];
        let (CypherValue::Node(from), CypherValue::Node(to)) =
            (&row[first.variable.slot], &row[last.variable.slot])
        else {
            return Ok(Vec::new());
        };
        let (from, to) = (*from, *to);
        let (least, most) = edge.length.unwrap_or((1, Some(1)));
        if least > 1 {
            let message = "a shortest path begins with a length of 0 or 1";
            return fault(CypherErrorKind::SyntaxError, Cause::InvalidRelationshipPattern, message);
        }
        if from == to {
            // A way back to the start is none.
            return Ok(if least == 0 { vec![Vec::new()] } else { Vec::new() });
        }
        let mut reached: FxHashMap<NodeId, Reached> = FxHashMap::default();
        reached.insert(from, Reached { distance: 0, by: Vec::new() });
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            let distance = reached.get(&node).map_or(0, |there| there.distance);
            let is_far = reached.get(&to).is_some_and(|end| distance >= end.distance);
            if is_far || most.is_some_and(|most| distance >= most) {
                break;
            }
            for (id, other) in self.edges_at(node, edge, true, row)? {
                match reached.get_mut(&other) {
                    None => {
                        let by = vec![(id, node)];
                        reached.insert(other, Reached { distance: distance + 1, by });
                        queue.push_back(other);
                    }
                    Some(there) if there.distance == distance + 1 => there.by.push((id, node)),
                    Some(_) => {}
                }
            }
        }
        let mut paths = Vec::new();
        let mut n_edges = 0;
        let mut open = vec![(to, Vec::new())];
        while let Some((node, edges)) = open.pop() {
            let Some(there) = reached.get(&node) else { continue };
            if there.distance == 0 {
                n_edges += edges.len();
                paths.push(edges.iter().rev().copied().collect());
                if path.shortest == Some(Shortest::One) {
                    break;
                }
                self.shared.budget.length(n_edges)?;
                continue;
            }
            self.shared.budget.spend(there.by.len() * (1 + edges.len()))?;
            for (id, before) in there.by.iter().rev() {
                let mut edges = edges.clone();
                edges.push(*id);
                open.push((*before, edges));
            }
        }
        Ok(paths)
    }

    /// `shortestPath(…)` in an expression: a path, a list of paths, or null.
    pub(super) fn shortest_value(&self, path: &PathPattern, row: &mut Row) -> Ran<CypherValue> {
        let mut values = Vec::new();
        for edges in self.shortest(path, row)? {
            let edges = edges.into_iter().map(CypherValue::Edge).collect();
            row[path.edges[0].variable.slot] = CypherValue::list(edges);
            values.push(self.path_value(path, row));
        }
        Ok(match path.shortest {
            Some(Shortest::All) => CypherValue::list(values),
            _ => values.into_iter().next().unwrap_or(CypherValue::Null),
        })
    }
}
