//! How the model came to an answer: for each token of it how likely which others were, and where it
//! looked in what stands before.

use llm::Message;

use crate::codec::{encode_turn, read_part};
use crate::text::{Detokenizer, TalkNames};
use crate::vocabulary::{
    ASK, BREAK, END, END_CALL, ERROR, Kind, REPLY, RESULT, function_of, kind, name_of,
};
use crate::{Draw, OwnError, OwnModel};

/// The most tokens of an answer that are looked into.
const MAX_SAID: usize = 400;

/// Two nodes that the question names one behind the other: an edge, a start and a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedPair {
    /// Its first token, counted from the first of the question.
    pub first: usize,
    /// The token behind its last.
    pub end: usize,
    /// Both nodes as the question writes them, in the order of the text.
    pub nodes: [String; 2],
}

/// A token of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedToken {
    /// The likeliest texts at its place with their probabilities, the likeliest first.
    pub likely: Vec<(String, f32)>,
    /// How likely the token itself was.
    pub probability: f32,
    /// How much the model looked at each token before it when it said this one: the mean over all heads
    /// of all layers. They sum to 1.
    pub looks: Vec<f32>,
}

/// How an answer came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The characters that each token adds, those of the question first. Marks add none.
    pub pieces: Vec<String>,
    /// How many tokens the question has.
    pub n_question: usize,
    /// The pairs of nodes that the question names.
    pub pairs: Vec<LookedPair>,
    /// One for each token of the answer.
    pub said: Vec<LookedToken>,
}

impl OwnModel {
    /// Computes a turn of the model again, behind the conversation `before` it, and tells for each token
    /// what `n` texts were the likeliest and where the model looked. `has_tools` says whether tools were
    /// offered.
    ///
    /// What is said need not be what the model would say: a person may ask how likely other words
    /// are. Of a long turn the first 400 tokens are told. Where no tools were offered the latest
    /// question alone is read, as for an answer.
    /// O(tokens² · layers · width).
    ///
    /// # Errors
    /// As for any question: it is not in the model's words or numbers, or too long.
    pub fn look(
        &self,
        before: &[Message],
        said: &Message,
        has_tools: bool,
        n: usize,
    ) -> Result<Look, OwnError> {
        // Names of the question are the same in what is said.
        let mut names = TalkNames::default();
        let asked = self.prompt(read_part(before, has_tools), has_tools, &mut names)?;
        let mut tokens = Vec::new();
        encode_turn(said, &mut names, &mut tokens);
        tokens.truncate(MAX_SAID);
        tokens.push(END);
        let (n_question, pairs) = (asked.len(), pairs(&asked, &names));
        let mut pieces = Pieces::new(names);
        let mut texts: Vec<String> = asked.iter().map(|token| pieces.push(*token)).collect();
        let mut generation = self.start(asked, tokens.len(), Draw::LIKELIEST)?;
        let mut told = Vec::new();
        for token in tokens {
            if generation.tokens().len() >= crate::codec::WINDOW {
                break;
            }
            let likely = generation.likeliest(n).into_iter().map(|other| {
                let piece = pieces.clone().push(other.token);
                let name = if piece.trim().is_empty() { name_of(other.token) } else { piece };
                (name.trim().to_owned(), other.log_probability.exp())
            });
            let likely = likely.collect();
            let probability = probability(generation.logits(), token);
            let looks = mean(&generation.attention(generation.tokens().len() - 1));
            told.push(LookedToken { likely, probability, looks });
            texts.push(if token == END { String::new() } else { pieces.push(token) });
            generation.push(token);
        }
        Ok(Look { pieces: texts, n_question, pairs, said: told })
    }
}

/// The characters of tokens, in calls and their results, too.
#[derive(Clone, Debug)]
struct Pieces {
    names: TalkNames,
    text: Detokenizer,
    /// Within a call or what it gave.
    in_call: bool,
    behind_tail: bool,
}

impl Pieces {
    fn new(names: TalkNames) -> Self {
        let text = Detokenizer::with_names(names.clone());
        Self { names, text, in_call: false, behind_tail: false }
    }

    /// The characters that a token adds.
    fn push(&mut self, token: u32) -> String {
        let behind_tail = std::mem::take(&mut self.behind_tail);
        match (token, kind(token)) {
            (ASK | REPLY, _) => {
                *self = Self::new(std::mem::take(&mut self.names));
                String::new()
            }
            (END, _) => "\n".to_owned(),
            (RESULT | ERROR, _) => {
                self.in_call = true;
                if token == ERROR { "→ error".to_owned() } else { "→".to_owned() }
            }
            (END_CALL, _) => ")\n".to_owned(),
            (_, Kind::Function) => {
                self.in_call = true;
                function_of(token).map_or_else(String::new, |(name, _)| format!("{name}("))
            }
            _ if !self.in_call => self.text.push(token),
            (_, Kind::Head(n)) => format!(" {}", node(&self.names, n)),
            (_, Kind::Tail(n)) => {
                self.behind_tail = true;
                format!("–{}", node(&self.names, n))
            }
            // A weight or a capacity stands behind its edge.
            (_, Kind::Number(n)) if behind_tail => format!(":{n}"),
            (_, Kind::Number(n)) => format!(" {n}"),
            (_, Kind::Form(_)) | (BREAK, _) => String::new(),
            _ => format!(" {}", name_of(token)),
        }
    }
}

/// A node as the conversation writes it.
fn node(names: &TalkNames, n: u32) -> String {
    names.text(n).map_or_else(|| n.to_string(), str::to_owned)
}

fn probability(logits: &[f32], token: u32) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|x| (x - most).exp()).sum();
    logits.get(token as usize).map_or(0.0, |x| (x - most).exp() / sum)
}

fn mean(heads: &[Vec<f32>]) -> Vec<f32> {
    let n = heads.iter().map(Vec::len).max().unwrap_or_default();
    let mut sums = vec![0.0; n];
    for head in heads {
        for (sum, weight) in sums.iter_mut().zip(head) {
            *sum += weight / heads.len() as f32;
        }
    }
    sums
}

/// The pairs of nodes in tokens: a head, then a tail, and the number behind them where one is.
fn pairs(tokens: &[u32], names: &TalkNames) -> Vec<LookedPair> {
    let mut pairs = Vec::new();
    for (first, two) in tokens.windows(2).enumerate() {
        if let (Kind::Head(u), Kind::Tail(v)) = (kind(two[0]), kind(two[1])) {
            let has_number =
                tokens.get(first + 2).is_some_and(|token| matches!(kind(*token), Kind::Number(_)));
            let end = first + 2 + usize::from(has_number);
            pairs.push(LookedPair { first, end, nodes: [u, v].map(|n| node(names, n)) });
        }
    }
    pairs
}
