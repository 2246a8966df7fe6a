//! Editing a graph by hand, with undo: the graph is the fold of its deltas, so undo is one delta
//! less.

use graph::{Delta, Graph, GraphError, NodeName};
use tasks::Query;

/// A change, with the question as it was before.
type Change = (Vec<Delta>, Query);

/// A graph that a person edits.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    base: Graph,
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl Editor {
    /// Starts from a graph.
    pub fn new(base: Graph) -> Self {
        Self { base, done: Vec::new(), undone: Vec::new() }
    }

    /// The graph as it stands.
    pub fn graph(&self) -> Graph {
        let mut graph = self.base.clone();
        for delta in self.done.iter().flat_map(|(deltas, _)| deltas) {
            // Each was applied when it was made.
            let _ = graph.apply(delta);
        }
        graph
    }

    /// Makes a change of one or more deltas that are undone together, and with them what `asked` is: a
    /// question about a node that is deleted has to name another.
    ///
    /// # Errors
    /// A delta does not fit; nothing is changed then.
    pub fn change(&mut self, deltas: Vec<Delta>, asked: Query) -> Result<Graph, GraphError> {
        let mut graph = self.graph();
        for delta in &deltas {
            graph.apply(delta)?;
        }
        self.done.push((deltas, asked));
        self.undone.clear();
        Ok(graph)
    }

    /// Takes the last change back: the graph and the question before it.
    pub fn undo(&mut self) -> Option<(Graph, Query)> {
        let last = self.done.pop()?;
        let asked = last.1.clone();
        self.undone.push(last);
        Some((self.graph(), asked))
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self) -> Option<Graph> {
        self.done.push(self.undone.pop()?);
        Some(self.graph())
    }

    /// Whether there is something to undo, and to redo.
    pub fn can(&self) -> (bool, bool) {
        (!self.done.is_empty(), !self.undone.is_empty())
    }
}

/// The next free name in a graph: the least whole number that is not taken, or, in a matching
/// problem, the next applicant or job.
pub fn free_name(graph: &Graph, side: Option<char>) -> NodeName {
    (0..)
        .map(|i: usize| match side {
            Some(letter) => NodeName::from(format!("{letter}{i}")),
            None => NodeName::from(i),
        })
        .find(|name| !graph.has_node(name))
        .unwrap_or_else(|| NodeName::from(graph.n_nodes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(node: &str) -> Vec<Delta> {
        vec![Delta::AddNode { node: node.into() }]
    }

    #[test]
    fn undo_and_redo_walk_the_same_way() {
        let mut editor = Editor::new(Graph::undirected());
        editor.change(add("Tom"), Query::Cycle(tasks::Whole)).unwrap();
        editor.change(add("Katy"), Query::Topology(tasks::Whole)).unwrap();
        let (graph, asked) = editor.undo().unwrap();
        assert_eq!((graph.n_nodes(), asked), (1, Query::Topology(tasks::Whole)));
        assert_eq!(editor.redo().unwrap().n_nodes(), 2);
        editor.undo();
        editor.change(add("Paul"), Query::Cycle(tasks::Whole)).unwrap();
        assert_eq!(editor.can(), (true, false), "a new change ends what could be redone");
        assert!(editor.graph().has_node(&"Paul".into()));
    }

    #[test]
    fn a_change_that_does_not_fit_changes_nothing() {
        let mut editor = Editor::new(Graph::undirected());
        editor.change(add("Tom"), Query::Cycle(tasks::Whole)).unwrap();
        let both =
            vec![Delta::AddNode { node: "Katy".into() }, Delta::AddNode { node: "Tom".into() }];
        assert!(editor.change(both, Query::Cycle(tasks::Whole)).is_err());
        assert_eq!(editor.graph().n_nodes(), 1);
        assert_eq!(editor.can(), (true, false));
    }

    #[test]
    fn free_names_fill_gaps() {
        let mut graph = Graph::undirected();
        graph.link(0usize, 2usize).unwrap();
        assert_eq!(free_name(&graph, None), NodeName::from(1usize));
        assert_eq!(free_name(&graph, Some('j')), NodeName::from("j0"));
    }
}
