//! The list of tasks, and what follows from it: names, queries, answers, and who does what.
//!
//! A task is a [`Definition`] in a file of its own, a judge in another, and a line in [`tasks!`] at
//! the end of this file.

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::definition::{Asked, EdgeNumber, Slip, Speech, TaskGroup};
use crate::judgement::Evidence;
use crate::parse::Cursor;
use crate::query::Shape as _;
use crate::reading::Reading;
use crate::{Difficulty, Judgement, ParseError, Problem, Style, UnknownTask, Verdict, Wording};

/// A family of problems, as lists and forms need it.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The id, which files and addresses have.
    pub id: TaskId,
    /// A few words for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The levels that the benchmark has for it.
    pub difficulties: &'static [Difficulty],
}

impl Task {
    /// A problem, the same for the same seed on every machine.
    ///
    /// A level that the task does not have gives its easiest.
    pub fn generate(&self, difficulty: Difficulty, seed: u64) -> Problem {
        let difficulty =
            if self.difficulties.contains(&difficulty) { difficulty } else { Difficulty::Easy };
        // Task and level are mixed in so that one seed does not give the same graph everywhere.
        let stream = (self.id as u64) << 8 | difficulty as u64;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let (graph, query) = self.id.make(difficulty, &mut rng);
        Problem { difficulty: Some(difficulty), seed: Some(seed), graph, query }
    }
}

/// The task of that name.
pub fn task(id: TaskId) -> &'static Task {
    // Both stand in the order of the list.
    &TASKS[id as usize]
}

impl std::fmt::Display for TaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TaskId {
    /// The task of that name, whatever its case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str().eq_ignore_ascii_case(name))
    }

    /// The questions that make sense for a graph, the most telling first: those about the numbers
    /// on its edges, where it has some.
    pub fn suited(graph: &Graph) -> Vec<Query> {
        let ends = graph.names().next().zip(graph.names().last()).filter(|(a, b)| a != b);
        let Some((first, last)) = ends else { return Vec::new() };
        let has_numbers = |task: &Self| match task.edge_number() {
            EdgeNumber::Unused => true,
            EdgeNumber::Weight => graph.is_weighted(),
            EdgeNumber::Capacity => {
                graph.is_weighted() || graph.edges().any(|edge| edge.capacity.is_some())
            }
        };
        let mut list: Vec<Query> = Self::ALL
            .into_iter()
            .filter(|task| task.is_directed() == graph.is_directed() && has_numbers(task))
            .filter_map(|task| task.between(graph, first.clone(), last.clone()))
            .filter(|query| query.check(graph).is_ok())
            .collect();
        list.sort_by_key(|query| query.task().edge_number() == EdgeNumber::Unused);
        list
    }

    /// The tasks of a list of names, in the order of [`TASKS`], each once. A group's name is all of
    /// its tasks, and `all` is NLGraph's eight: the published tables are about these.
    ///
    /// # Errors
    /// The first name that is neither a task's nor a group's.
    pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Self>, UnknownTask> {
        let mut tasks = Vec::new();
        for name in names {
            match (name, Self::from_name(name)) {
                ("all", _) => tasks.extend(TaskGroup::NlGraph.tasks()),
                (_, Some(task)) => tasks.push(task),
                _ => {
                    let group = TaskGroup::ALL.into_iter().find(|group| group.as_str() == name);
                    let group = group.ok_or_else(|| UnknownTask { name: name.to_owned() })?;
                    tasks.extend(group.tasks());
                }
            }
        }
        tasks.sort_unstable();
        tasks.dedup();
        Ok(tasks)
    }

    /// The names of all tasks, for messages.
    pub fn names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl TaskGroup {
    /// Its tasks, in the benchmark's order.
    pub fn tasks(self) -> impl Iterator<Item = TaskId> + Clone {
        TaskId::ALL.into_iter().filter(move |task| task.group() == self)
    }
}

