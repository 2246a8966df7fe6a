//! Catch the lie: ten recorded answers, in each of which one has to pick what is false.

use std::collections::HashSet;

use protocol::answers::CheckedAnswer;
use tasks::{TaskId, Verdict};

use super::answers::{TextPiece, pieces};

/// Answers of a round.
pub const N_ANSWERS: usize = 10;
/// The longest answer of a round, in bytes: a class reads it in a minute.
const MAX_BYTES: usize = 900;

/// Whether an answer can be played: it is not right, and something true and something false can be picked
/// in it.
pub fn is_playable(answer: &CheckedAnswer) -> bool {
    let cut = pieces(answer);
    let picks = || cut.iter().filter_map(|piece| piece.pick.as_ref());
    answer.text.len() <= MAX_BYTES
        && answer.judgement.verdict != Verdict::Correct
        && picks().any(|pick| pick.is_false)
        && picks().any(|pick| !pick.is_false)
}

/// The next number of a row that a seed begins (splitmix64): no crate is needed for ten places.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn shuffle<T>(list: &mut [T], state: &mut u64) {
    for i in (1..list.len()).rev() {
        list.swap(i, (next(state) % (i as u64 + 1)) as usize);
    }
}

/// The answers of a round, the same for the same seed: of each task as many as of any other, as long
/// as there are.
pub fn draw(all: &[CheckedAnswer], seed: u64) -> Vec<CheckedAnswer> {
    let mut state = seed;
    let mut left: Vec<&CheckedAnswer> = all.iter().filter(|answer| is_playable(answer)).collect();
    shuffle(&mut left, &mut state);
    let mut texts = HashSet::new();
    left.retain(|answer| texts.insert(answer.text.as_str()));
    let mut tasks: Vec<TaskId> = left.iter().map(|answer| answer.problem.task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    shuffle(&mut tasks, &mut state);
    let mut drawn = Vec::new();
    while drawn.len() < N_ANSWERS && !left.is_empty() {
        for task in &tasks {
            let found = left.iter().position(|answer| answer.problem.task == *task);
            if let Some(at) = found.filter(|_| drawn.len() < N_ANSWERS) {
                drawn.push(left.remove(at).clone());
            }
        }
    }
    shuffle(&mut drawn, &mut state);
    drawn
}

/// An answer of a round, with what was picked.
#[derive(Clone, Debug, PartialEq)]
pub struct LieTurn {
    /// The answer.
    pub answer: CheckedAnswer,
    /// Its pieces.
    pub pieces: Vec<TextPiece>,
    /// The piece that was picked, by its place.
    pub picked: Option<usize>,
}

impl LieTurn {
    /// Whether what was picked is false; nothing where nothing was picked yet.
    pub fn is_caught(&self) -> Option<bool> {
        let pick = self.pieces.get(self.picked?)?.pick.as_ref()?;
        Some(pick.is_false)
    }

    /// What came of the pick, in a sentence or two.
    pub fn told(&self) -> Option<String> {
        let picks = || self.pieces.iter().filter_map(|piece| piece.pick.as_ref());
        let picked = self.pieces.get(self.picked?)?.pick.as_ref()?;
        if picked.is_false {
            return Some(format!("Caught: {}.", picked.why));
        }
        let lie = picks().find(|pick| pick.is_false)?;
        Some(format!("That one is true: {}. The lie is “{}”: {}.", picked.why, lie.says, lie.why))
    }
}

/// A round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The seed that drew it.
    pub seed: u64,
    /// Its answers.
    pub turns: Vec<LieTurn>,
    /// The one that is shown; behind the last one stands the score.
    pub at: usize,
}

impl Round {
    /// A round that begins.
    pub fn new(all: &[CheckedAnswer], seed: u64) -> Self {
        let turns = draw(all, seed).into_iter().map(|answer| {
            let pieces = pieces(&answer);
            LieTurn { answer, pieces, picked: None }
        });
        Self { seed, turns: turns.collect(), at: 0 }
    }

