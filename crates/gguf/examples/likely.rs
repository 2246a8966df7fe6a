//! What a model of a file finds likely, and how fast it is: `likely FILE PROMPTS` reads prompts as
//! lines of JSON strings and prints, for each, a line with its tokens and the 20 likeliest tokens
//! that follow; `likely FILE speed N_PROMPT N_OUTPUT` prints tokens a second; `likely FILE schema SCHEMA`
//! reads a JSON schema and prints how long it holds up a reply.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::time::Instant;

use gguf::{Draw, File, LocalModel, LocalOptions};
use llm::ReplyShape;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, rest @ ..] = args.as_slice() else {
        return Err("expected a file and prompts".into());
    };
    let begun = Instant::now();
    let file = File::over(std::fs::File::open(path)?)?;
    println!("{:?}", file.summary());
    let model = LocalModel::load(file, LocalOptions::default())?;
    println!("loaded in {:?}", begun.elapsed());
    let draw = Draw::LIKELIEST;
    match rest {
        [what, n_prompt, n_output] if what == "speed" => {
            let (n_prompt, n_output): (usize, usize) = (n_prompt.parse()?, n_output.parse()?);
            for round in 0..3 {
                model.forget();
                let prompt: Vec<u32> =
                    (0..n_prompt).map(|i| (i * 37 % 40_000 + 1000) as u32).collect();
                let mut generation = model.start(prompt, n_output, draw)?;
                let begun = Instant::now();
                while generation.prefill() {}
                let prefill = begun.elapsed().as_secs_f64();
                let begun = Instant::now();
                while let Some(token) = generation.draw() {
                    generation.push(token);
                }
                let decode = begun.elapsed().as_secs_f64();
                println!(
                    "round {round}: prefill {:.1} tokens/s, decode {:.1} tokens/s",
                    n_prompt as f64 / prefill,
                    n_output as f64 / decode
                );
            }
        }
        [what, schema] if what == "schema" => {
            let schema = serde_json::from_str(&std::fs::read_to_string(schema)?)?;
            let shape = ReplyShape::Schema(schema);
            for round in 0..3 {
                let prompt = model.tokenizer().prompt("Answer in JSON.")?;
                let mut generation = model.start(prompt, 200, draw)?;
                let begun = Instant::now();
                generation.keep_to(&shape)?;
                println!("round {round}: ready after {:?}", begun.elapsed());
                let mut took = Vec::new();
                let mut tokens = Vec::new();
                generation.logits();
                let begun = Instant::now();
                while let Some(token) = generation.draw() {
                    took.push(begun.elapsed());
                    if model.tokenizer().is_end(token) {
                        break;
                    }
                    tokens.push(token);
                    generation.push(token);
                }
                let text: String = tokens.iter().map(|t| model.tokenizer().text(*t)).collect();
                println!(
                    "first token after {:?}, {} in {:?}: {text}",
                    took.first(),
                    took.len(),
                    begun.elapsed()
                );
            }
        }
        [prompts] => {
            for line in std::fs::read_to_string(prompts)?.lines() {
                let text: String = serde_json::from_str(line)?;
                let tokens = model.tokenizer().prompt(&text)?;
                let mut generation = model.start(tokens.clone(), 1, draw)?;
                let likely: Vec<_> = generation
                    .likeliest(20)
                    .iter()
                    .map(|l| serde_json::json!([l.token, l.log_probability]))
                    .collect();
                println!("{}", serde_json::json!({ "tokens": tokens, "likely": likely }));
            }
        }
        _ => return Err("expected `speed N N`, `schema FILE`, or a file with prompts".into()),
    }
    Ok(())
}