/// Makes everything of the list of tasks that is the same for each. A line has the module of the
/// task's definition, its name here, its name in files, and the name of its query and answer there.
macro_rules! tasks {
    ($($group:ident::$file:ident => $Task:ident $name:literal $kind:literal,)+) => {
        /// Which task a problem belongs to. The names in files are those of the benchmarks.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum TaskId {
            $(
                #[doc = concat!("`", $name, "`; [`TaskId::lede`] says what it asks.")]
                #[serde(rename = $name)]
                $Task,
            )+
        }

        /// What is asked about a graph.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum Query {
            $(
                #[doc = concat!("`", $kind, "`, the question of [`TaskId::", stringify!($Task), "`].")]
                #[serde(rename = $kind)]
                $Task(crate::$group::$file::Query),
            )+
        }

        /// An answer to a problem: our own, or what a text was read to say.
        ///
        /// Parts that a text does not state are empty or `None`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum Answer {
            $(
                #[doc = concat!("`", $kind, "`, to [`TaskId::", stringify!($Task), "`].")]
                #[serde(rename = $kind)]
                $Task(crate::$group::$file::Answer),
            )+
        }

        /// What answers say, task by task.
        pub mod answers {
            $(pub use crate::$group::$file::Answer as $Task;)+
        }

        /// Every task: the benchmarks one after the other, each in its own order.
        pub static TASKS: &[Task] = &[
            $(Task {
                id: TaskId::$Task,
                title: crate::$group::$file::TASK.title,
                lede: crate::$group::$file::TASK.lede,
                difficulties: crate::$group::$file::TASK.difficulties,
            },)+
        ];

        /// What a page that only lists tasks needs, so each takes one field: the algorithms of the
        /// others are not linked to it.
        impl TaskId {
            /// All tasks, in the order of [`TASKS`].
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Task),+];

            /// The benchmark's name of the task.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$Task => $name,)+ }
            }

            /// A few words for people.
            pub fn title(self) -> &'static str {
                match self { $(Self::$Task => crate::$group::$file::TASK.title,)+ }
            }

            /// One sentence for people.
            pub fn lede(self) -> &'static str {
                match self { $(Self::$Task => crate::$group::$file::TASK.lede,)+ }
            }

            /// The benchmark that it is of.
            pub fn group(self) -> TaskGroup {
                match self { $(Self::$Task => crate::$group::$file::TASK.group,)+ }
            }

            /// The levels that the benchmark has for it.
            pub fn difficulties(self) -> &'static [Difficulty] {
                match self { $(Self::$Task => crate::$group::$file::TASK.difficulties,)+ }
            }

            /// Whether its graphs are directed.
            pub fn is_directed(self) -> bool {
                match self { $(Self::$Task => crate::$group::$file::TASK.is_directed,)+ }
            }

            /// What the numbers on the edges of its graphs are.
            pub fn edge_number(self) -> EdgeNumber {
                match self { $(Self::$Task => crate::$group::$file::TASK.edge_number,)+ }
            }

            /// The graph functions whose result answers the task, or decides it; the first is the
            /// one that is made for it.
            pub fn answering(self) -> &'static [&'static str] {
                match self { $(Self::$Task => crate::$group::$file::TASK.functions.answering,)+ }
            }

            /// How a question of it may begin.
            pub(crate) fn openings(self) -> &'static [&'static str] {
                match self { $(Self::$Task => crate::$group::$file::TASK.openings,)+ }
            }

            /// Words that its question has, where an opening is shared.
            pub(crate) fn question_words(self) -> &'static [&'static str] {
                match self { $(Self::$Task => crate::$group::$file::TASK.question_words,)+ }
            }

            /// Words that only its question has once the graph is taken out.
            pub(crate) fn asks(self) -> &'static str {
                match self { $(Self::$Task => crate::$group::$file::TASK.asks,)+ }
            }

            pub(crate) fn algorithm(self) -> &'static str {
                match self { $(Self::$Task => crate::$group::$file::TASK.algorithm,)+ }
            }

            pub(crate) fn n_exemplars(self) -> u64 {
                match self { $(Self::$Task => crate::$group::$file::TASK.n_exemplars,)+ }
            }

            pub(crate) fn speech(self) -> Speech {
                match self { $(Self::$Task => crate::$group::$file::TASK.speech,)+ }
            }

            fn make(self, difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
                match self {
                    $(Self::$Task => {
                        let (graph, query) = (crate::$group::$file::TASK.make)(difficulty, rng);
                        (graph, Query::$Task(query))
                    })+
                }
            }

            /// Reads a question of this task; the cursor stands at its opening.
            pub(crate) fn parse(
                self,
                cursor: &mut Cursor<'_>,
            ) -> Result<(Graph, Query), ParseError> {
                match self {
                    $(Self::$Task => {
                        let read = (crate::$group::$file::TASK.parse)(cursor)?;
                        Ok((read.graph, Query::$Task(read.query)))
                    })+
                }
            }

            /// The question about a graph with these as the first and last node; `None` where a
            /// graph and two nodes are not enough to ask it.
            pub fn between(self, graph: &Graph, first: NodeName, last: NodeName) -> Option<Query> {
                match self {
                    $(Self::$Task => {
                        <crate::$group::$file::Query>::between(graph, first, last).map(Query::$Task)
                    })+
                }
            }

            /// Reads the question out of words that come without the graph.
            pub(crate) fn in_words(self, words: &str) -> Option<Query> {
                match self {
                    $(Self::$Task => {
                        <crate::$group::$file::Query>::in_words(words).map(Query::$Task)
                    })+
                }
            }

            /// Reads the question out of a logged line.
            pub(crate) fn logged(
                self,
                query: &Value,
                parties: (usize, usize),
            ) -> Result<Query, String> {
                match self {
                    $(Self::$Task => {
                        <crate::$group::$file::Query>::logged(query, parties).map(Query::$Task)
                    })+
                }
            }
        }

        impl Query {
            /// The task that asks it.
            pub fn task(&self) -> TaskId {
                match self { $(Self::$Task(_) => TaskId::$Task,)+ }
            }

            /// Whether it is asked about directed graphs.
            pub fn is_directed(&self) -> bool {
                self.task().is_directed()
            }

            /// The two nodes that it names, the start first; one twice where it names one.
            pub fn ends(&self) -> Option<(&NodeName, &NodeName)> {
                match self { $(Self::$Task(query) => query.ends(),)+ }
            }

            /// The same question about two other nodes; a query that names none stays as it is.
            pub fn with_ends(&self, from: NodeName, to: NodeName) -> Self {
                match self { $(Self::$Task(query) => Self::$Task(query.with_ends(from, to)),)+ }
            }

            /// Whether it names one node alone, where it starts.
            pub fn has_one_end(&self) -> bool {
                let of_two = self.with_ends(NodeName::from(0_usize), NodeName::from(1_usize));
                of_two.ends().is_some_and(|(first, second)| first == second)
            }

            /// Counts again what it says of the graph, after the graph was edited.
            pub fn follow(&mut self, graph: &Graph) {
                match self { $(Self::$Task(query) => query.follow(graph),)+ }
            }

            /// Whether it can be asked about a graph.
            ///
            /// # Errors
            /// What does not fit, as it goes on after "the query".
            pub fn check(&self, graph: &Graph) -> Result<(), String> {
                match self {
                    $(Self::$Task(query) => {
                        query.check(graph)?;
                        (crate::$group::$file::TASK.fits)(Asked { graph, query })
                    })+
                }
            }

            /// What has to be said of the graph where its edges are elsewhere.
            pub(crate) fn beside(&self) -> String {
                match self { $(Self::$Task(query) => query.beside(),)+ }
            }

            /// What it asks for, in a sentence.
            pub fn goal(&self) -> String {
                match self {
                    $(Self::$Task(query) => (crate::$group::$file::TASK.functions.goal)(query),)+
                }
            }

            /// The graph function that answers it, with its arguments.
            pub fn function(&self) -> (&'static str, Value) {
                match self {
                    $(Self::$Task(query) => (self.task().answering()[0], query.arguments()),)+
                }
            }

            /// A function of much the same name or use, which does not answer it.
            pub fn similar_function(&self) -> (&'static str, Value) {
                match self {
                    $(Self::$Task(query) => (crate::$group::$file::TASK.functions.similar)(query),)+
                }
            }

            /// The answer that a result of [`Query::function`] gives; `None` if it is the result of
            /// some other function.
            pub fn answer_of(&self, result: &Value) -> Option<Answer> {
                match self {
                    $(Self::$Task(_) => {
                        (crate::$group::$file::TASK.functions.result)(result).map(Answer::$Task)
                    })+
                }
            }
        }

        impl Answer {
            /// What a vote counts: the decision, the number or the order, without the witness,
            /// since two right answers may show different paths. Empty if the text said none.
            ///
            /// Paper: Graph-Grounded LLMs §IV (self-consistency through majority voting); what
            /// counts as the same answer, the paper does not say.
            pub fn ballot(&self) -> String {
                match self {
                    $(Self::$Task(answer) => (crate::$group::$file::TASK.ballot)(answer),)+
                }
            }
        }

        impl Problem {
            pub(crate) fn ask(&self, wording: Wording, style: Style, out: &mut String) {
                let graph = &self.graph;
                match &self.query {
                    $(Query::$Task(query) => {
                        (crate::$group::$file::TASK.ask)(Asked { graph, query }, wording, style, out);
                    })+
                }
            }

            pub(crate) fn solve(&self) -> Answer {
                let graph = &self.graph;
                match &self.query {
                    $(Query::$Task(query) => {
                        Answer::$Task((crate::$group::$file::TASK.solve)(Asked { graph, query }))
                    })+
                }
            }

            /// An answer in the benchmark's words, without reasons or with them; empty if it
            /// answers another kind of question.
            pub(crate) fn reference(&self, answer: &Answer, reasoned: bool) -> String {
                let graph = &self.graph;
                match (&self.query, answer) {
                    $((Query::$Task(query), Answer::$Task(answer)) => {
                        let task = crate::$group::$file::TASK;
                        let words = if reasoned { task.reasoned } else { task.reference };
                        words(Asked { graph, query }, answer)
                    })+
                    _ => String::new(),
                }
            }

            pub(crate) fn read(&self, reading: &Reading) -> Option<Answer> {
                let graph = &self.graph;
                match &self.query {
                    $(Query::$Task(query) => {
                        (crate::$group::$file::TASK.read)(Asked { graph, query }, reading)
                            .map(Answer::$Task)
                    })+
                }
            }

            pub(crate) fn judge(&self, answer: &Answer, evidence: Evidence) -> Judgement {
                let graph = &self.graph;
                let is_wanted = evidence.is_wanted();
                let mut judgement = match (&self.query, answer) {
                    $((Query::$Task(query), Answer::$Task(answer)) => {
                        (crate::$group::$file::TASK.judge)(Asked { graph, query }, answer, evidence)
                    })+
                    _ => Judgement::new(
                        Verdict::Incorrect,
                        evidence,
                        "This answers another kind of question.",
                    ),
                };
                if is_wanted && judgement.verdict != Verdict::NoAnswer {
                    judgement.answer = Some(answer.clone());
                }
                judgement
            }

            /// What of an answer is the same in all right answers, in words; an answer to another
            /// kind of question says so.
            pub(crate) fn unique(&self, answer: &Answer) -> String {
                let graph = &self.graph;
                match (&self.query, answer) {
                    $((Query::$Task(query), Answer::$Task(answer)) => {
                        (crate::$group::$file::TASK.unique)(Asked { graph, query }, answer)
                    })+
                    _ => "another kind of answer".into(),
                }
            }

            /// Makes an answer wrong, and gives the words with which a model would have got there,
            /// if there are any. An answer to another kind of question stays as it is.
            pub fn slip(&self, answer: &mut Answer, slip: &Slip) -> Option<String> {
                let graph = &self.graph;
                match (&self.query, answer) {
                    $((Query::$Task(query), Answer::$Task(answer)) => {
                        (crate::$group::$file::TASK.slip)(Asked { graph, query }, answer, slip)
                    })+
                    _ => None,
                }
            }
        }
    };
}

