//! The words of the benchmark's statements about properties of graphs, as in `words`.

use super::words::Said;

pub(super) const PROPERTIES: &[Said] = &[
    ("", "A density of <density> applies to the {graph}."),
    ("", "A diameter of <diameter> applies to the {graph}."),
    ("", "A radius of <radius> applies to the {graph}."),
    (
        "",
        "A {graph} with a density of <density> contains a significant number of nodes compared to its overall size.",
    ),
    ("", "For the {graph}, the eccentricities of its nodes can be expressed as <eccentricity>."),
    (
        "",
        "In the {graph}, node <center> is the unique node with eccentricity <eccentricity!> equal to the radius <radius!>, which makes it the center of the tree.",
    ),
    (
        "",
        "In the {graph}, nodes <center> are the ones with eccentricity <eccentricity!> equal to the radius <radius!>, which makes them the center of the tree.",
    ),
    ("", "In the {graph}, nodes <periphery> are the outermost nodes, which form its periphery."),
    (
        "",
        "In the {graph}, the average shortest path length between any two nodes is <avg_path_length>.",
    ),
    (
        "What is the average shortest path length between any two nodes in the {graph}?",
        "In the {graph}, the average shortest path length between any two nodes is <avg_path_length>.",
    ),
    (
        "",
        "In the {graph}, the expected length of the shortest path between any two nodes is <avg_path_length>.",
    ),
    (
        "",
        "In the {graph}, the length of shortest path between node #{a} and node #{b} is <shortest_path>.",
    ),
    (
        "What is the length of shortest path between node #{a} and node #{b} in the {graph}?",
        "In the {graph}, the length of shortest path between node #{a} and node #{b} is <shortest_path>.",
    ),
    (
        "",
        "In the {graph}, the maximal length of the shortest path between any two nodes is <max_path_length>.",
    ),
    (
        "",
        "In the {graph}, the maximal shortest path length between any two nodes is <max_path_length>.",
    ),
    (
        "What is the maximal shortest path length between any two nodes in the {graph}?",
        "In the {graph}, the maximal shortest path length between any two nodes is <max_path_length>.",
    ),
    (
        "",
        "In the {graph}, the minimal length of the shortest path between any two nodes is <min_path_length>.",
    ),
    (
        "",
        "In the {graph}, the minimal shortest path length between any two nodes is <min_path_length>.",
    ),
    (
        "What is the minimal shortest path length between any two nodes in the {graph}?",
        "In the {graph}, the minimal shortest path length between any two nodes is <min_path_length>.",
    ),
    ("", "Node <center> is the center of the {graph}."),
    ("", "Nodes <center> are the center of the {graph}."),
    ("", "Nodes <periphery> belong to the periphery of the {graph}."),
    (
        "Nodes have the largest eccentricity [TBR] in the {graph}, which make them part of its periphery.",
        "Nodes <periphery> have the largest eccentricity <eccentricity!> in the {graph}, which make them part of its periphery.",
    ),
    (
        "",
        "On average, the shortest path length between any pair of nodes in the {graph} is <avg_path_length>.",
    ),
    ("What is the center of the {graph}?", "The center of the {graph} includes node(s) <center>."),
    ("", "The center of the {graph} is <center>."),
    ("", "The center of the {graph} is represented by the node <center>."),
    ("", "The center of the {graph} is represented by the nodes <center>."),
    ("", "The centers of the {graph} are <center>."),
    ("", "The density of {graph} is <density>."),
    ("What is the density of the {graph}?", "The density of {graph} is <density>."),
    ("", "The diameter of the {graph} is <diameter>."),
    ("What is the diameter of the {graph}?", "The diameter of the {graph} is <diameter>."),
    (
        "",
        "The diameter of the {graph} is the maximum shortest path length <max_path_length!> between any pair of nodes, which in this case is <diameter>.",
    ),
    ("", "The eccentricity of each node in the {graph} can be represented by <eccentricity>."),
    ("", "The eccentricity of node #{a} in the {graph} is <eccentricity>."),
    (
        "What is the eccentricity of node #{a} in the {graph}?",
        "The eccentricity of node #{a} in the {graph} is <eccentricity>.",
    ),
    ("", "The eccentricity of nodes in the {graph} can be represented as <eccentricity>."),
    (
        "What is the eccentricity of the {graph}?",
        "The eccentricity of nodes in the {graph} can be represented as <eccentricity>.",
    ),
    (
        "",
        "The largest shortest path length between any pair of nodes in the {graph} is <max_path_length>.",
    ),
    (
        "",
        "The node with the smallest eccentricity <eccentricity!> in the {graph} is node <center>, which is also the center of the tree.",
    ),
    ("", "The nodes in the {graph} have eccentricity values of <eccentricity>."),
    (
        "",
        "The nodes with the smallest eccentricity <eccentricity!> in the {graph} are <center>, which are also the center of the tree.",
    ),
    ("", "The order of the {graph} is <order>."),
    ("What is the order of the {graph}?", "The order of the {graph} is <order>."),
    (
        "What is the periphery of the {graph}?",
        "The periphery of the {graph} includes node(s) <periphery>.",
    ),
    ("", "The periphery of the {graph} includes nodes <periphery>."),
    ("", "The radius of the {graph} is <radius>."),
    ("What is the radius of the {graph}?", "The radius of the {graph} is <radius>."),
    (
        "",
        "The radius of the {graph} is the minimum eccentricity <eccentricity!> of any node, which in this case is <radius>.",
    ),
    (
        "",
        "The ratio of the number of nodes to the total number of possible nodes in the {graph} is <density>.",
    ),
    (
        "The set of nodes in the {graph} whose eccentricity [TBR] equals the tree's radius are, which defines its periphery.",
        "The set of nodes in the {graph} whose eccentricity <eccentricity!> equals the tree's radius <radius!> are <periphery>, which defines its periphery.",
    ),
    ("", "The size of the {graph} is <size>."),
    ("What is the size of the {graph}?", "The size of the {graph} is <size>."),
    (
        "",
        "The smallest shortest path length between any pair of nodes in the {graph} is <min_path_length>.",
    ),
    ("", "The {graph} contains a number of <order> nodes."),
    ("", "The {graph} contains a number of <size> edges."),
    ("", "The {graph} has a center at node <center>."),
    ("", "The {graph} has a center at nodes <center>."),
    ("", "The {graph} has a diameter of <diameter>."),
    ("", "The {graph} has a max pairwise shortest path length of <max_path_length>."),
    (
        "",
        "The {graph} has a maximal shortest path length of <max_path_length> between any two nodes.",
    ),
    ("", "The {graph} has a mean pairwise shortest path length of <avg_path_length>."),
    ("", "The {graph} has a min pairwise shortest path length of <min_path_length>."),
    (
        "",
        "The {graph} has a minimal shortest path length of <min_path_length> between any two nodes.",
    ),
    ("", "The {graph} has a node count of <order>."),
    ("", "The {graph} has a radius of <radius>."),
    ("", "The {graph} has a size of <size>."),
    (
        "",
        "The {graph} has an average shortest path length of <avg_path_length> between any two nodes.",
    ),
    ("", "The {graph} has an eccentricity of <eccentricity>."),
    ("", "The {graph} has an edge count of <size>."),
    ("", "The {graph} has an order of <order>."),
    ("", "The {graph} has the density of <density>."),
    (
        "",
        "The {graph} has two nodes whose maximal shortest path length is <max_path_length>, which makes its diameter equal to <diameter>.",
    ),
    ("", "The {graph}'s radius is <radius>."),
    ("How many nodes are there in the {graph}?", "There are <order> nodes in the {graph}."),
    ("How many edges are there in the {graph}?", "There are <size> edges in the {graph}."),
    ("", "There are a number of <order> nodes in the {graph}."),
    ("", "There are a number of <size> edges in the {graph}."),
];
