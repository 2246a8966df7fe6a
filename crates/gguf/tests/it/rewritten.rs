//! Files that are written again with other numbers.

use std::collections::BTreeMap;

use gguf::fixture::{self, Made};
use gguf::{Draw, File, LocalModel, LocalOptions, Stored};
use proptest::prelude::*;

const N_CTX: usize = 64;

fn model(bytes: &[u8]) -> LocalModel {
    let options = LocalOptions { n_ctx: N_CTX, ..LocalOptions::default() };
    LocalModel::load(File::read(bytes).unwrap(), options).unwrap()
}

fn logits(bytes: &[u8], tokens: &[u32]) -> Vec<f32> {
    let model = model(bytes);
    let mut generation = model.start(tokens.to_vec(), 1, Draw::LIKELIEST).unwrap();
    generation.logits().to_vec()
}

fn rewritten(
    bytes: &[u8],
    changed: &BTreeMap<String, Vec<f32>>,
    stored: Stored,
) -> Result<Vec<u8>, gguf::GgufError> {
    let mut out = Vec::new();
    File::read(bytes).unwrap().rewrite(changed, stored, &mut out)?;
    Ok(out)
}

#[test]
fn a_file_without_a_change_answers_as_before() {
    for architecture in ["llama", "qwen2"] {
        for stored in [0, 3, 8, 12] {
            let made = Made { architecture, stored, has_head: stored == 8, ..Made::default() };
            let bytes = fixture::file(&made).unwrap();
            let again = rewritten(&bytes, &BTreeMap::new(), Stored::F16).unwrap();
            let (one, two) = (File::read(&bytes).unwrap(), File::read(&again).unwrap());
            assert_eq!(one.summary(), two.summary());
            assert_eq!(logits(&bytes, &[5, 80, 33]), logits(&again, &[5, 80, 33]));
            // Nothing of tokenizer and template is lost.
            let text = "the hand <|im_end|>\nand then";
            let tokens = |file: &File<_>| file.tokenizer().unwrap().prompt(text).unwrap();
            assert_eq!(tokens(&one), tokens(&two));
            assert!(two.template().unwrap().knows_tools());
        }
    }
}

#[test]
fn changed_numbers_are_read_back_as_they_are_stored() {
    let bytes = fixture::file(&Made::default()).unwrap();
    let mut file = File::read(&bytes).unwrap();
    let name = "blk.1.ffn_up.weight";
    let numbers: Vec<f32> = file.numbers(name).unwrap().iter().map(|x| 0.1 - x).collect();
    let changed = BTreeMap::from([(name.to_owned(), numbers.clone())]);
    for (stored, most, named) in
        [(Stored::F32, 0.0, "F32"), (Stored::F16, 2e-4, "F16"), (Stored::Q8_0, 2e-3, "Q8_0")]
    {
        let again = rewritten(&bytes, &changed, stored).unwrap();
        let mut two = File::read(&again).unwrap();
        let found = two.numbers(name).unwrap();
        let apart = found.iter().zip(&numbers).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart <= most, "{named}: {apart}");
        for (other, ..) in file.tensors().map(|(n, r, c)| (n.to_owned(), r, c)).collect::<Vec<_>>()
        {
            if other != name {
                assert_eq!(file.numbers(&other).unwrap(), two.numbers(&other).unwrap(), "{other}");
            }
        }
        assert_ne!(logits(&bytes, &[5, 80, 33]), logits(&again, &[5, 80, 33]));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let bytes = fixture::file(&Made::default()).unwrap();
    let error = |name: &str, n: usize| {
        let changed = BTreeMap::from([(name.to_owned(), vec![0.0; n])]);
        rewritten(&bytes, &changed, Stored::Q8_0).unwrap_err().to_string()
    };
    assert!(error("blk.7.ffn_up.weight", 5).contains("is missing"));
    assert!(error("blk.0.ffn_up.weight", 5).contains("8192 numbers; 5 were given"));
    assert!(File::read(&bytes).unwrap().numbers("none").is_err());
}

#[test]
fn sizes_are_those_of_the_tensors() {
    let bytes =
        fixture::file(&Made { architecture: "qwen2", has_head: true, ..Made::default() }).unwrap();
    let mut file = File::read(&bytes).unwrap();
    let sizes = file.sizes().unwrap();
    assert_eq!((sizes.n_layers, sizes.n_heads, sizes.n_kv_heads, sizes.head_dim), (2, 4, 2, 16));
    assert_eq!((sizes.turns.len(), sizes.turns_halves, sizes.has_head), (8, true, true));
    let row = |name: &str| file.tensors().find(|(n, ..)| *n == name).map(|(_, r, c)| (r, c));
    assert_eq!(row("blk.0.ffn_down.weight"), Some((sizes.n_embd, sizes.n_ff)));
    assert_eq!(row("token_embd.weight"), Some((sizes.n_vocab, sizes.n_embd)));
}

#[test]
fn control_tokens_are_found_in_texts() {
    let bytes = fixture::file(&Made::default()).unwrap();
    let tokenizer = File::read(&bytes).unwrap().tokenizer().unwrap();
    assert_eq!(tokenizer.control_in("the <|im end|> is none"), None);
    let found = tokenizer.control_in("it is <|im_end|> here").unwrap();
    assert_eq!(tokenizer.text(found), "<|im_end|>");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// A prompt in two parts, cut where a special token begins, is the prompt.
    #[test]
    fn parts_of_a_prompt_are_the_prompt(a in "[a-z \n]{0,30}", b in "[a-z \n]{0,30}") {
        let bytes = fixture::file(&Made::default()).unwrap();
        let tokenizer = File::read(&bytes).unwrap().tokenizer().unwrap();
        let (one, two) = (format!("<|im_start|>{a}"), format!("<|im_end|>{b}"));
        let whole = tokenizer.prompt(&format!("{one}{two}")).unwrap();
        let mut parts = tokenizer.prompt(&one).unwrap();
        parts.extend(tokenizer.prompt_behind(&two).unwrap());
        prop_assert_eq!(parts, whole);
    }
}