tasks! {
    nlgraph::connectivity => Connectivity "connectivity" "connectivity",
    nlgraph::cycle => Cycle "cycle" "cycle",
    nlgraph::topology => Topology "topology" "topological_sort",
    nlgraph::shortest_path => ShortestPath "shortest_path" "shortest_path",
    nlgraph::flow => Flow "flow" "max_flow",
    nlgraph::matching => Matching "matching" "matching",
    nlgraph::hamilton => Hamilton "hamilton" "hamilton_path",
    nlgraph::gnn => Gnn "GNN" "convolution",
    graphwiz::triplet => Triplet "triplet" "triplet",
    graphwiz::bipartite => Bipartite "bipartite" "bipartite",
    graphwiz::substructure => Substructure "substructure" "substructure",
    graphwiz::hamiltonian => Hamiltonian "hamiltonian" "hamiltonian",
    graph_arena::common_neighbors => CommonNeighbors "neighbor" "common_neighbors",
    graph_arena::distance => Distance "distance" "hop_path",
    graph_arena::components => Components "connected" "components",
    graph_arena::diameter => Diameter "diameter" "diameter",
    graph_arena::max_clique => MaxClique "MCP" "max_clique",
    graph_arena::independent_set => IndependentSet "MIS" "independent_set",
    graph_arena::vertex_cover => VertexCover "MVC" "vertex_cover",
    graph_arena::common_subgraph => CommonSubgraph "MCS" "common_subgraph",
    graph_arena::edit_distance => EditDistance "GED" "edit_distance",
    graph_arena::tour => Tour "TSP" "tour",
    graph_instruct::directed_cycle => DirectedCycle "directed_cycle" "directed_cycle",
    graph_instruct::bfs_order => BfsOrder "bfs_order" "bfs_order",
    graph_instruct::dfs_order => DfsOrder "dfs_order" "dfs_order",
    gracore::coloring => Coloring "coloring" "coloring",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_stands_in_its_place_and_has_words() {
        for id in TaskId::ALL {
            let task = task(id);
            assert_eq!(task.id, id);
            assert!(!task.lede.is_empty() && task.lede.ends_with(['.', '?']));
            assert!(task.difficulties.contains(&Difficulty::Easy));
            assert_eq!(serde_json::to_value(id).ok(), Some(id.as_str().into()));
            assert_eq!(TaskId::from_name(&id.as_str().to_uppercase()), Some(id));
        }
        let grouped: Vec<TaskId> = TaskGroup::ALL.into_iter().flat_map(TaskGroup::tasks).collect();
        assert_eq!(grouped, TaskId::ALL, "every task is of a group, and groups stay together");
    }

    #[test]
    fn a_list_of_names_may_have_groups() {
        let eight: Vec<TaskId> = TaskGroup::NlGraph.tasks().collect();
        assert_eq!(eight.len(), 8);
        assert_eq!(TaskId::listed(["all"]).unwrap(), eight);
        assert_eq!(TaskId::listed(["GNN", "nlgraph", "cycle"]).unwrap(), eight);
        let wrong = TaskId::listed(["cycle", "chess"]).unwrap_err().to_string();
        assert!(wrong.starts_with("unknown task \"chess\"; expected connectivity, "), "{wrong}");
    }

    /// Files that were written before have these names.
    #[test]
    fn queries_and_answers_are_written_as_they_ever_were() {
        let lines = [
            r#"{"kind":"connectivity","source":0,"target":"b"}"#,
            r#"{"kind":"cycle"}"#,
            r#"{"kind":"topological_sort"}"#,
            r#"{"kind":"shortest_path","source":0,"target":1}"#,
            r#"{"kind":"max_flow","source":0,"sink":1}"#,
            r#"{"kind":"matching","n_applicants":3,"n_jobs":2}"#,
            r#"{"kind":"hamilton_path"}"#,
            r#"{"kind":"convolution","layers":2}"#,
        ];
        for (line, task) in lines.into_iter().zip(TaskId::ALL) {
            let query: Query = serde_json::from_str(line).unwrap();
            assert_eq!(query.task(), task);
            assert_eq!(serde_json::to_string(&query).unwrap(), line);
        }
        let lines = [
            r#"{"kind":"connectivity","connected":true,"path":[0,1]}"#,
            r#"{"kind":"cycle","has_cycle":true,"edges":[[0,1],[1,0]]}"#,
            r#"{"kind":"topological_sort","possible":true,"order":[1,0]}"#,
            r#"{"kind":"shortest_path","path":[0,1],"others":[[0,2,1]],"total":3.0}"#,
            r#"{"kind":"max_flow","value":7.0,"flows":[{"source":0,"target":1,"amount":7.0}]}"#,
            r#"{"kind":"matching","pairs":[["a0","j1"]],"count":1}"#,
            r#"{"kind":"hamilton_path","exists":false}"#,
            r#"{"kind":"convolution","rows":[[0,[1.0,2.0]]]}"#,
        ];
        for line in lines {
            let answer: Answer = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&answer).unwrap(), line);
        }
    }
}
