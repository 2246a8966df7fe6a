//! Catch the lie: ten recorded answers, in each of which one has to pick what is false.

use std::collections::{BTreeMap, HashSet};

use draw::Marks;
use protocol::answers::CheckedAnswer;
use serde::{Deserialize, Serialize};
use tasks::{TaskId, Verdict};

use super::answers::{Pick, TextPiece, pieces};
use super::marks;

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
    let (mut texts, mut questions) = (HashSet::new(), HashSet::new());
    left.retain(|answer| {
        // The same words with other blanks are the same answer; two to one question are too alike.
        let words: Vec<String> = answer.text.split_whitespace().map(str::to_lowercase).collect();
        texts.insert(words) && questions.insert(answer.problem.question.as_str())
    });
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
    /// What was done with it.
    pub played: PlayedTurn,
}

/// What was done with an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayedTurn {
    /// The piece that was picked, by its place; in a class the one with the most hands.
    pub picked: Option<usize>,
    /// The hands of a class, by the place of the piece.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hands: BTreeMap<usize, u32>,
    /// Whether the truth is shown.
    #[serde(default)]
    pub is_over: bool,
}

impl LieTurn {
    fn new(answer: CheckedAnswer) -> Self {
        let pieces = pieces(&answer);
        Self { answer, pieces, played: PlayedTurn::default() }
    }

    /// What can be picked, each with the place of its piece.
    pub fn picks(&self) -> impl Iterator<Item = (usize, &Pick)> {
        self.pieces.iter().enumerate().filter_map(|(i, piece)| Some((i, piece.pick.as_ref()?)))
    }

    /// The letter of the claim of a piece: the first one is A.
    pub fn letter(&self, piece: usize) -> char {
        let place = self.picks().position(|(i, _)| i == piece).unwrap_or_default();
        u32::try_from(place).ok().and_then(|n| char::from_u32('A' as u32 + n)).unwrap_or('?')
    }

    fn picked(&self) -> Option<&Pick> {
        self.pieces.get(self.played.picked?)?.pick.as_ref()
    }

    /// Whether what was picked is false; nothing where nothing was picked yet.
    pub fn is_caught(&self) -> Option<bool> {
        Some(self.picked()?.is_false)
    }

    /// What came of the pick, in a sentence or two.
    pub fn told(&self) -> Option<String> {
        let lie = self.picks().map(|(_, pick)| pick).find(|pick| pick.is_false)?;
        match self.picked() {
            _ if !self.played.is_over => None,
            Some(picked) if picked.is_false => Some(format!("Caught: {}.", picked.why)),
            Some(picked) => Some(format!(
                "That one is true: {}. The lie is “{}”: {}.",
                picked.why, lie.says, lie.why
            )),
            None => Some(format!("The lie is “{}”: {}.", lie.says, lie.why)),
        }
    }

    /// What is drawn for a piece that a person looks at, once the truth is shown: what it claims. For
    /// none, what was picked, and the lie beside it where that was missed.
    pub fn drawn(&self, looked_at: Option<usize>) -> Marks {
        if !self.played.is_over {
            return Marks::default();
        }
        let picks = self.picks().filter(|(i, pick)| match looked_at {
            Some(at) => *i == at,
            None => {
                self.played.picked == Some(*i) || pick.is_false && self.is_caught() != Some(true)
            }
        });
        let drawn = picks.map(|(_, pick)| marks::of_certificate(&pick.marks, false));
        marks::together(drawn)
    }
}

/// The most hands that a claim has: a hall holds no more.
const MOST_HANDS: u32 = 999;

/// A round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The seed that drew it.
    pub seed: u64,
    /// Its answers.
    pub turns: Vec<LieTurn>,
    /// The one that is shown; behind the last one comes the score.
    pub at: usize,
}

/// What of a round is kept for a reload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedRound {
    /// The seed that drew it.
    pub seed: u64,
    /// The answer that is shown.
    pub at: usize,
    /// What its answers are, by a hash: another list of answers makes another round of the same seed.
    texts: String,
    played: Vec<PlayedTurn>,
}

impl SavedRound {
    /// Whether there is something left to play.
    pub fn is_under_way(&self) -> bool {
        let is_played = |turn: &PlayedTurn| *turn != PlayedTurn::default();
        self.at < self.played.len() && self.played.iter().any(is_played)
    }
}

impl Round {
    /// A round that begins.
    pub fn new(all: &[CheckedAnswer], seed: u64) -> Self {
        let turns = draw(all, seed).into_iter().map(LieTurn::new);
        Self { seed, turns: turns.collect(), at: 0 }
    }

    /// The same round as far as it was played, if it is the one that was kept.
    pub fn resumed(mut self, saved: Option<SavedRound>) -> Self {
        let Some(saved) = saved.filter(|s| s.seed == self.seed && s.texts == self.hash()) else {
            return self;
        };
        for (turn, played) in self.turns.iter_mut().zip(saved.played) {
            turn.played = played;
        }
        self.at = saved.at.min(self.turns.len());
        self
    }

    /// What of it is kept.
    pub fn saved(&self) -> SavedRound {
        let played = self.turns.iter().map(|turn| turn.played.clone()).collect();
        SavedRound { seed: self.seed, at: self.at, texts: self.hash(), played }
    }

    fn hash(&self) -> String {
        let texts: Vec<&str> = self.turns.iter().map(|turn| turn.answer.text.as_str()).collect();
        llm::bytes_hash(texts.join("\n").as_bytes())
    }

