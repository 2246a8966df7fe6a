use std::path::Path;

use gguf::fixture::{self, Made};
use gguf::{Draw, File, LocalModel, LocalOptions};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use test_support::Folder;

use super::data::{Faults, Line, read};
use super::network::Network;
use super::*;

mod files;
mod network;
mod own;
mod training;
mod wording;

fn made(architecture: &'static str, has_head: bool) -> Vec<u8> {
    fixture::file(&Made { architecture, stored: 0, has_head, ..Made::default() }).unwrap()
}

fn open(name: &str) -> Result<Given> {
    super::open(name, Path::new("no folder is converted here"))
}

fn network(bytes: &[u8]) -> Network {
    Network::load(&mut File::read(bytes).unwrap()).unwrap()
}

/// Adapters in which nothing is zero, as after some steps.
fn moved(adapters: &Adapters) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut learned = adapters.start(3);
    for i in 0..adapters.places.len() {
        learned[adapters.b(i)].iter_mut().for_each(|x| *x = 0.06 * (rng.random::<f32>() - 0.5));
    }
    learned
}

fn example(tokens: &[u32], first_own: usize) -> Example {
    let is_own = (0..tokens.len()).map(|i| i >= first_own).collect();
    Example { tokens: tokens.to_vec(), is_own, line: 1 }
}

fn logits(bytes: &[u8], tokens: &[u32]) -> Vec<f32> {
    let options = LocalOptions { n_ctx: 128, ..LocalOptions::default() };
    let model = LocalModel::load(File::read(bytes).unwrap(), options).unwrap();
    let mut generation = model.start(tokens.to_vec(), 1, Draw::LIKELIEST).unwrap();
    generation.logits().to_vec()
}

fn apart(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

const TOKENS: [u32; 9] = [5, 80, 33, 200, 7, 7, 120, 44, 90];

fn whole(ended: Result<TuneEnded>) -> (Steps, Progress) {
    match ended.unwrap() {
        TuneEnded::Whole(whole) => *whole,
        TuneEnded::Stopped => panic!("it stopped"),
    }
}

fn lines(folder: &Folder, text: &str) -> Vec<Line> {
    let mut faults = Faults::default();
    let lines = read(&[folder.write("lines.jsonl", text)], &mut faults).unwrap();
    faults.check().unwrap();
    lines
}