    /// The answer that is shown.
    pub fn turn(&self) -> Option<&LieTurn> {
        self.turns.get(self.at)
    }

    /// Picks a piece of the answer that is shown; the first pick counts.
    pub fn pick(&mut self, piece: usize) {
        if let Some(turn) = self.turns.get_mut(self.at)
            && turn.picked.is_none()
            && turn.pieces.get(piece).is_some_and(|piece| piece.pick.is_some())
        {
            turn.picked = Some(piece);
        }
    }

    /// Goes on to the next answer, once something was picked.
    pub fn go_on(&mut self) {
        if self.turn().is_some_and(|turn| turn.picked.is_some()) {
            self.at += 1;
        }
    }

    /// Whether all answers were played.
    pub fn is_over(&self) -> bool {
        !self.turns.is_empty() && self.at >= self.turns.len()
    }

    /// How many lies were caught.
    pub fn score(&self) -> usize {
        self.turns.iter().filter(|turn| turn.is_caught() == Some(true)).count()
    }

    /// A square for each answer: full where the lie was caught.
    pub fn squares(&self) -> String {
        let square = |turn: &LieTurn| match turn.is_caught() {
            Some(true) => '■',
            Some(false) => '□',
            None => '·',
        };
        self.turns.iter().map(square).collect()
    }

    /// The result in a line.
    pub fn line(&self) -> String {
        format!(
            "Graphground · catch the lie · {} of {} {}",
            self.score(),
            self.turns.len(),
            self.squares()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::answers::tests::recorded;
    use super::*;

    fn texts(round: &Round) -> Vec<&str> {
        round.turns.iter().map(|turn| turn.answer.text.as_str()).collect()
    }

    #[test]
    fn the_same_seed_draws_the_same_ten_and_another_seed_others() {
        let all = recorded();
        let round = Round::new(&all, 5);
        assert_eq!(round.turns.len(), N_ANSWERS);
        assert_eq!(round, Round::new(&all, 5));
        assert_ne!(texts(&round), texts(&Round::new(&all, 6)));
        for turn in &round.turns {
            assert!(is_playable(&turn.answer), "{}", turn.answer.text);
            assert_ne!(turn.answer.judgement.verdict, Verdict::Correct, "{}", turn.answer.text);
        }
        // None comes twice.
        let texts = texts(&round);
        for (i, one) in texts.iter().enumerate() {
            assert!(!texts[..i].contains(one), "{one}");
        }
    }

    #[test]
    fn a_round_is_played_to_its_score() {
        let mut round = Round::new(&recorded(), 1);
        round.go_on();
        assert_eq!(round.at, 0, "nothing was picked yet");
        for i in 0..N_ANSWERS {
            let wanted = i % 3 != 0;
            let turn = round.turn().unwrap();
            let is = |piece: &TextPiece| piece.pick.as_ref().is_some_and(|p| p.is_false == wanted);
            let piece = turn.pieces.iter().position(is).unwrap();
            let other = turn.pieces.iter().position(|p| p.pick.is_none());
            if let Some(plain) = other {
                round.pick(plain);
                assert_eq!(round.turn().unwrap().picked, None, "it claims nothing");
            }
            round.pick(piece);
            let turn = round.turn().unwrap();
            assert_eq!(turn.is_caught(), Some(wanted));
            let told = turn.told().unwrap();
            assert!(
                told.starts_with(if wanted { "Caught: " } else { "That one is true: " }),
                "{told}"
            );
            // The first pick counts.
            round.pick(0);
            assert_eq!(round.turn().unwrap().picked, Some(piece));
            round.go_on();
        }
        assert!(round.is_over());
        assert_eq!(round.line(), "Graphground · catch the lie · 6 of 10 □■■□■■□■■□");
    }

    #[test]
    fn nothing_is_drawn_where_nothing_is() {
        let round = Round::new(&[], 3);
        assert!(round.turns.is_empty() && !round.is_over() && round.turn().is_none());
    }
}
