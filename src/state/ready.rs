//! Graphs that everybody understands, ready to be asked about. All names are made up.

use draw::{LayoutKind, Places, Point};
use graph::{Delta, Graph, GraphError, NodeName};
use protocol::problem::ProblemView;
use tasks::TaskId;

/// What the number behind an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    None,
    Weights,
    Capacities,
}

/// A graph with its first question.
#[derive(Debug)]
pub struct ReadyGraph {
    /// Its name in addresses.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    is_directed: bool,
    numbers: Numbers,
    /// Edges with commas between them, each two names and a number where there are numbers.
    edges: &'static str,
    /// Places on a grid, each a name, a column and a row; none where a layout finds them.
    grid: &'static str,
    /// What is asked first, from where to where.
    asks: (TaskId, &'static str, &'static str),
}

/// The distance between neighbours on the grid, in units of the drawing.
const GRID: f64 = 100.0;

/// All of them, in the order in which they are offered.
pub static READY: &[ReadyGraph] = &[
    ReadyGraph {
        id: "metro",
        title: "Metro with three lines, in minutes",
        is_directed: false,
        numbers: Numbers::Weights,
        edges: "Harbour Market 3, Market Castle 2, Castle Central 2, Central Museum 3, Museum Airport 6, \
                Zoo Gardens 2, Gardens Central 4, Central Stadium 3, Stadium Lake 4, \
                Mill Castle 4, Castle Gardens 3, Mill Bridge 2, Bridge Stadium 5, Museum Summit 4, \
                Stadium Summit 2",
        grid: "Harbour 0 1, Market 1 1, Castle 2 1, Central 3 1.4, Museum 4 1, Airport 5.4 1, Zoo 2 -1, \
               Gardens 3 0, Stadium 4 2.5, Lake 5.4 3, Mill 1 2.5, Bridge 2.5 3, Summit 5 2",
        asks: (TaskId::ShortestPath, "Harbour", "Summit"),
    },
    ReadyGraph {
        id: "ring",
        title: "Ring line with a branch, in minutes",
        is_directed: false,
        numbers: Numbers::Weights,
        edges: "North Elm 3, Elm East 2, East Dock 4, Dock South 3, South Forge 2, Forge West 5, West Hill 2, \
                Hill North 3, South College 4, College Orchard 3, Hill Dock 9",
        grid: "North 2 0, Elm 3.2 0.5, East 4 1.5, Dock 3.2 2.6, South 2 3, Forge 0.8 2.6, West 0 1.5, \
               Hill 0.8 0.5, College 2 4.1, Orchard 3.2 4.4",
        asks: (TaskId::ShortestPath, "West", "East"),
    },
    ReadyGraph {
        id: "closed",
        title: "Metro with a closed tunnel",
        is_directed: false,
        numbers: Numbers::None,
        edges: "Airport Fair, Fair Depot, Depot Station, Station Theatre, Theatre Fair, Palace River, \
                River Gate, Gate Abbey, Abbey Palace, River Island",
        grid: "Airport 0 0, Fair 1 0.3, Depot 2 0, Station 2.4 1, Theatre 1.4 1.3, Palace 3.8 0.6, \
               River 4.8 0.4, Gate 4.9 1.5, Abbey 3.8 1.6, Island 5.9 0.2",
        asks: (TaskId::Connectivity, "Airport", "Palace"),
    },
    ReadyGraph {
        id: "friends",
        title: "A circle of friends",
        is_directed: false,
        numbers: Numbers::None,
        edges: "Ada Ben, Ada Cleo, Ben Cleo, Cleo Dan, Dan Eva, Eva Finn, Dan Finn, Gus Hana, Hana Ivo, \
                Eva Jun, Jun Kim, Finn Kim",
        grid: "",
        asks: (TaskId::Connectivity, "Ada", "Kim"),
    },
    ReadyGraph {
        id: "courses",
        title: "Course plan: what comes before what",
        is_directed: true,
        numbers: Numbers::None,
        edges: "Numbers Algebra, Algebra Calculus, Numbers Logic, Logic Coding, \
                Coding Sorting, Logic Sorting, Calculus Physics, Algebra Chance, \
                Coding Chance, Chance Learning, Sorting Learning",
        grid: "",
        asks: (TaskId::Topology, "Numbers", "Learning"),
    },
    ReadyGraph {
        id: "house",
        title: "Building a house: a schedule of tasks",
        is_directed: true,
        numbers: Numbers::None,
        edges: "Permit Base, Base Walls, Walls Roof, Walls Windows, Roof Wiring, Windows Plaster, \
                Wiring Plaster, Roof Pipes, Pipes Plaster, Plaster Paint, Paint Moving, \
                Permit Garden, Garden Moving",
        grid: "",
        asks: (TaskId::Topology, "Permit", "Moving"),
    },
    ReadyGraph {
        id: "power",
        title: "Power grid: does a ring keep the lights on?",
        is_directed: false,
        numbers: Numbers::None,
        edges: "Dam Ridge, Ridge Valley, Valley Town, Town Wind, Wind Coast, Coast Port, Town Factory, \
                Factory Quarry, Quarry Port, Valley Village",
        grid: "",
        asks: (TaskId::Cycle, "Dam", "Village"),
    },
    ReadyGraph {
        id: "family",
        title: "Family tree, from parents to children",
        is_directed: true,
        numbers: Numbers::None,
        edges: "Rosa Carl, Otto Carl, Rosa Dora, Otto Dora, Carl Nils, Mia Nils, Carl Lena, Mia Lena, \
                Dora Theo, Paul Theo, Lena Ines, Jan Ines",
        grid: "",
        asks: (TaskId::Topology, "Rosa", "Ines"),
    },
    ReadyGraph {
        id: "food",
        title: "Food web, from the eaten to the eater",
        is_directed: true,
        numbers: Numbers::None,
        edges: "Grass Hare, Grass Mouse, Grass Deer, Seeds Mouse, Seeds Finch, Hare Fox, Mouse Fox, Mouse Owl, \
                Finch Hawk, Finch Owl, Deer Wolf, Hare Wolf, Hare Hawk",
        grid: "",
        asks: (TaskId::DirectedCycle, "Grass", "Wolf"),
    },
    ReadyGraph {
        id: "water",
        title: "Water pipes, in litres a second",
        is_directed: true,
        numbers: Numbers::Capacities,
        edges: "Spring Weir 8, Spring Pump 7, Weir Basin 4, Weir Canal 5, Pump Canal 3, Pump Tank 5, \
                Basin Tower 6, Canal Basin 2, Canal Tower 5, Tank Tower 4",
        grid: "Spring 0 1, Weir 1.2 0.2, Pump 1.2 1.8, Canal 2.4 1, Basin 3.4 0.1, Tank 3.2 2, Tower 4.6 1",
        asks: (TaskId::Flow, "Spring", "Tower"),
    },
    ReadyGraph {
        id: "museum",
        title: "Museum: a walk through every room once",
        is_directed: false,
        numbers: Numbers::None,
        edges: "Entrance Coins, Entrance Maps, Coins Masks, Maps Masks, Masks Clocks, Clocks Fossils, \
                Maps Minerals, Minerals Fossils, Fossils Whale, Clocks Whale, Whale Shop, Minerals Shop",
        grid: "Entrance 0 1, Coins 1 0, Maps 1 2, Masks 2 0.9, Clocks 3 0, Minerals 3 2.2, Fossils 3.4 1.1, \
               Whale 4.4 0.5, Shop 4.6 1.8",
        asks: (TaskId::Hamilton, "Entrance", "Shop"),
    },
    ReadyGraph {
        id: "exams",
        title: "Exams that pupils share, to be put into slots",
        is_directed: false,
        numbers: Numbers::None,
        edges: "Biology Drama, Biology History, Drama Physics, Drama Latin, Physics Music, \
                History Latin, History Art, Latin Music, Art Music, Biology Latin",
        grid: "",
        asks: (TaskId::Coloring, "Biology", "Music"),
    },
];

