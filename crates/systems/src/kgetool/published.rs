//! The figures of the paper, as reference rows beside ours.

/// Where they come from.
pub const SOURCE: &str = "the paper FamilyTool, on 483 samples of its own; other models and \
                          another benchmark than ours";

/// Paper: FamilyTool, Table 3: model, then (EM, F1, No-Hallucination, Coverage) with Greedy Search
/// and with Relation Retrieval.
pub static TABLE_3: [(&str, [f64; 4], [f64; 4]); 7] = [
    ("Llama3.1-8B", [44.93, 62.40, 62.94, 68.74], [44.72, 67.59, 98.96, 59.83]),
    ("Qwen2.5-7B", [44.51, 60.14, 73.91, 63.35], [42.24, 66.24, 100.00, 53.41]),
    ("QwQ-32B", [63.15, 77.35, 96.89, 72.05], [59.21, 76.62, 99.79, 65.63]),
    ("GPT-4o", [61.28, 74.31, 91.51, 70.39], [56.73, 73.98, 100.00, 63.35]),
    ("DeepSeek-V3", [63.35, 78.09, 92.75, 73.71], [59.63, 77.62, 100.00, 67.08]),
    ("GPT-o3-mini", [24.64, 33.96, 97.31, 31.68], [23.40, 33.85, 100.00, 28.99]),
    ("DeepSeek-r1", [61.49, 77.75, 90.68, 74.12], [57.97, 76.64, 100.00, 66.25]),
];

/// A row of the tables on calls: model, then EM, Tool Acc., Value Acc.
pub type Calls = [(&'static str, [f64; 3]); 5];

/// Paper: FamilyTool, Table 4: with the golden sub-graph.
pub static TABLE_4: Calls = [
    ("Llama3.1-8B", [30.23, 71.01, 39.45]),
    ("Qwen2.5-7B", [38.92, 72.46, 46.80]),
    ("QwQ-32B", [52.80, 81.99, 60.63]),
    ("GPT-4o", [27.95, 78.26, 31.48]),
    ("DeepSeek-V3", [47.24, 68.94, 50.78]),
];

/// Paper: FamilyTool, Table 5: with what Greedy Search extracts.
pub static TABLE_5: Calls = [
    ("Llama3.1-8B", [20.50, 64.80, 29.37]),
    ("Qwen2.5-7B", [22.77, 69.36, 32.93]),
    ("QwQ-32B", [38.30, 78.47, 46.96]),
    ("GPT-4o", [20.50, 79.09, 24.17]),
    ("DeepSeek-V3", [30.02, 65.42, 38.91]),
];

/// Paper: FamilyTool, Table 6: with what Relation Retrieval extracts.
pub static TABLE_6: Calls = [
    ("Llama3.1-8B", [19.46, 63.98, 27.94]),
    ("Qwen2.5-7B", [23.40, 68.53, 32.81]),
    ("QwQ-32B", [36.44, 79.09, 46.17]),
    ("GPT-4o", [18.63, 78.26, 22.08]),
    ("DeepSeek-V3", [28.16, 65.42, 37.04]),
];

/// Paper: FamilyTool, Table 7: with the whole graph.
pub static TABLE_7: Calls = [
    ("Llama3.1-8B", [2.48, 38.10, 8.04]),
    ("Qwen2.5-7B", [8.70, 60.25, 16.25]),
    ("QwQ-32B", [31.68, 73.50, 39.94]),
    ("GPT-4o", [21.53, 79.71, 26.30]),
    ("DeepSeek-V3", [22.15, 69.36, 31.39]),
];

/// Paper: FamilyTool, Table 8: the models that call, in the order of its columns.
pub static TABLE_8_CALLERS: [&str; 5] =
    ["Llama3.1-8B", "Qwen2.5-7B", "QwQ-32B", "GPT-4o", "DeepSeek-V3"];

/// Paper: FamilyTool, Table 8: EM by the model that extracts (row) and the one that calls (column).
pub static TABLE_8: [(&str, [f64; 5]); 7] = [
    ("Llama3.1-8B", [20.50, 27.74, 36.11, 18.63, 26.50]),
    ("Qwen2.5-7B", [16.15, 22.77, 29.81, 16.15, 23.81]),
    ("QwQ-32B", [20.91, 31.47, 38.30, 20.29, 28.57]),
    ("GPT-4o", [22.57, 31.47, 38.10, 20.25, 27.54]),
    ("DeepSeek-V3", [24.02, 31.47, 40.17, 20.91, 30.02]),
    ("GPT-o3-mini", [10.77, 13.25, 18.63, 10.56, 15.53]),
    ("DeepSeek-r1", [24.43, 30.85, 37.89, 21.12, 29.19]),
];

/// Paper: FamilyTool, Table 1: tools, samples, nodes, links and relations.
pub static TABLE_1: [usize; 5] = [102, 483, 150, 159, 65];

/// Paper: FamilyTool, Table 2: samples by hops, which are golden links (`docs/kgetool.md`).
pub static TABLE_2: [(usize, usize); 3] = [(1, 107), (2, 362), (3, 14)];

/// Paper: FamilyTool §4.4: the mean of these hops.
pub const MEAN_HOPS: f64 = 1.81;
