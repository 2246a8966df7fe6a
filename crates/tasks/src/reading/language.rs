//! Which language a piece of a text is in: the phrases of the reader are English.
//!
//! A piece is a sentence or a line. One without letters, such as `0 -> 3 -> 5`, is in no language.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::origin::{Draft, Writer};

/// A language as a reader would name it who knows only its letters or its smallest words.
pub(crate) type Language = &'static str;

/// The text that can be read, and the pieces of it that are in another language.
pub(crate) struct Parted {
    /// The pieces that are English or in no language.
    pub(crate) read: Draft<'static>,
    /// The other pieces without their letters: their numbers, arrows and brackets, behind the yes or no
    /// with which one begins that is in a language of [`DECISIONS`]. And the language that most of them
    /// look like.
    pub(crate) elsewhere: Option<(Draft<'static>, Language)>,
}

/// Parts a text in plain spelling by language.
pub(crate) fn part(draft: Draft<'static>) -> Parted {
    let mut others: Vec<(Range<usize>, Language)> = Vec::new();
    if has_other_words(&draft.text) {
        let of = |piece: Range<usize>| Some((piece.clone(), language_of(&draft.text[piece])?));
        others = pieces(&draft.text).into_iter().filter_map(of).collect();
    }
    let mut votes: Vec<(Language, usize)> = Vec::new();
    for (_, language) in &others {
        match votes.iter_mut().find(|(known, _)| known == language) {
            Some((_, pieces)) => *pieces += 1,
            None => votes.push((language, 1)),
        }
    }
    // The first of several that come equally often.
    let Some((language, _)) = votes.into_iter().rev().max_by_key(|(_, pieces)| *pieces) else {
        return Parted { read: draft, elsewhere: None };
    };
    let (mut read, mut elsewhere) = (draft.clone(), draft);
    read.rewrite(|writer| {
        for (piece, _) in &others {
            writer.copy_to(piece.start);
            writer.put(piece.end, "\n");
        }
        writer.copy_rest();
    });
    elsewhere.rewrite(|writer| {
        let decision = |(piece, language): &(Range<usize>, Language)| {
            decision_of(&writer.source[piece.clone()], language)
        };
        let decisions: Vec<Option<bool>> = others.iter().map(decision).collect();
        // A yes and a no beside each other: which is meant, their sentences would have to say.
        let agree = !(decisions.contains(&Some(true)) && decisions.contains(&Some(false)));
        for ((piece, _), decision) in others.into_iter().zip(decisions) {
            let word = match decision.filter(|_| agree) {
                Some(true) => "yes, ",
                Some(false) => "no, ",
                None => "",
            };
            writer.put(piece.start, word);
            strip(writer, piece.end);
            writer.put(piece.end, "\n");
        }
    });
    Parted { read, elsewhere: Some((elsewhere, language)) }
}

/// Whether a text has a word of another language at all. Most have none, and need not be parted.
fn has_other_words(text: &str) -> bool {
    let is_letter = |b: &u8| b.is_ascii_lowercase() || *b == b'\'';
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii() {
            let Some(c) = text[at..].chars().next() else { return false };
            if c.is_alphabetic() {
                return true;
            }
            at += c.len_utf8();
            continue;
        }
        let length = bytes[at..].iter().take_while(|b| is_letter(b)).count();
        let word = &text[at..at + length];
        if length > 0 && BEGINNINGS[place(word)] && is_other(word) {
            return true;
        }
        at += length.max(1);
    }
    false
}

fn is_other(word: &str) -> bool {
    KNOWN.get(word).is_some_and(|languages| languages & ((1 << LATIN.len()) - 1) != 0)
}

/// Words that begin alike and are equally long share a place: looking there is cheaper than looking
/// a word up, and few English words share one.
fn place(word: &str) -> usize {
    let bytes = word.as_bytes();
    let letter = |at: usize| usize::from(bytes.get(at).copied().unwrap_or_default());
    (letter(0) * 131 + letter(1) * 31 + letter(2) * 7 + bytes.len()) % PLACES
}

const PLACES: usize = 4096;

/// The places that words of other languages have.
static BEGINNINGS: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let mut places = vec![false; PLACES];
    for word in LATIN.iter().flat_map(|(_, words)| words.split(' ')) {
        places[place(word)] = true;
    }
    places
});

/// Where each sentence or line begins and ends; a full stop within a number ends none.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' | b'!' | b'?' => true,
            b'.' => !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
            _ => false,
        };
        if ends {
            pieces.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < text.len() {
        pieces.push(start..text.len());
    }
    pieces
}

/// A piece without its words. Each becomes a bar, so that no list continues across a word.
fn strip(writer: &mut Writer<'_>, end: usize) {
    while writer.at < end {
        let rest = &writer.source[writer.at..end];
        let is_word = rest.starts_with(char::is_alphabetic);
        let length = rest.find(|c: char| c.is_alphabetic() != is_word).unwrap_or(rest.len());
        match is_word {
            true => writer.put(writer.at + length, " | "),
            false => writer.copy_to(writer.at + length),
        }
    }
}