impl ReadyGraph {
    /// The one of a name in an address.
    pub fn find(id: &str) -> Option<&'static Self> {
        READY.iter().find(|ready| ready.id == id)
    }

    fn graph(&self) -> Result<Graph, GraphError> {
        let mut graph = if self.is_directed { Graph::directed() } else { Graph::undirected() };
        if self.numbers == Numbers::Weights {
            graph.apply(&Delta::Create { directed: self.is_directed, weighted: true })?;
        }
        for edge in self.edges.split(',') {
            let mut words = edge.split_whitespace();
            let (Some(source), Some(target)) = (words.next(), words.next()) else { continue };
            let (source, target) = (NodeName::from(source), NodeName::from(target));
            for node in
                [&source, &target].into_iter().filter(|n| !graph.has_node(n)).collect::<Vec<_>>()
            {
                graph.apply(&Delta::AddNode { node: node.clone() })?;
            }
            let number = words.next().and_then(|number| number.parse().ok());
            let (weight, capacity) = match self.numbers {
                Numbers::Capacities => (None, number),
                _ => (number, None),
            };
            graph.apply(&Delta::AddEdge { source, target, weight, capacity })?;
        }
        Ok(graph)
    }

    fn on_grid(&self) -> Places {
        let place = |words: &str| {
            let mut words = words.split_whitespace();
            let name = NodeName::from(words.next()?);
            let mut number = || Some(GRID * words.next()?.parse::<f64>().ok()?);
            Some((name, Point { x: number()?, y: number()? }))
        };
        self.grid.split(',').filter_map(place).collect::<Vec<_>>().into()
    }

    /// The problem; its question is yet to be put into words.
    pub fn problem(&self) -> Option<ProblemView> {
        let graph = self.graph().ok()?;
        let (task, from, to) = self.asks;
        let query = task.between(&graph, from.into(), to.into())?;
        let on_grid = self.on_grid();
        let layout = if self.grid.is_empty() { draw::suited(&graph) } else { LayoutKind::Force };
        Some(ProblemView {
            task,
            difficulty: None,
            seed: None,
            places: draw::layout(&graph, layout, 1, &on_grid),
            graph,
            query,
            question: String::new(),
            layout,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tasks::{Problem, Style, Verdict, Wording, parse_question};

    use super::*;

    #[test]
    fn each_can_be_asked_its_first_question_and_is_read_back_from_its_words() {
        assert!(READY.len() >= 12);
        let ids: BTreeSet<&str> = READY.iter().map(|ready| ready.id).collect();
        assert_eq!(ids.len(), READY.len());
        for ready in READY {
            let view = ready.problem().unwrap();
            assert_eq!(ReadyGraph::find(ready.id).unwrap().title, ready.title);
            assert_eq!(view.graph.n_edges(), ready.edges.split(',').count(), "{}", ready.id);
            let suited = TaskId::suited(&view.graph);
            assert!(suited.iter().any(|query| query.task() == view.task), "{}", ready.id);
            let problem =
                Problem { graph: view.graph, query: view.query, difficulty: None, seed: None };
            let question = problem.question(Wording::Improved, Style::ZeroShot);
            let read = parse_question(&question).unwrap();
            assert_eq!(read.graph, problem.graph, "{}: {question}", ready.id);
            assert_eq!(read.query, problem.query, "{}: {question}", ready.id);
            let right = tasks::reference_text(&problem, &tasks::solve(&problem));
            assert_eq!(tasks::verify(&problem, &right).verdict, Verdict::Correct, "{right}");
        }
    }

    #[test]
    fn a_grid_has_every_node_once_and_none_on_another() {
        for ready in READY.iter().filter(|ready| !ready.grid.is_empty()) {
            let (view, places) = (ready.problem().unwrap(), ready.on_grid());
            assert_eq!(ready.grid.split(',').count(), view.graph.n_nodes(), "{}", ready.id);
            let at: Vec<Point> = view.graph.names().map(|name| places.get(name).unwrap()).collect();
            for (i, one) in at.iter().enumerate() {
                assert!(at[..i].iter().all(|two| one.distance(*two) > 80.0), "{}", ready.id);
            }
        }
    }
}
