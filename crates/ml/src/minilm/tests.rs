use proptest::prelude::*;
use serde_json::{Value, json};
use text::{Embedded, SimilarityMeasure};

use super::fixture::{config, tokenizer, weights};
use super::*;

fn small() -> MiniLm {
    MiniLm::new(weights(), &tokenizer(), config().to_string().as_bytes()).unwrap()
}

fn error(weights: Vec<u8>, tokenizer: &[u8], config: &Value) -> String {
    let made = MiniLm::new(weights, tokenizer, config.to_string().as_bytes());
    made.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_text_is_read_in_pieces_between_two_marks() {
    assert_eq!(small().pieces("Mother's SISTER").unwrap(), [2, 4, 1, 7, 5, 3]);
    assert_eq!(small().pieces("isun").unwrap(), [2, 6, 8, 3]);
    assert_eq!(small().pieces("").unwrap(), [2, 3]);
    // Longer texts are cut at what the model can tell places of.
    assert_eq!(small().pieces(&"is ".repeat(500)).unwrap().len(), 12);
}

/// What an implementation that is not ours, candle-transformers 0.11, made of the same weights.
#[test]
fn the_vectors_are_those_of_another_implementation() {
    let texts = ["mother's sister", "isun", "", "sister is mother is sister"];
    let theirs: [[f32; 8]; 4] = [
        [
            0.2354307,
            -0.06474346,
            0.10221355,
            0.82974404,
            -0.3408975,
            0.27455932,
            0.14576638,
            0.16916269,
        ],
        [
            0.23846388,
            -0.07314167,
            0.085429616,
            0.83563244,
            -0.31836087,
            0.27567747,
            0.13360323,
            0.19236392,
        ],
        [
            0.2536563,
            -0.067921236,
            0.09275699,
            0.8613823,
            -0.2780508,
            0.19601424,
            0.11114475,
            0.22885533,
        ],
        [
            0.23170635,
            -0.048864212,
            0.114775464,
            0.84606117,
            -0.32628226,
            0.24223939,
            0.12918429,
            0.1819425,
        ],
    ];
    for (text, (ours, theirs)) in
        texts.iter().zip(small().vectors(&texts).unwrap().iter().zip(&theirs))
    {
        for (a, b) in ours.iter().zip(theirs) {
            assert!((a - b).abs() < 1e-6, "{text}: {ours:?} {theirs:?}");
        }
    }
}

/// Weights that were kept as part of a larger model are found.
#[test]
fn weights_below_a_name_are_the_same() {
    let whole = weights();
    let read = safetensors::SafeTensors::deserialize(&whole).unwrap();
    let named: Vec<_> =
        read.tensors().into_iter().map(|(name, view)| (format!("bert.{name}"), view)).collect();
    let below = safetensors::serialize(named, None).unwrap();
    let below = MiniLm::new(below, &tokenizer(), config().to_string().as_bytes()).unwrap();
    let text = "mother is sister";
    assert_eq!(below.vector(text).unwrap(), small().vector(text).unwrap());
}

#[test]
fn what_does_not_fit_is_said() {
    let fits = config();
    assert!(error(Vec::new(), &tokenizer(), &fits).starts_with("the weights do not fit"));
    assert!(error(weights(), b"{}", &fits).starts_with("the tokenizer cannot be read"));
    assert!(error(weights(), &tokenizer(), &json!({})).contains("config.json"));
    let mut wrong = fits.clone();
    wrong["hidden_size"] = json!(16);
    assert!(error(weights(), &tokenizer(), &wrong).starts_with("the weights do not fit"));
    wrong["hidden_size"] = json!(1_000_000_000);
    assert!(error(weights(), &tokenizer(), &wrong).contains("hidden_size = 1000000000"));
    wrong["hidden_size"] = json!(9);
    assert!(error(weights(), &tokenizer(), &wrong).contains("9 dimensions"));
    let mut other = fits.clone();
    other["hidden_act"] = json!("silu");
    assert!(error(weights(), &tokenizer(), &other).contains("unknown variant `silu`"));
    let mut few = fits;
    few["vocab_size"] = json!(3);
    assert!(error(weights(), &tokenizer(), &few).contains("9 pieces and the model knows 3"));
}

/// The library that reads tokenizers panics on each of these.
#[test]
fn a_broken_tokenizer_is_told_and_no_panic() {
    let broken = |from: &str, to: &str| {
        let text = String::from_utf8(tokenizer()).unwrap();
        assert!(text.contains(from), "{from}");
        error(weights(), text.replace(from, to).as_bytes(), &config())
    };
    let told = broken("\"decoder\":null", "\"decoder\":nulx");
    assert!(told.contains("expected ident at line 1 column"), "{told}");
    let told = broken("\"type\":\"BertNormalizer\"", "\"type\":\"Precompiled\"");
    assert!(told.contains("its normalizer is \"Precompiled\"; expected one of Bert"), "{told}");
    let told = broken("\"[SEP]\":3", "\"[sep]\":3");
    assert!(told.contains("its vocabulary has no \"[SEP]\", which stands around"), "{told}");
    let told = broken("\"model\":", "\"modal\":");
    assert!(told.contains("its vocabulary has no \"[CLS]\""), "{told}");
    // A mark that is named and not explained, and a second text where there is one.
    for (from, to) in [("{\"[CLS]\":{", "{\"[XYZ]\":{"), ("\"id\":\"A\"", "\"id\":\"B\"")] {
        let text = String::from_utf8(tokenizer()).unwrap().replace(from, to);
        let config = config().to_string();
        let model = MiniLm::new(weights(), text.as_bytes(), config.as_bytes()).unwrap();
        assert_eq!(model.pieces("isun").unwrap(), small().pieces("isun").unwrap(), "{to}");
    }
    // What is not needed is not read.
    let text = String::from_utf8(tokenizer()).unwrap();
    let text = text.replace("\"decoder\":null", "\"decoder\":{\"type\":\"None\"}");
    let config = config().to_string();
    assert!(MiniLm::new(weights(), text.as_bytes(), config.as_bytes()).is_ok());
}

#[test]
fn damaged_weights_are_told_with_their_place() {
    let whole = weights();
    let told = |bytes: Vec<u8>| error(bytes, &tokenizer(), &config());
    assert!(told(whole[..5].to_vec()).contains("has 5 bytes, too few"));
    assert!(told(b"<!doctype html><html></html>".to_vec()).contains("another kind of file"));
    let cut = told(whole[..whole.len() - 10].to_vec());
    assert!(cut.contains(&format!("of {} bytes, inside e", whole.len())), "{cut}");
    let mut longer = whole.clone();
    longer.push(0);
    assert!(told(longer).contains("by its head"));
    let mut nan = whole.clone();
    let at = nan.len() - 8;
    nan[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let nan = told(nan);
    assert!(nan.contains("no finite number") && nan.contains(&format!("at byte {at}")), "{nan}");
}

#[test]
fn it_tells_which_texts_are_alike() {
    let index = Embedded(std::rc::Rc::new(small())).index(&["mother is sister", "un"]);
    assert!((index.scores("mother is sister")[0] - 1.0).abs() < 1e-5);
}

proptest! {
    /// However it is cut or changed, it is no panic; what is cut is never taken.
    #[test]
    fn no_damage_is_a_panic(end in 0usize..8_000, at in 0usize..8_000, with in any::<u8>()) {
        let whole = weights();
        if end < whole.len() {
            let cut = whole[..end].to_vec();
            prop_assert!(error(cut, &tokenizer(), &config()).starts_with("the weights do not fit"));
        }
        let mut changed = whole;
        let at = at % changed.len();
        changed[at] = with;
        let _ = MiniLm::new(changed, &tokenizer(), config().to_string().as_bytes());
    }

    /// A text alone needs no mask and no filling up, so this holds both to it.
    #[test]
    fn a_text_among_others_has_the_vector_that_it_has_alone(
        texts in prop::collection::vec("(mother |sister |is |s |x ){0,7}", 1..5)
    ) {
        let model = small();
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = model.vectors(&refs).unwrap();
        prop_assert_eq!(together.len(), texts.len());
        for (text, vector) in texts.iter().zip(&together) {
            let alone = model.vector(text).unwrap();
            let length: f32 = alone.iter().map(|x| x * x).sum();
            prop_assert!((length - 1.0).abs() < 1e-4);
            for (a, b) in vector.iter().zip(&alone) {
                prop_assert!((a - b).abs() < 1e-4, "{vector:?} {alone:?}");
            }
        }
    }
}