/// How a piece in these languages begins that says yes, and one that says no; of two that begin alike the
/// longer comes first.
const DECISIONS: [(Language, &[&str], &[&str]); 4] = [
    ("German", &["ja"], &["nein"]),
    ("French", &["oui"], &["non"]),
    ("Spanish", &["sí", "si"], &["no"]),
    (
        "Chinese",
        &["是的", "是", "有", "存在", "可以"],
        &["不是", "没有", "不存在", "不可以", "否", "不"],
    ),
];

/// The plain yes or no with which a piece begins: nothing but a mark or the end is behind the word.
fn decision_of(piece: &str, language: Language) -> Option<bool> {
    let (_, yes, no) = DECISIONS.iter().find(|(name, ..)| *name == language)?;
    // `antwort: ja`, `- oui`.
    let said = piece.trim();
    let said = match said.split_once(':') {
        Some((head, rest)) if !head.contains([' ', ',']) && !rest.trim().is_empty() => rest,
        _ => said,
    };
    let said = said.trim_start_matches(|c: char| !c.is_alphabetic());
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            said.strip_prefix(word).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.is_empty() || rest.starts_with([',', '.', '!', ':', ';', '-'])
            })
        })
    };
    match (begins(no), begins(yes)) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// The language of a piece, unless it is English or cannot be told.
fn language_of(piece: &str) -> Option<Language> {
    if let Some(script) = script_of(piece) {
        return Some(script);
    }
    let mut english = 0;
    let mut hits = [0_usize; LATIN.len()];
    let words = piece.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|w| !w.is_empty());
    for word in words {
        let languages = KNOWN.get(word).copied().unwrap_or_default();
        english += languages as usize >> LATIN.len();
        for (bit, hit) in hits.iter_mut().enumerate() {
            *hit += languages as usize >> bit & 1;
        }
    }
    // The first of several that fit equally well.
    let (best, most) = hits.iter().enumerate().rev().max_by_key(|(_, hit)| **hit)?;
    (*most > english).then(|| LATIN[best].0)
}

/// The language or letters of a piece of which a third is not in Latin letters.
fn script_of(piece: &str) -> Option<Language> {
    if piece.is_ascii() {
        return None;
    }
    let (mut latin, mut han) = (0_usize, 0_usize);
    let mut others: Vec<(Language, usize)> = Vec::new();
    // One letter on its own, such as `α`, is a name and no language; not so in Chinese.
    let words = piece.split(|c: char| !c.is_alphabetic()).filter(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(|c| u32::from(c) >= 0x2e80) || letters.next().is_some()
    });
    for c in words.flat_map(str::chars) {
        let script = match u32::from(c) {
            0..=0x24f | 0x1e00..=0x1eff => {
                latin += 1;
                continue;
            }
            0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff => {
                han += 1;
                continue;
            }
            0x3040..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => "Japanese",
            0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7af => "Korean",
            0x400..=0x52f => "Russian or another language in Cyrillic letters",
            0x370..=0x3ff | 0x1f00..=0x1fff => "Greek",
            0x600..=0x6ff | 0x750..=0x77f | 0xfb50..=0xfdff | 0xfe70..=0xfeff => {
                "Arabic or another language in Arabic letters"
            }
            0x590..=0x5ff => "Hebrew",
            0x900..=0x97f => "Hindi or another language in Devanagari letters",
            0xe00..=0xe7f => "Thai",
            // Letters of mathematics and their like.
            0x2100..=0x214f | 0x1_d400..=0x1_d7ff => continue,
            _ => "a language in letters that are not Latin",
        };
        match others.iter_mut().find(|(known, _)| *known == script) {
            Some((_, letters)) => *letters += 1,
            None => others.push((script, 1)),
        }
    }
    let all = others.iter().map(|(_, letters)| letters).sum::<usize>() + han;
    if all == 0 || all * 2 < latin {
        return None;
    }
    let most = others.iter().max_by_key(|(_, letters)| *letters).map(|(script, _)| *script);
    // Japanese mixes Chinese characters with its own.
    Some(most.filter(|script| han == 0 || *script == "Japanese").unwrap_or("Chinese"))
}

/// Words that tell English from the others: small words, and those of the questions.
const ENGLISH: &str = "the is are there an of to and we can it this that these from yes no not so therefore thus \
    because since which with by for then has have all cannot be as at you if but or only each \
    step start first next finally node nodes path paths cycle cycles loop graph edge edges \
    answer final solution shortest weight total maximum flow applicant applicants job jobs visit \
    visited between connected bipartite find following order sum triangle via through set sets \
    result true false city cities distance units capacity assignment sequence";

