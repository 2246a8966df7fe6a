//! A made-up graph of biomedicine with the types of Hetionet: what large graphs are measured with.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use serde_json::Map;

use crate::{Kg, KgBuilder, KgError};

/// The node types with how many Hetionet v1.0 has of each, and endings for made-up names.
const NODES: &[(&str, usize, &[&str])] = &[
    ("Anatomy", 402, &[" gland", " cortex", " duct", " muscle"]),
    ("Biological Process", 11_381, &[" transport", " signalling", " repair", " folding"]),
    ("Cellular Component", 1_391, &[" membrane", " complex", " granule"]),
    ("Compound", 1_552, &["ine", "ol", "ate", "imab"]),
    ("Disease", 137, &[" syndrome", "itis", "osis", " fever"]),
    ("Gene", 20_945, &["1", "2", "3", "A", "B", "L"]),
    ("Molecular Function", 2_884, &[" binding", " kinase activity", " channel activity"]),
    ("Pathway", 1_822, &[" pathway", " cascade", " cycle"]),
    ("Pharmacologic Class", 345, &[" inhibitor", " agonist", " blocker"]),
    ("Side Effect", 5_734, &[" ache", " rash", " tremor", " swelling"]),
    ("Symptom", 438, &[" cough", " pain", " weakness"]),
];

/// The edge types with how many Hetionet v1.0 has of each: name, from, to.
const EDGES: &[(&str, usize, usize, usize)] = &[
    ("Anatomy-downregulates-Gene", 0, 5, 102_240),
    ("Anatomy-expresses-Gene", 0, 5, 526_407),
    ("Anatomy-upregulates-Gene", 0, 5, 97_848),
    ("Compound-binds-Gene", 3, 5, 11_571),
    ("Compound-causes-Side Effect", 3, 9, 138_944),
    ("Compound-downregulates-Gene", 3, 5, 21_102),
    ("Compound-palliates-Disease", 3, 4, 390),
    ("Compound-resembles-Compound", 3, 3, 6_486),
    ("Compound-treats-Disease", 3, 4, 755),
    ("Compound-upregulates-Gene", 3, 5, 18_756),
    ("Disease-associates-Gene", 4, 5, 12_623),
    ("Disease-downregulates-Gene", 4, 5, 7_623),
    ("Disease-localizes-Anatomy", 4, 0, 3_602),
    ("Disease-presents-Symptom", 4, 10, 3_357),
    ("Disease-resembles-Disease", 4, 4, 543),
    ("Disease-upregulates-Gene", 4, 5, 7_731),
    ("Gene-covaries-Gene", 5, 5, 61_690),
    ("Gene-interacts-Gene", 5, 5, 147_164),
    ("Gene-participates-Biological Process", 5, 1, 559_504),
    ("Gene-participates-Cellular Component", 5, 2, 73_566),
    ("Gene-participates-Molecular Function", 5, 6, 97_222),
    ("Gene-participates-Pathway", 5, 7, 84_372),
    ("Gene-regulates-Gene", 5, 5, 265_672),
    ("Pharmacologic Class-includes-Compound", 8, 3, 1_029),
];

/// The title of these graphs.
pub const HETIONET_LIKE: &str = "Made-up biomedicine";

const SYLLABLES: &[&str] = &[
    "ba", "cor", "da", "fen", "gly", "ho", "ka", "lo", "mi", "nor", "pra", "qui", "ra", "sel",
    "ta", "ur", "ve", "xo", "ya", "zin",
];

/// A graph with Hetionet's 11 node types and 24 edge types, shared out as there, at least one node
/// of each type. Some nodes have many edges, most have few. Where a type of edges has no room for
/// its share it gets what fits, so that there may be fewer edges than asked for. O(n + m).
///
/// # Errors
/// None that these numbers could cause below 4 thousand million edges.
pub fn hetionet_like(n_nodes: usize, n_edges: usize, seed: u64) -> Result<Kg, KgError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut builder = KgBuilder::new(HETIONET_LIKE);
    let all: usize = NODES.iter().map(|n| n.1).sum();
    let share = |n: usize| ((n as f64 / all as f64 * n_nodes as f64).round() as usize).max(1);
    let mut ids: Vec<Vec<String>> = Vec::new();
    for (node_type, n, endings) in NODES {
        let mut own = Vec::new();
        for i in 0..share(*n) {
            let id = format!("{node_type}::{i}");
            let name = name(endings, *node_type == "Gene", &mut rng);
            builder.node(&id, node_type, &name, Map::new())?;
            own.push(id);
        }
        ids.push(own);
    }
    let all: usize = EDGES.iter().map(|e| e.3).sum();
    let mut seen = FxHashSet::default();
    for (edge_type, from, to, n) in EDGES {
        let (sources, targets) = (&ids[*from], &ids[*to]);
        let wanted = (*n as f64 / all as f64 * n_edges as f64).round() as usize;
        // The last pairs of a full table would take long to meet by chance.
        let wanted = wanted.min(sources.len() * targets.len() * 2 / 3);
        seen.clear();
        while seen.len() < wanted {
            let source = skewed(sources.len(), &mut rng);
            let target = skewed(targets.len(), &mut rng);
            if seen.insert((source, target)) {
                builder.edge(&sources[source], edge_type, &targets[target])?;
            }
        }
    }
    builder.build()
}

/// Low numbers come more often than high ones, but each comes.
fn skewed(n: usize, rng: &mut ChaCha8Rng) -> usize {
    let x: f64 = rng.random();
    // Half of the time evenly, so that tables fill up.
    let x = if rng.random() { x * x } else { x };
    ((x * n as f64) as usize).min(n - 1)
}

fn name(endings: &[&str], is_gene: bool, rng: &mut ChaCha8Rng) -> String {
    let n = if is_gene { 2 } else { rng.random_range(2..4) };
    let stem: String = (0..n).map(|_| SYLLABLES[rng.random_range(0..SYLLABLES.len())]).collect();
    let ending = endings[rng.random_range(0..endings.len())];
    if is_gene {
        return format!("{}{}{ending}", stem.to_uppercase(), rng.random_range(1..100));
    }
    let mut letters = stem.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}{ending}", letters.as_str())
}
