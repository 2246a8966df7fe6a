use super::*;
use crate::fixture::{self, Made};

fn made() -> Vec<u8> {
    fixture::file(&Made::default()).unwrap()
}

fn error(bytes: Vec<u8>) -> String {
    File::read(bytes).unwrap_err().to_string()
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

#[test]
fn a_file_says_what_it_is() {
    let file = File::read(made()).unwrap();
    let summary = file.summary();
    assert_eq!((&*summary.architecture, &*summary.name), ("llama", "made up"));
    assert_eq!((&*summary.quantisation, summary.n_ctx_trained), ("Q8_0", 512));
    assert_eq!(summary.cache_bytes(10), 2 * 2 * 32 * 2 * 10);
    let Err(GgufError::TooLarge { largest, .. }) = summary.fits(2_000_000, 512) else {
        let fit = summary.fits(2_000_000_000, 512).unwrap();
        assert_eq!(fit.needed + fit.left, 2_000_000_000);
        return;
    };
    assert!(largest.is_none_or(|n| summary.fits(2_000_000, n).is_ok()));
}

#[test]
fn it_is_said_why_a_file_does_not_fit() {
    let file = File::read(made()).unwrap();
    let text = file.summary().fits(1000, 512).unwrap_err().to_string();
    assert!(text.contains("and 1000 are free; a smaller model is needed"), "{text}");
    let text = file.summary().fits(1 << 40, 513).unwrap_err().to_string();
    assert_eq!(text, "a context of 513 tokens was asked for; the model was trained for 512");
}

#[test]
fn errors_say_what_is_wrong() {
    let good = made();
    assert_eq!(
        error(b"PK..".to_vec()),
        "this is no GGUF file: it begins with \"PK..\" where \"GGUF\" was expected"
    );
    assert!(error(Vec::new()).contains("no GGUF file"));
    let version = [b"GGUF".as_slice(), &9_u32.to_le_bytes(), &[0; 16]].concat();
    assert_eq!(error(version), "the file has GGUF version 9; versions 2 and 3 are read");
    assert!(error(good[..good.len() - 40].to_vec()).starts_with("the file ends within tensor"));
    assert!(error(good[..2000].to_vec()).starts_with("the file ends within"));
    let mamba = replaced(&good, b"\x05\0\0\0\0\0\0\0llama", b"\x05\0\0\0\0\0\0\0mamba");
    assert_eq!(
        error(mamba),
        "the model's architecture is \"mamba\"; those that run here are llama and qwen2"
    );
    let bert = replaced(&good, b"\x04\0\0\0\0\0\0\0gpt2", b"\x04\0\0\0\0\0\0\0bert");
    assert!(error(bert).contains("its kind is \"bert\"; known are"));
    let none = replaced(&good, b"tokenizer.ggml.tokens", b"tokenizer.ggml.tokenz");
    assert!(error(none).contains("no list \"tokenizer.ggml.tokens\""));
    let mut odd = good.clone();
    let name = b"blk.0.attn_q.weight";
    let at = odd.windows(name.len()).position(|w| w == name).unwrap() + name.len() + 20;
    odd[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    assert!(error(odd).contains("\"blk.0.attn_q.weight\" is stored as Q2_K; types that are read"));
    let lost = replaced(&good, b"blk.1.ffn_up.weight", b"blk.1.ffn_xx.weight");
    let file = File::read(lost).unwrap();
    let lost =
        crate::LocalModel::load(file, crate::LocalOptions { n_ctx: 64, ..Default::default() });
    assert!(lost.unwrap_err().to_string().contains("\"blk.1.ffn_up.weight\" is missing"));
}

#[test]
fn counts_that_lie_take_no_memory() {
    let mut lies = b"GGUF".to_vec();
    lies.extend_from_slice(&3_u32.to_le_bytes());
    lies.extend_from_slice(&1_u64.to_le_bytes());
    lies.extend_from_slice(&1_u64.to_le_bytes());
    let key = b"tokenizer.ggml.tokens";
    lies.extend_from_slice(&(key.len() as u64).to_le_bytes());
    lies.extend_from_slice(key);
    lies.extend_from_slice(&9_u32.to_le_bytes());
    lies.extend_from_slice(&8_u32.to_le_bytes());
    lies.extend_from_slice(&(u64::MAX / 2).to_le_bytes());
    assert!(error(lies).starts_with("the file ends within tokenizer.ggml.tokens"));
}
