//! Files of trained models and of words.

use ml::MiniLm;
use ml::fixture::{bpr, graph_bert, seg_bert, transe};
use ml::minilm::fixture;
use text::table::{WordRow, write};
use text::{Embed as _, WordTable};

use crate::Target;

/// The sizes of the parts of MiniLM's files stand in front, as two numbers of two bytes.
fn minilm(data: &[u8]) {
    let Some((sizes, rest)) = data.split_first_chunk::<4>() else { return };
    let at = |i: usize| usize::from(u16::from_le_bytes([sizes[i], sizes[i + 1]]));
    let (config, rest) = rest.split_at(at(0).min(rest.len()));
    let (tokenizer, weights) = rest.split_at(at(2).min(rest.len()));
    if let Ok(model) = MiniLm::new(weights.to_vec(), tokenizer, config) {
        drop(model.vector("a cat, or 2 of them"));
    }
}

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new(
            "weights",
            65_536,
            |data| drop(backends::trained::read(data)),
            |_| vec![bpr(), transe(), graph_bert(), seg_bert()],
        ),
        Target::new("weights_minilm", 65_536, minilm, |_| {
            let (config, tokenizer) =
                (fixture::config().to_string().into_bytes(), fixture::tokenizer());
            let sizes = [config.len() as u16, tokenizer.len() as u16];
            let head: Vec<u8> = sizes.iter().flat_map(|n| n.to_le_bytes()).collect();
            vec![[head, config, tokenizer, fixture::weights()].concat()]
        }),
        Target::new(
            "word_table",
            8192,
            |data| {
                if let Ok(table) = WordTable::read(data) {
                    let _ = (table.n_words(), table.n_dims(), table.has("cat"));
                    let _ = table.embed("a cat and an xqzz");
                }
            },
            |_| {
                let row = |(i, word): (usize, &str)| WordRow {
                    word: word.to_owned(),
                    vector: (0..4).map(|d| (i * 4 + d) as f32 / 10.0 - 0.5).collect(),
                };
                let words = ["a", "cat", "or", "zebra"];
                write(words.into_iter().enumerate().map(row).collect()).into_iter().collect()
            },
        ),
    ]
}
