//! The families of questions about the generated metro network.

use super::template::QuestionTemplate;
use crate::Difficulty;

/// Every family about the metro network. Those of two hops and more are the ones that the paper calls medium and hard.
pub static TEMPLATES: &[QuestionTemplate] = &[
    QuestionTemplate {
        id: "stations_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &[
            "Which stations does the {a} stop at?",
            "At which stations can I board the {a}?",
        ],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, stops_at]",
    },
    QuestionTemplate {
        id: "zone_of_station",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Station"],
        wordings: &["Which zone is {a} in?", "To which zone does the station {a} belong?"],
        plan: "Find_Node[{a}, Station]\nFetch_Neighbors[s1, in_zone]",
    },
    QuestionTemplate {
        id: "runner_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &["Which operator runs the {a}?", "By which operator is the {a} run?"],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, runs]",
    },
    QuestionTemplate {
        id: "maintainer_of_line",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Line"],
        wordings: &["Which operator maintains the {a}?", "Who looks after the tracks of the {a}?"],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, maintains]",
    },
    QuestionTemplate {
        id: "lines_of_operator",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Operator"],
        wordings: &["Which lines does {a} run?", "Name the lines that are run by {a}."],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, runs]",
    },
    QuestionTemplate {
        id: "n_stations_of_zone",
        hops: 1,
        level: Difficulty::Easy,
        types: &["Zone"],
        wordings: &["How many stations are in {a}?", "What is the number of stations in {a}?"],
        plan: "Find_Node[{a}, Zone]\nFetch_Neighbors[s1, in_zone]",
    },
    QuestionTemplate {
        id: "shared_stations",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line", "Line"],
        wordings: &[
            "Which stations do the {a} and the {b} share?",
            "Where can I change between the {a} and the {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Line]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, stops_at)]",
    },
    QuestionTemplate {
        id: "stations_of_line_in_zone",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line", "Zone"],
        wordings: &[
            "Which stations of the {a} are in {b}?",
            "At which stations does the {a} stop within {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Zone]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, in_zone)]",
    },
    QuestionTemplate {
        id: "operators_at_station",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Station"],
        wordings: &[
            "Which operators run lines that stop at {a}?",
            "Whose lines, by who runs them, serve {a}?",
        ],
        plan: "Find_Node[{a}, Station]\nFetch_Neighbors[s1, stops_at]\nFetch_Neighbors[s2, runs]",
    },
    QuestionTemplate {
        id: "sights_on_line",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Line"],
        wordings: &[
            "Which sights are near a station of the {a}?",
            "What can I visit along the {a}?",
        ],
        plan: "Find_Node[{a}, Line]\nFetch_Neighbors[s1, stops_at]\nFetch_Neighbors[s2, near]",
    },
    QuestionTemplate {
        id: "lines_to_sight",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Sight"],
        wordings: &["Which lines lead to the {a}?", "With which lines can I get to the {a}?"],
        plan: "Find_Node[{a}, Sight]\nFetch_Neighbors[s1, near]\nFetch_Neighbors[s2, stops_at]",
    },
    QuestionTemplate {
        id: "sights_of_zone",
        hops: 2,
        level: Difficulty::Medium,
        types: &["Zone"],
        wordings: &["Which sights are nearest to {a}?", "What is there to see around {a}?"],
        plan: "Find_Node[{a}, Zone]\nFetch_Neighbors[s1, Sight]",
    },
    QuestionTemplate {
        id: "sights_of_operator",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Operator"],
        wordings: &[
            "Which sights are near stations of lines that {a} runs?",
            "What can I visit using only lines run by {a}?",
        ],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, runs]\n\
               Fetch_Neighbors[s2, stops_at]\nFetch_Neighbors[s3, near]",
    },
    QuestionTemplate {
        id: "zones_of_maintainer",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Operator"],
        wordings: &[
            "In which zones are the stations of lines that {a} maintains?",
            "Which zones do the lines maintained by {a} pass through?",
        ],
        plan: "Find_Node[{a}, Operator]\nFetch_Neighbors[s1, maintains]\n\
               Fetch_Neighbors[s2, stops_at]\nFetch_Neighbors[s3, in_zone]",
    },
    QuestionTemplate {
        id: "operators_to_sight",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Sight"],
        wordings: &[
            "Which operators run the lines that lead to the {a}?",
            "Whose trains bring me to the {a}?",
        ],
        plan: "Find_Node[{a}, Sight]\nFetch_Neighbors[s1, near]\nFetch_Neighbors[s2, stops_at]\n\
               Fetch_Neighbors[s3, runs]",
    },
    QuestionTemplate {
        id: "shared_zone_sights",
        hops: 3,
        level: Difficulty::Hard,
        types: &["Line", "Zone"],
        wordings: &[
            "Which sights are near those stations of the {a} that are in {b}?",
            "Riding the {a}, which sights can I reach without leaving {b}?",
        ],
        plan: "Find_Node[{a}, Line]\nFind_Node[{b}, Zone]\n\
               Find_Common_Nodes[(s1, stops_at), (s2, in_zone)]\nFetch_Neighbors[s3, near]",
    },
];
