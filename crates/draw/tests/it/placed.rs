//! What the page draws of five hundred graphs: no words over a node, no words over words, no line through
//! a node that is none of its ends. Held against the drawing's own numbers, by geometry that shares
//! nothing with what places them.

use draw::{LayoutKind, Mark, Marks, NODE_RADIUS, Places, Point, Scene, layout, suited};
use graph::{Graph, NodeName};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A box: left, top, right, bottom.
type Area = [f64; 4];

/// The least that a browser needs for words: real ones are as wide or narrower in none of the usual fonts.
fn words(text: &str, size: f64, at: Point) -> Area {
    let half = text.chars().map(|c| if c.is_ascii_digit() { 0.58 } else { 0.52 }).sum::<f64>();
    let (w, h) = (half * size / 2.0, size * 0.38);
    [at.x - w, at.y - h, at.x + w, at.y + h]
}

fn meet(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Points of a path of `M`, `L` and `C`, close to each other.
fn points(path: &str) -> Vec<(f64, f64)> {
    let numbers: Vec<f64> = path
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap())
        .collect();
    let at = |i: usize| (numbers[2 * i], numbers[2 * i + 1]);
    let n = numbers.len() / 2;
    let share = |t: f64| -> (f64, f64) {
        // Bernstein's polynomials, of degree 1 or 3.
        let weights: Vec<f64> = match n {
            2 => vec![1.0 - t, t],
            4 => vec![
                (1.0 - t).powi(3),
                3.0 * t * (1.0 - t).powi(2),
                3.0 * t * t * (1.0 - t),
                t.powi(3),
            ],
            _ => panic!("{path}"),
        };
        let sum = |f: fn((f64, f64)) -> f64| (0..n).map(|i| weights[i] * f(at(i))).sum();
        (sum(|p| p.0), sum(|p| p.1))
    };
    (0..=60).map(|i| share(f64::from(i) / 60.0)).collect()
}

#[derive(Debug, Default)]
struct Faults {
    words_on_node: usize,
    words_on_words: usize,
    line_through_node: usize,
}

fn faults(scene: &Scene) -> Faults {
    let mut faults = Faults::default();
    let mut boxes: Vec<Area> = Vec::new();
    for node in &scene.nodes {
        boxes.extend(node.tag.as_ref().map(|tag| words(tag, 12.0, node.tag_at)));
    }
    for edge in &scene.edges {
        let text = edge.tag.as_ref().or(edge.label.as_ref());
        let size = if edge.tag.is_some() { 12.0 } else { 13.0 };
        boxes.extend(text.map(|text| words(text, size, edge.label_at)));
    }
    for (i, a) in boxes.iter().enumerate() {
        faults.words_on_words += boxes[..i].iter().filter(|b| meet(a, b)).count();
        for node in &scene.nodes {
            // A node's middle part as a box, and its two round ends.
            let straight = node.half - NODE_RADIUS;
            let near = |x: f64, y: f64| {
                let dx = (x - node.at.x).abs() - straight;
                dx.max(0.0).hypot(y - node.at.y) < NODE_RADIUS
            };
            let (x, y) = (node.at.x.clamp(a[0], a[2]), node.at.y.clamp(a[1], a[3]));
            faults.words_on_node += usize::from(near(x, y));
        }
    }
    for edge in &scene.edges {
        let line = points(&edge.line);
        for node in &scene.nodes {
            if node.name == edge.source || node.name == edge.target {
                continue;
            }
            let straight = node.half - NODE_RADIUS;
            let through = line.iter().any(|(x, y)| {
                let dx = ((x - node.at.x).abs() - straight).max(0.0);
                dx.hypot(y - node.at.y) < NODE_RADIUS
            });
            faults.line_through_node += usize::from(through);
        }
    }
    faults
}

/// A graph of the kinds that pages show: up to 25 nodes, numbers or names, with weights or capacities.
fn made(seed: u64) -> (Graph, Marks) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(2..=25_usize);
    let directed = rng.random_bool(0.4);
    let named = rng.random_bool(0.3);
    let weighted = rng.random_bool(0.7);
    let capacities = directed && rng.random_bool(0.4);
    let names: Vec<NodeName> = (0..n)
        .map(|i| match named {
            true => NodeName::from(
                ["Ann", "Judith", "Beacon Market", "x", "Theodora"][i % 5].to_owned()
                    + &i.to_string(),
            ),
            false => NodeName::from(i),
        })
        .collect();
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for name in &names {
        graph.ensure_node(name.clone()).unwrap();
    }
    // As dense as the questions are: from trees to three edges a node.
    let most = (n * (n - 1) / 2).min(rng.random_range(n.saturating_sub(1)..=3 * n));
    let mut pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    pairs.shuffle(&mut rng);
    for (a, b) in pairs.into_iter().take(most) {
        let (a, b) = if rng.random_bool(0.5) { (a, b) } else { (b, a) };
        let number = f64::from(rng.random_range(1..=if capacities { 200 } else { 10 }));
        let (source, target) = (names[a].clone(), names[b].clone());
        let delta = graph::Delta::AddEdge {
            source,
            target,
            weight: (weighted && !capacities).then_some(number),
            capacity: capacities.then_some(number),
        };
        graph.apply(&delta).unwrap();
    }
    // Claims, of which some are made up.
    let mut marks = Marks::default();
    for _ in 0..rng.random_range(0..4) {
        let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
        if a != b {
            let is_there = graph.edge(&names[a], &names[b]).is_some();
            let mark = if is_there { Mark::True } else { Mark::False };
            marks.edges.push((names[a].clone(), names[b].clone(), mark, None));
        }
    }
    (graph, marks)
}

#[test]
fn nothing_covers_what_it_must_not() {
    let mut sum = Faults::default();
    let mut bad = Vec::new();
    for seed in 0..500 {
        let (graph, marks) = made(seed);
        let places = layout(&graph, suited(&graph), seed, &Places::default());
        let found = faults(&Scene::new(&graph, &places, &marks));
        if found.words_on_node + found.words_on_words + found.line_through_node > 0 {
            bad.push((seed, graph.n_nodes(), graph.n_edges(), format!("{found:?}")));
        }
        sum.words_on_node += found.words_on_node;
        sum.words_on_words += found.words_on_words;
        sum.line_through_node += found.line_through_node;
    }
    println!("{sum:?} in {} of 500 drawings", bad.len());
    assert!(bad.is_empty(), "{sum:?} in {} drawings: {:#?}", bad.len(), &bad[..bad.len().min(12)]);
}

#[test]
fn a_drawing_is_the_same_each_time_and_follows_a_node_that_is_moved() {
    let (graph, marks) = made(7);
    let mut places = layout(&graph, LayoutKind::Circle, 7, &Places::default());
    let one = Scene::new(&graph, &places, &marks);
    assert_eq!(one, Scene::new(&graph, &places, &marks));
    let name = graph.names().next().unwrap().clone();
    let at = places.get(&name).unwrap();
    places.set(name.clone(), Point { x: at.x + 7.0, y: at.y - 5.0 });
    let two = Scene::new(&graph, &places, &marks);
    let moved = two.nodes.iter().find(|n| n.name == name).unwrap();
    assert_eq!(moved.at, Point { x: at.x + 7.0, y: at.y - 5.0 });
}