    /// The answer that is shown.
    pub fn turn(&self) -> Option<&LieTurn> {
        self.turns.get(self.at)
    }

    /// Picks a piece of the answer that is shown; the first pick counts.
    pub fn pick(&mut self, piece: usize) {
        if let Some(turn) = self.turns.get_mut(self.at)
            && !turn.played.is_over
            && turn.pieces.get(piece).is_some_and(|piece| piece.pick.is_some())
        {
            turn.played.picked = Some(piece);
            turn.played.is_over = true;
        }
    }

    /// Counts one hand more or fewer for a piece of the answer that is shown.
    pub fn count(&mut self, piece: usize, is_more: bool) {
        if let Some(turn) = self.turns.get_mut(self.at)
            && !turn.played.is_over
        {
            let hands = turn.played.hands.entry(piece).or_default();
            *hands = if is_more { (*hands + 1).min(MOST_HANDS) } else { hands.saturating_sub(1) };
        }
    }

    /// Shows what is false in the answer that is shown; a class picked what most hands are for.
    pub fn reveal(&mut self) {
        if let Some(turn) = self.turns.get_mut(self.at)
            && !turn.played.is_over
        {
            // Of two with as many hands, the first.
            let most = turn.played.hands.iter().rev().filter(|(_, n)| **n > 0);
            turn.played.picked = most.max_by_key(|(_, n)| **n).map(|(i, _)| *i);
            turn.played.is_over = true;
        }
    }

    /// Goes to the next answer, once something was picked.
    pub fn go_on(&mut self) {
        if self.turn().is_some_and(|turn| turn.played.is_over) {
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
        let all = recorded();
        let mut round = Round::new(&all, 1);
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
                assert_eq!(round.turn().unwrap().played, PlayedTurn::default(), "no claim");
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
            assert_eq!(round.turn().unwrap().played.picked, Some(piece));
            // A reload finds the round as it is; another list of answers, or another seed, none.
            let kept = serde_json::to_string(&round.saved()).unwrap();
            let saved = || serde_json::from_str::<SavedRound>(&kept).ok();
            assert_eq!(Round::new(&all, 1).resumed(saved()), round);
            assert_eq!(Round::new(&all, 2).resumed(saved()), Round::new(&all, 2));
            let others: Vec<CheckedAnswer> =
                all.iter().filter(|a| a.text != round.turns[0].answer.text).cloned().collect();
            let other = Round::new(&others, 1);
            assert_eq!(other.clone().resumed(saved()), other);
            round.go_on();
        }
        assert!(round.is_over());
        assert_eq!(round.line(), "Graphground · catch the lie · 6 of 10 □■■□■■□■■□");
    }

    #[test]
    fn what_was_picked_is_drawn_and_a_missed_lie_beside_it() {
        let red = |marks: &Marks| marks.edges.iter().filter(|e| e.2 == draw::Mark::False).count();
        let mut n_red = 0;
        let playable = recorded().iter().filter(|answer| is_playable(answer)).count();
        assert!(playable >= 3 * N_ANSWERS, "{playable}");
        for mut turn in recorded().into_iter().filter(is_playable).map(LieTurn::new) {
            assert_eq!(turn.drawn(None), Marks::default(), "the truth is not shown yet");
            let lie = turn.picks().find(|(_, pick)| pick.is_false).unwrap().0;
            let truth = turn.picks().find(|(_, pick)| !pick.is_false).unwrap().0;
            turn.played = PlayedTurn { picked: Some(lie), is_over: true, ..PlayedTurn::default() };
            assert_eq!(turn.drawn(None), turn.drawn(Some(lie)));
            let caught = red(&turn.drawn(None));
            turn.played.picked = Some(truth);
            assert!(red(&turn.drawn(None)) >= caught, "{}", turn.answer.text);
            assert_eq!(red(&turn.drawn(Some(truth))), 0, "{}", turn.answer.text);
            n_red += usize::from(caught > 0);
        }
        assert!(n_red >= 10, "{n_red} lies are red");
    }

    #[test]
    fn a_class_picks_what_most_hands_are_for() {
        let mut round = Round::new(&recorded(), 1);
        let places: Vec<usize> = round.turn().unwrap().picks().map(|(i, _)| i).collect();
        let (first, second) = (places[0], places[1]);
        for (piece, is_more) in [(first, true), (first, false), (first, false), (second, true)] {
            round.count(piece, is_more);
        }
        assert_eq!(round.turn().unwrap().told(), None, "the answer is hidden");
        let mut tied = round.clone();
        tied.count(first, true);
        tied.reveal();
        assert_eq!(tied.turn().unwrap().played.picked, Some(first));
        round.reveal();
        let turn = round.turn().unwrap();
        assert_eq!(turn.played.picked, Some(second));
        assert_eq!((turn.letter(first), turn.letter(second)), ('A', 'B'));
        // Nobody counts after that.
        round.count(first, true);
        assert_eq!(round.turn().unwrap().played.hands[&first], 0);
        // Without hands the truth is shown, and nothing was caught or missed.
        round.go_on();
        round.reveal();
        let turn = round.turn().unwrap();
        assert!(turn.told().unwrap().starts_with("The lie is"));
        assert_eq!(turn.is_caught(), None);
        round.go_on();
        assert_eq!(round.at, 2);
    }

    #[test]
    fn nothing_is_drawn_where_nothing_is() {
        let round = Round::new(&[], 3);
        assert!(round.turns.is_empty() && !round.is_over() && round.turn().is_none());
    }
}