/// Small words of languages in Latin letters, and their words for what is asked. No word here is
/// English.
const LATIN: [(Language, &str); 12] = [
    (
        "German",
        "ja nein der das dem des und ist sind nicht ein eine einen kein keine keinen es gibt \
         von zu zum zur mit für nach zwischen daher somit dann kann wird knoten pfad weg \
         kürzeste kürzester kreis zyklus fluss gesamtgewicht gewicht bewerber antwort lautet \
         beträgt maximale reihenfolge lösung summe verbunden bipartit",
    ),
    (
        "French",
        "oui non le la les des du de est sont il une un et pas ne donc entre nœud noeud nœuds noeuds \
         sommet sommets chemin graphe réponse aucun aucune poids flot débit candidat emploi \
         ordre dans pour avec voici biparti égal somme",
    ),
    (
        "Spanish",
        "sí el la los las es hay un una de del que está están por para en nodo nodos camino \
         ciclo grafo entre respuesta máximo flujo orden existe conectados corto ruta peso \
         solicitante trabajo tanto suma ningún bipartito",
    ),
    (
        "Portuguese",
        "sim não há uma de da que é são está em caminho nó nós ciclo grafo entre resposta \
         fluxo máximo ordem existe curto peso candidato portanto soma bipartido",
    ),
    (
        "Italian",
        "sì non il lo la gli è c'è un una di del della che tra sono nodo nodi percorso \
         cammino ciclo grafo risposta flusso massimo ordine esiste breve peso quindi somma \
         bipartito",
    ),
    (
        "Dutch",
        "ja nee het een geen niet en naar tussen zijn knoop knopen knooppunt antwoord \
         kortste dus graaf cyclus stroom volgorde verbonden",
    ),
    (
        "Polish",
        "tak nie jest są ścieżka ścieżkę węzeł węzłem węzły odpowiedź cykl między istnieje graf \
         najkrótsza przepływ więc",
    ),
    (
        "Turkish",
        "evet hayır bir ve düğüm düğümü yol yolu cevap arasında vardır yoktur döngü akış toplam \
         kısa",
    ),
    (
        "Swedish",
        "ja nej det och är inte finns mellan noden noderna väg vägen svar svaret cykel graf \
         flöde kortaste",
    ),
    ("Vietnamese", "có không là đường đi đỉnh nút giữa và đồ thị chu trình đáp án ngắn nhất luồng"),
    (
        "Indonesian",
        "ya tidak dan dari adalah antara simpul jalur jawaban terpendek siklus graf aliran",
    ),
    (
        "Czech",
        "ano ne je jsou cesta uzel uzly mezi neexistuje existuje odpověď cyklus graf tok \
         nejkratší",
    ),
];

/// Each known word with its languages, a bit for each; the bit behind them is English.
static KNOWN: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    let all = LATIN.iter().map(|(_, words)| *words).chain([ENGLISH]);
    for (bit, words) in all.enumerate() {
        for word in words.split(' ') {
            *known.entry(word).or_default() |= 1 << bit;
        }
    }
    known
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_letters_and_small_words() {
        for (text, language) in [
            ("ja.", "German"),
            ("es gibt einen pfad von knoten 2 zu knoten 5.", "German"),
            ("oui, il existe un chemin entre les nœuds 2 et 5.", "French"),
            ("sí, hay un camino entre el nodo 2 y el nodo 5.", "Spanish"),
            ("sim, há um caminho entre os nós 2 e 5.", "Portuguese"),
            ("sì, c'è un percorso tra il nodo 2 e il nodo 5.", "Italian"),
            ("是的，节点 2 和节点 5 之间有一条路径.", "Chinese"),
            ("はい、ノード 2 からノード 5 への経路があります.", "Japanese"),
            ("네, 노드 2와 노드 5 사이에 경로가 있습니다.", "Korean"),
            ("да, путь есть.", "Russian or another language in Cyrillic letters"),
            ("नहीं", "Hindi or another language in Devanagari letters"),
        ] {
            assert_eq!(language_of(text), Some(language), "{text}");
        }
    }

    #[test]
    fn english_and_mere_lists_are_read() {
        for text in [
            "per node: 3",
            "non-bipartite.",
            "um, no.",
            "no.",
            "0 -> 2 -> 5",
            "applicant 0: job 3",
            "α = 2",
            "el paso to las vegas: yes, the path is",
            "7",
        ] {
            assert_eq!(language_of(text), None, "{text}");
        }
    }

    #[test]
    fn pieces_in_other_languages_are_put_aside_with_their_numbers() {
        let text = "der weg ist 0 -> 2 -> 5 mit gewicht 2.5.\nanswer: yes\n";
        let parted = part(Draft::of(text));
        assert_eq!(parted.read.text.trim(), "answer: yes");
        let (elsewhere, language) = parted.elsewhere.unwrap();
        let at = elsewhere.text.find("0 -> 2 -> 5").unwrap();
        assert_eq!(&text[elsewhere.origin(at..at + 11).0], "0 -> 2 -> 5");
        assert_eq!(language, "German");
    }

    #[test]
    fn no_word_of_another_language_is_english() {
        let english: Vec<&str> = ENGLISH.split(' ').collect();
        for (language, words) in LATIN {
            assert!(words.split(' ').all(|word| !english.contains(&word)), "{language}");
        }
    }
}
