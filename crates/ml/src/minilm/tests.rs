use proptest::prelude::*;
use serde_json::{Value, json};
use text::{Embedded, Meaning};

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
    let mut few = fits;
    few["vocab_size"] = json!(3);
    assert!(error(weights(), &tokenizer(), &few).contains("9 pieces and the model knows 3"));
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
