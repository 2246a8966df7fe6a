//! Templates of sentences in our own words.
//!
//! `[TBR]` is the place of what is asked. `<eccentricity>` is the place of a silent call, which is in
//! no question and in no input. `{graph}`, `{data}` and `{item}` are names; `{a}`, `{b}`, `{r}` and
//! `{k}` are what is asked about.

/// In place of a function: the template loads and asks nothing. `[GL]` is the place of its call, and
/// `{it}` what is loaded.
pub const LOAD: &str = "load";

/// A template: one thing to say, in several wordings that go to the same side of a split.
pub struct Template {
    /// Its id: what it is about, and which of the templates on that it is.
    pub id: &'static str,
    /// The function that it calls.
    pub function: &'static str,
    /// Wordings as statements.
    pub statements: &'static [&'static str],
    /// Questions; the first statement answers them.
    pub questions: &'static [&'static str],
}

/// Every template.
pub static TEMPLATES: &[Template] = &[
    Template {
        id: "load-1",
        function: LOAD,
        statements: &["The [GL] {it} is at hand.", "Here the [GL] {it} is meant, and no other."],
        questions: &["Is the {it} at hand?"],
    },
    Template {
        id: "load-2",
        function: LOAD,
        statements: &["What follows is about the [GL] {it}.", "We look at the [GL] {it}."],
        questions: &["What does the {it} look like?"],
    },
    Template {
        id: "order-1",
        function: "order",
        statements: &["The {graph} has [TBR] nodes.", "There are [TBR] nodes in the {graph}."],
        questions: &[
            "How many nodes does the {graph} have?",
            "Of how many nodes is the {graph} made?",
        ],
    },
    Template {
        id: "order-2",
        function: "order",
        statements: &[
            "Counting its nodes, one finds that the {graph} is of order [TBR].",
            "The order of the {graph}, its number of nodes, comes to [TBR].",
        ],
        questions: &["Of which order is the {graph}?", "What do the nodes of the {graph} come to?"],
    },
    Template {
        id: "order-3",
        function: "order",
        statements: &[
            "Somebody who draws the {graph} draws [TBR] dots.",
            "To draw the {graph} one needs [TBR] dots.",
        ],
        questions: &["How many dots are drawn for the {graph}?"],
    },
    Template {
        id: "size-1",
        function: "size",
        statements: &["The {graph} has [TBR] links.", "There are [TBR] links in the {graph}."],
        questions: &[
            "How many links does the {graph} have?",
            "By how many links are the nodes of the {graph} joined?",
        ],
    },
    Template {
        id: "size-2",
        function: "size",
        statements: &[
            "Counting its edges, one finds that the {graph} is of size [TBR].",
            "The size of the {graph}, its number of edges, comes to [TBR].",
        ],
        questions: &["Of which size is the {graph}?"],
    },
    Template {
        id: "size-3",
        function: "size",
        statements: &["Somebody who draws the {graph} draws [TBR] lines between its dots."],
        questions: &["How many lines are drawn for the {graph}?"],
    },
    Template {
        id: "density-1",
        function: "density",
        statements: &[
            "The {graph} has a density of [TBR].",
            "As dense as [TBR]: such is the {graph}.",
        ],
        questions: &["How dense is the {graph}?", "Which density does the {graph} have?"],
    },
    Template {
        id: "density-2",
        function: "density",
        statements: &["Of all links that could be in the {graph}, a share of [TBR] is there."],
        questions: &["Which share of all possible links is in the {graph}?"],
    },
    Template {
        id: "density-3",
        function: "density",
        statements: &[
            "Two nodes of the {graph}, picked at random, are joined with probability [TBR].",
        ],
        questions: &["How probable is a link between two random nodes of the {graph}?"],
    },
    Template {
        id: "eccentricity_all-1",
        function: "eccentricity",
        statements: &[
            "The eccentricities in the {graph} are [TBR].",
            "Node by node, the {graph} has the eccentricities [TBR].",
        ],
        questions: &["Which eccentricity does each node of the {graph} have?"],
    },
    Template {
        id: "eccentricity_all-2",
        function: "eccentricity",
        statements: &["How far each node of the {graph} is from the one farthest from it: [TBR]."],
        questions: &["How far is each node of the {graph} from the one farthest from it?"],
    },
    Template {
        id: "eccentricity_one-1",
        function: "eccentricity",
        statements: &[
            "In the {graph}, node #{a} has an eccentricity of [TBR].",
            "Node #{a} of the {graph} is of eccentricity [TBR].",
        ],
        questions: &["Which eccentricity does node #{a} of the {graph} have?"],
    },
    Template {
        id: "eccentricity_one-2",
        function: "eccentricity",
        statements: &["From node #{a} no node of the {graph} is more than [TBR] steps away."],
        questions: &[
            "How many steps away is the node of the {graph} that is farthest from node #{a}?",
        ],
    },
    Template {
        id: "eccentricity_one-3",
        function: "eccentricity",
        statements: &[
            "A message that starts at node #{a} has reached all of the {graph} after [TBR] rounds.",
        ],
        questions: &[
            "After how many rounds has a message from node #{a} reached all of the {graph}?",
        ],
    },
    Template {
        id: "radius-1",
        function: "radius",
        statements: &["The {graph} has a radius of [TBR].", "Radius [TBR] is that of the {graph}."],
        questions: &["What radius has the {graph}?"],
    },
    Template {
        id: "radius-2",
        function: "radius",
        statements: &[
            "The smallest eccentricity<eccentricity> of any node in the {graph} is [TBR].",
        ],
        questions: &["Which is the smallest eccentricity in the {graph}?"],
    },
    Template {
        id: "radius-3",
        function: "radius",
        statements: &["From the best place in the {graph}, every node is within [TBR] steps."],
        questions: &[
            "Within how many steps is every node of the {graph}, seen from the best place?",
        ],
    },
    Template {
        id: "diameter-1",
        function: "diameter",
        statements: &[
            "The {graph} has a diameter of [TBR].",
            "Diameter [TBR] is that of the {graph}.",
        ],
        questions: &["What diameter has the {graph}?"],
    },
    Template {
        id: "diameter-2",
        function: "diameter",
        statements: &[
            "The largest eccentricity<eccentricity> of any node in the {graph} is [TBR].",
        ],
        questions: &["Which is the largest eccentricity in the {graph}?"],
    },
    Template {
        id: "diameter-3",
        function: "diameter",
        statements: &[
            "However one picks two nodes of the {graph}, [TBR] steps lead from one to the other.",
        ],
        questions: &["How many steps are enough between any two nodes of the {graph}?"],
    },
    Template {
        id: "center-1",
        function: "center",
        statements: &[
            "The center of the {graph} is made of the nodes [TBR].",
            "In the middle of the {graph} are the nodes [TBR].",
        ],
        questions: &["Which nodes make the center of the {graph}?"],
    },
    Template {
        id: "center-2",
        function: "center",
        statements: &["The eccentricity of the nodes [TBR] is the radius<radius> of the {graph}."],
        questions: &["Of which nodes is the eccentricity the radius of the {graph}?"],
    },
    Template {
        id: "center-3",
        function: "center",
        statements: &["To be near everybody in the {graph}, one stands at one of [TBR]."],
        questions: &["Where does one stand to be near everybody in the {graph}?"],
    },
    Template {
        id: "periphery-1",
        function: "periphery",
        statements: &[
            "The periphery of the {graph} is made of the nodes [TBR].",
            "At the rim of the {graph} are the nodes [TBR].",
        ],
        questions: &["Which nodes make the periphery of the {graph}?"],
    },
    Template {
        id: "periphery-2",
        function: "periphery",
        statements: &[
            "The eccentricity of the nodes [TBR] is the diameter<diameter> of the {graph}.",
        ],
        questions: &["Of which nodes is the eccentricity the diameter of the {graph}?"],
    },
    Template {
        id: "periphery-3",
        function: "periphery",
        statements: &["The most remote nodes of the {graph} are [TBR]."],
        questions: &["Which nodes of the {graph} are the most remote?"],
    },
    Template {
        id: "shortest_path-1",
        function: "shortest_path",
        statements: &[
            "In the {graph}, a shortest path from node #{a} to node #{b} has length [TBR].",
            "Node #{a} and node #{b} of the {graph} are [TBR] steps apart.",
        ],
        questions: &["How long is a shortest path from node #{a} to node #{b} in the {graph}?"],
    },
    Template {
        id: "shortest_path-2",
        function: "shortest_path",
        statements: &[
            "Who walks from node #{a} to node #{b} of the {graph} crosses [TBR] links at least.",
        ],
        questions: &[
            "How many links of the {graph} does one cross at least between node #{a} and node #{b}?",
        ],
    },
    Template {
        id: "shortest_path-3",
        function: "shortest_path",
        statements: &["The distance of node #{a} from node #{b} in the {graph} amounts to [TBR]."],
        questions: &["What is the distance of node #{a} from node #{b} in the {graph}?"],
    },
    Template {
        id: "avg_path_length-1",
        function: "avg_path_length",
        statements: &[
            "Two nodes of the {graph} are [TBR] steps apart in the mean.",
            "The mean distance in the {graph} is [TBR].",
        ],
        questions: &["How far apart are two nodes of the {graph} in the mean?"],
    },
    Template {
        id: "avg_path_length-2",
        function: "avg_path_length",
        statements: &[
            "All shortest paths of the {graph} taken together have a mean length of [TBR].",
        ],
        questions: &["Which mean length do the shortest paths of the {graph} have?"],
    },
    Template {
        id: "max_path_length-1",
        function: "max_path_length",
        statements: &[
            "No shortest path of the {graph} is longer than [TBR].",
            "The longest of the shortest paths in the {graph} has length [TBR].",
        ],
        questions: &["How long is the longest of the shortest paths in the {graph}?"],
    },
    Template {
        id: "max_path_length-2",
        function: "max_path_length",
        statements: &[
            "The two nodes of the {graph} that are farthest apart have [TBR] links between them.",
        ],
        questions: &[
            "How many links are between the two nodes of the {graph} that are farthest apart?",
        ],
    },
    Template {
        id: "min_path_length-1",
        function: "min_path_length",
        statements: &[
            "No path between two nodes of the {graph} is shorter than [TBR].",
            "The shortest of the shortest paths in the {graph} has length [TBR].",
        ],
        questions: &["How long is the shortest of the shortest paths in the {graph}?"],
    },
    Template {
        id: "min_path_length-2",
        function: "min_path_length",
        statements: &[
            "The two nodes of the {graph} that are nearest to each other are [TBR] apart.",
        ],
        questions: &["How far apart are the two nearest nodes of the {graph}?"],
    },
    Template {
        id: "topic-1",
        function: "topic",
        statements: &[
            "{data} has paper #{a} under [TBR].",
            "Under [TBR] one finds paper #{a} of {data}.",
        ],
        questions: &["Under which topic does {data} have paper #{a}?"],
    },
    Template {
        id: "topic-2",
        function: "topic",
        statements: &["Whoever reads paper #{a} of {data} reads about [TBR]."],
        questions: &["What does one read about in paper #{a} of {data}?"],
    },
    Template {
        id: "topic-3",
        function: "topic",
        statements: &["Among the papers of {data}, #{a} belongs to the field [TBR]."],
        questions: &["To which field does paper #{a} of {data} belong?"],
    },
    Template {
        id: "molecule_function-1",
        function: "molecule_function",
        statements: &[
            "{data} puts molecule #{a} into class [TBR].",
            "Class [TBR] is that of molecule #{a} in {data}.",
        ],
        questions: &["Into which class does {data} put molecule #{a}?"],
    },
    Template {
        id: "molecule_function-2",
        function: "molecule_function",
        statements: &["What molecule #{a} of {data} does is written as [TBR]."],
        questions: &["What does molecule #{a} of {data} do?"],
    },
    Template {
        id: "recommendation-1",
        function: "recommendation",
        statements: &[
            "User #{a} of {data} will like {item} #{b} with a likelihood of [TBR].",
            "In {data}, a likelihood of [TBR] speaks for {item} #{b} being liked by user #{a}.",
        ],
        questions: &["How likely will user #{a} of {data} like {item} #{b}?"],
    },
    Template {
        id: "recommendation-2",
        function: "recommendation",
        statements: &["Offering {item} #{b} to user #{a} in {data} is worth [TBR]."],
        questions: &["What is it worth to offer {item} #{b} to user #{a} in {data}?"],
    },
    Template {
        id: "topk_recommendation-1",
        function: "topk_recommendation",
        statements: &[
            "What user #{a} of {data} will like best, {k} in number: [TBR].",
            "The {k} that user #{a} of {data} will like best are [TBR].",
        ],
        questions: &["Which {k} will user #{a} of {data} like best?"],
    },
    Template {
        id: "topk_recommendation-2",
        function: "topk_recommendation",
        statements: &["A list of {k} for user #{a} of {data} has [TBR] on it."],
        questions: &["What is on a list of {k} for user #{a} of {data}?"],
    },
    Template {
        id: "community-1",
        function: "community",
        statements: &[
            "User #{a} of {data} is in community [TBR].",
            "{data} has user #{a} in community [TBR].",
        ],
        questions: &["In which community of {data} is user #{a}?"],
    },
    Template {
        id: "community-2",
        function: "community",
        statements: &["The circle of user #{a} in {data} goes by [TBR]."],
        questions: &["By what does the circle of user #{a} in {data} go?"],
    },
    Template {
        id: "common_community_check-1",
        function: "common_community_check",
        statements: &[
            "User #{a} and user #{b} of {data} are in [TBR] community.",
            "The communities of user #{a} and user #{b} in {data} are [TBR].",
        ],
        questions: &["Are user #{a} and user #{b} of {data} in one community?"],
    },
    Template {
        id: "common_community_check-2",
        function: "common_community_check",
        statements: &["Whether user #{a} meets user #{b} in a circle of {data} is told by [TBR]."],
        questions: &["Does user #{a} meet user #{b} in a circle of {data}?"],
    },
    Template {
        id: "community_count-1",
        function: "community_count",
        statements: &["People in {data} form [TBR] communities."],
        questions: &["How many communities do people in {data} form?"],
    },
    Template {
        id: "community_count-2",
        function: "community_count",
        statements: &["{data} falls into [TBR] circles of friends."],
        questions: &["Into how many circles of friends does {data} fall?"],
    },
    Template {
        id: "community_avg_size-1",
        function: "community_avg_size",
        statements: &["A community of {data} has [TBR] people in the mean."],
        questions: &["How many people has a community of {data} in the mean?"],
    },
    Template {
        id: "community_avg_size-2",
        function: "community_avg_size",
        statements: &["The usual circle in {data} is made of [TBR] people."],
        questions: &["Of how many people is the usual circle in {data} made?"],
    },
    Template {
        id: "community_max_size-1",
        function: "community_max_size",
        statements: &["The largest community of {data} has [TBR] people."],
        questions: &["How many people has the largest community of {data}?"],
    },
    Template {
        id: "community_max_size-2",
        function: "community_max_size",
        statements: &["No circle of {data} holds more than [TBR] people."],
        questions: &["How many people does the widest circle of {data} hold?"],
    },
    Template {
        id: "community_size-1",
        function: "community_size",
        statements: &["The community of user #{a} in {data} has [TBR] people."],
        questions: &["How many people are in the community of user #{a} in {data}?"],
    },
    Template {
        id: "community_size-2",
        function: "community_size",
        statements: &["With user #{a}, the circle in {data} counts [TBR]."],
        questions: &["How many does the circle of user #{a} in {data} count?"],
    },
    Template {
        id: "relation-1",
        function: "relation",
        statements: &[
            "In {data}, entity #{a} is joined to entity #{b} by [TBR].",
            "{data} joins entity #{a} to entity #{b} by the relation [TBR].",
        ],
        questions: &["By which relation does {data} join entity #{a} to entity #{b}?"],
    },
    Template {
        id: "relation-2",
        function: "relation",
        statements: &["What entity #{a} is to entity #{b}, {data} calls [TBR]."],
        questions: &["What does {data} call that which entity #{a} is to entity #{b}?"],
    },
    Template {
        id: "head_entity-1",
        function: "head_entity",
        statements: &[
            "In {data}, relation #{r} leads to entity #{b} from [TBR].",
            "It is [TBR] that relation #{r} of {data} joins to entity #{b}.",
        ],
        questions: &["From where does relation #{r} of {data} lead to entity #{b}?"],
    },
    Template {
        id: "head_entity-2",
        function: "head_entity",
        statements: &["Going back from entity #{b} over relation #{r}, {data} arrives at [TBR]."],
        questions: &["Where does {data} arrive going back from entity #{b} over relation #{r}?"],
    },
    Template {
        id: "tail_entity-1",
        function: "tail_entity",
        statements: &[
            "In {data}, relation #{r} leads from entity #{a} to [TBR].",
            "Relation #{r} of {data} joins entity #{a} to [TBR].",
        ],
        questions: &["Where does relation #{r} of {data} lead from entity #{a}?"],
    },
    Template {
        id: "tail_entity-2",
        function: "tail_entity",
        statements: &["Going on from entity #{a} over relation #{r}, {data} arrives at [TBR]."],
        questions: &["Where does {data} arrive going on from entity #{a} over relation #{r}?"],
    },
];
