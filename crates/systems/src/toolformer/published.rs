//! The figures of the paper, as reference rows beside ours.

/// Where they come from.
pub const SOURCE: &str = "the paper Graph-ToolFormer, GPT-J of six billion parameters on 160 texts \
                          of each of its own datasets";

/// Paper: Graph-ToolFormer, table 4: dataset, then ROUGE-1, ROUGE-2, ROUGE-L, ROUGE-LSum, BLEU,
/// brevity penalty and API-generation accuracy.
pub static TABLE_4: [(&str, [f64; 7]); 16] = [
    ("graph_data_loading", [82.28, 67.74, 70.93, 70.85, 63.53, 89.98, 4.38]),
    ("graph_properties", [94.56, 92.10, 91.69, 91.69, 91.53, 99.93, 80.00]),
    ("cora", [99.69, 99.68, 99.69, 99.69, 99.2, 100.0, 100.0]),
    ("citeseer", [100.0, 100.0, 100.0, 100.0, 99.39, 100.0, 97.5]),
    ("pubmed", [99.91, 99.84, 99.91, 99.91, 99.04, 100.0, 99.38]),
    ("proteins", [99.61, 99.19, 99.61, 99.61, 98.27, 100.0, 100.0]),
    ("ptc", [100.0, 100.0, 100.0, 100.0, 98.52, 100.0, 100.0]),
    ("nci1", [100.0, 100.0, 100.0, 100.0, 98.28, 100.0, 100.0]),
    ("mutag", [100.0, 100.0, 100.0, 100.0, 98.72, 100.0, 100.0]),
    ("movielens", [97.47, 96.56, 97.47, 97.47, 94.63, 95.31, 93.12]),
    ("last-fm", [89.24, 86.69, 88.75, 88.79, 83.43, 89.67, 85.62]),
    ("amazon", [99.9, 99.8, 99.9, 99.9, 99.74, 100.0, 100.0]),
    ("foursquare", [98.6, 98.01, 98.51, 98.46, 97.41, 100.0, 95.0]),
    ("twitter", [99.86, 99.71, 99.78, 99.76, 99.75, 99.89, 98.75]),
    ("freebase", [91.98, 91.79, 91.97, 92.0, 78.17, 78.29, 53.75]),
    ("wordnet", [98.73, 98.73, 98.73, 98.73, 97.99, 98.69, 96.88]),
];
