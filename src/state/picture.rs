//! A compared pair as a picture: the question, the graph with what is claimed, both answers with their
//! verdicts, and where it is from.

use std::fmt::Write as _;

use draw::{Colours, Scene, Theme, escape};
use tasks::Verdict;
use tasks::claims::Claim;

use super::claimed::stretches;
use super::home::asked;

/// The width of a picture, in pixels.
pub const WIDTH: f64 = 1200.0;
/// Room at every side.
const MARGIN: f64 = 40.0;
/// The height of a line of text, and about the width of a letter.
const LINE: f64 = 24.0;
/// As wide fonts have them: a line must not leave the picture.
const LETTER: f64 = 9.9;
/// Lines of the question and of an answer at most.
const MOST_LINES: (usize, usize) = (4, 9);
/// The height of the drawing.
const DRAWING: f64 = 400.0;

/// One answer.
#[derive(Clone, Debug)]
pub struct Side {
    /// `Without tools`.
    pub title: String,
    /// How right it is; nothing before it is shown.
    pub verdict: Option<Verdict>,
    /// The answer's words.
    pub text: String,
    /// What it claims.
    pub claims: Vec<Claim>,
}

/// What is on the picture.
#[derive(Clone, Debug)]
pub struct ComparedPair<'a> {
    /// The question.
    pub question: &'a str,
    /// The model, in words.
    pub model: &'a str,
    /// The graph with what is claimed.
    pub scene: &'a Scene,
    /// The answers.
    pub sides: &'a [Side],
    /// The address of the page; empty where it is one of this machine.
    pub address: &'a str,
}

/// A run of letters that look alike.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    text: String,
    is_false: bool,
}

/// Words in lines of at most `most` letters; a word that is longer is cut. At most `n` lines, the last
/// with an ellipsis where something is left.
fn lines(pieces: &[Piece], most: usize, n: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut length = 0;
    for piece in pieces {
        for (i, word) in piece.text.split_whitespace().enumerate() {
            let begins_apart = i > 0 || piece.text.starts_with(char::is_whitespace);
            let word: String = word.chars().take(most).collect();
            let wide = word.chars().count();
            if length > 0 && length + 1 + wide > most {
                lines.push(Vec::new());
                length = 0;
            }
            let space = if length > 0 && begins_apart { " " } else { "" };
            length += wide + space.len();
            if let Some(line) = lines.last_mut() {
                match line.last_mut().filter(|last| last.is_false == piece.is_false) {
                    Some(last) => {
                        last.text.push_str(space);
                        last.text.push_str(&word);
                    }
                    None => line
                        .push(Piece { text: format!("{space}{word}"), is_false: piece.is_false }),
                }
            }
        }
        // A piece that ends in a space parts the next one from it.
        if piece.text.ends_with(char::is_whitespace)
            && let Some(last) = lines.last_mut().and_then(|line| line.last_mut())
            && !last.text.ends_with(' ')
        {
            last.text.push(' ');
            length += 1;
        }
    }
    if lines.len() > n {
        lines.truncate(n);
        if let Some(line) = lines.last_mut() {
            line.push(Piece { text: " …".into(), is_false: false });
        }
    }
    lines
}

fn plain(text: &str) -> Vec<Piece> {
    vec![Piece { text: text.to_owned(), is_false: false }]
}

/// The words of a verdict with their colour.
fn verdict(verdict: Verdict, colours: &Colours) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Correct => ("Correct", colours.ok),
        Verdict::Partial => ("Partly right", colours.written),
        Verdict::Incorrect => ("Wrong", colours.wrong),
        Verdict::NoAnswer => ("No answer", colours.muted),
    }
}

/// The picture as SVG, with its height in pixels.
pub fn pair(pair: &ComparedPair<'_>, theme: Theme) -> (String, f64) {
    let colours = theme.colours();
    let Colours { paper, ink, muted, edge, wrong, .. } = *colours;
    let inner = WIDTH - 2.0 * MARGIN;
    let mut body = String::new();
    let mut y = MARGIN + LINE;
    let text = |body: &mut String, x: f64, y: f64, line: &[Piece], style: &str| {
        let _ = write!(body, "<text x=\"{x}\" y=\"{y}\" xml:space=\"preserve\" {style}>");
        for piece in line {
            let words = escape(&piece.text);
            let _ = if piece.is_false {
                write!(
                    body,
                    "<tspan fill=\"{wrong}\" text-decoration=\"underline\">{words}</tspan>"
                )
            } else {
                write!(body, "{words}")
            };
        }
        body.push_str("</text>");
    };
    // The graph is drawn: its edges are not read out before the question.
    let question = asked(pair.question);
    let usual = format!("fill=\"{ink}\" font-size=\"17\"");
    for line in lines(&plain(question), (inner / LETTER) as usize, MOST_LINES.0) {
        text(&mut body, MARGIN, y, &line, &usual);
        y += LINE;
    }
    let drawing = draw::svg(pair.scene, theme, "the graph");
    let frame = format!(
        "<svg x=\"{MARGIN}\" y=\"{y}\" width=\"{inner}\" height=\"{DRAWING}\" \
         preserveAspectRatio=\"xMidYMid meet\" text-anchor=\"middle\""
    );
    body.push_str(&nested(&drawing, &frame));
    y += DRAWING + LINE;
    let width = (inner - MARGIN) / 2.0;
    let mut deepest = y;
    for (i, side) in pair.sides.iter().enumerate() {
        let x = MARGIN + i as f64 * (width + MARGIN);
        let (word, colour) = side.verdict.map_or(("", muted), |v| verdict(v, colours));
        let head = format!("fill=\"{muted}\" font-size=\"15\"");
        text(&mut body, x, y, &plain(&side.title), &head);
        let style = format!("fill=\"{colour}\" font-size=\"26\" font-weight=\"600\"");
        text(&mut body, x, y + 32.0, &plain(word), &style);
        let pieces: Vec<Piece> = stretches(&side.text, &side.claims)
            .into_iter()
            .map(|stretch| Piece {
                is_false: side.verdict.is_some()
                    && stretch.claim.is_some_and(|c| !side.claims[c].is_true),
                text: stretch.text,
            })
            .collect();
        let mut at = y + 32.0 + LINE * 1.4;
        for line in lines(&pieces, (width / LETTER) as usize, MOST_LINES.1) {
            text(&mut body, x, at, &line, &usual);
            at += LINE;
        }
        deepest = deepest.max(at);
    }
    let foot = deepest + LINE;
    let _ = write!(
        body,
        "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{deepest}\" y2=\"{deepest}\" stroke=\"{edge}\"/>",
        WIDTH - MARGIN
    );
    let small = format!("fill=\"{muted}\" font-size=\"14\"");
    let words = match pair.address {
        "" => pair.model.to_owned(),
        address => format!("{} · {address}", pair.model),
    };
    for line in lines(&plain(&words), (inner / 8.2) as usize, 1) {
        text(&mut body, MARGIN, foot, &line, &small);
    }
    let height = foot + MARGIN;
    let file = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"ui-sans-serif, system-ui, 'Segoe UI', Roboto, sans-serif\">\
         <rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>{body}</svg>"
    );
    (file, height)
}

/// A moment of a film: the picture, and how long it stands, in milliseconds.
#[derive(Clone, Debug)]
pub struct Moment {
    /// SVG.
    pub file: String,
    /// Milliseconds.
    pub ms: u32,
}

/// Words that appear at once.
const AT_ONCE: usize = 4;
/// The most moments in which an answer appears.
const MOST_MOMENTS: usize = 12;

/// The pair as a film: the question with the bare graph; one answer after the other, word by word, its
/// verdict with what it claims on the drawing; and all of it for a while. `scenes` are the drawings: bare,
/// after the first verdict, after both. All moments have the height of the last.
pub fn film(of: &ComparedPair<'_>, scenes: [&Scene; 3], theme: Theme) -> (Vec<Moment>, f64) {
    let (_, height) = pair(of, theme);
    let mut moments = Vec::new();
    let mut sides: Vec<Side> = of.sides.to_vec();
    for side in &mut sides {
        (side.verdict, side.text) = (None, String::new());
    }
    let mut show = |sides: &[Side], scene: &Scene, ms: u32| {
        let (file, own) = pair(&ComparedPair { sides, scene, ..*of }, theme);
        // A picture with less text is as high as the last one.
        let taller = file
            .replacen(&format!("{WIDTH} {own}\""), &format!("{WIDTH} {height}\""), 1)
            .replacen(&format!("height=\"{own}\""), &format!("height=\"{height}\""), 1);
        moments.push(Moment { file: taller, ms });
    };
    show(&sides, scenes[0], 1_200);
    for (i, whole) in of.sides.iter().enumerate() {
        let ends: Vec<usize> = whole
            .text
            .char_indices()
            .filter(|(_, c)| c.is_whitespace())
            .map(|(at, _)| at)
            .chain([whole.text.len()])
            .collect();
        let step = AT_ONCE.max(ends.len().div_ceil(MOST_MOMENTS));
        for end in ends.chunks(step).filter_map(|some| some.last()) {
            sides[i].text = whole.text[..*end].to_owned();
            show(&sides, scenes[i.min(1)], 220);
        }
        sides[i] = whole.clone();
        show(&sides, scenes[(i + 1).min(2)], 1_600);
    }
    show(&sides, scenes[2], 1_500);
    (moments, height)
}

/// A file of SVG as a part of another: its own width and height give way to the frame's.
fn nested(file: &str, frame: &str) -> String {
    let Some((head, rest)) = file.split_once('>') else { return String::new() };
    let view = head.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let Some((view, _)) = view else { return String::new() };
    format!("{frame} viewBox=\"{view}\">{rest}")
}

#[cfg(test)]
mod tests {
    use draw::{LayoutKind, Marks, Places, layout};
    use proptest::prelude::*;
    use tasks::EvidenceMarks;
    use tasks::claims::ClaimKind;

    use super::*;

    fn scene() -> Scene {
        let mut graph = graph::Graph::undirected();
        graph.link(0usize, 1usize).unwrap();
        graph.link(1usize, 2usize).unwrap();
        let places = layout(&graph, LayoutKind::Circle, 1, &Places::default());
        Scene::new(&graph, &places, &Marks::default())
    }

    fn made(text: &str, claims: Vec<Claim>) -> (String, f64) {
        let side = |title: &str| Side {
            title: title.into(),
            verdict: Some(Verdict::Incorrect),
            text: text.into(),
            claims: claims.clone(),
        };
        let sides = [side("Without tools"), side("With tools")];
        let scene = scene();
        let what = ComparedPair {
            question: "Q: Is there a path?",
            model: "a model",
            scene: &scene,
            sides: &sides,
            address: "https://a.example/#/compare?a=1&b=2",
        };
        pair(&what, Theme::Light)
    }

    #[test]
    fn false_words_are_red_and_nothing_ends_the_picture() {
        let claim = Claim {
            kind: ClaimKind::Edge,
            start: 4,
            end: 12,
            says: String::new(),
            is_true: false,
            why: String::new(),
            marks: EvidenceMarks::default(),
            in_program: false,
        };
        let (file, _) = made("Yes edge 0-4</svg><script>x</script> is there.", vec![claim]);
        assert!(file.contains("text-decoration=\"underline\">edge 0-4</tspan>"), "{file}");
        assert!(!file.contains("<script") && file.matches("</svg>").count() == 2);
        assert!(file.contains("a=1&amp;b=2"));
    }

    #[test]
    fn a_film_tells_one_answer_after_the_other_and_ends_with_the_picture() {
        let scene = scene();
        let side = |verdict| Side {
            title: "Without tools".into(),
            verdict: Some(verdict),
            text: "alpha bravo charlie delta echo foxtrot golf".into(),
            claims: Vec::new(),
        };
        let sides = [side(Verdict::Incorrect), side(Verdict::Correct)];
        let what = ComparedPair {
            question: "Is there a path?",
            model: "a model",
            scene: &scene,
            sides: &sides,
            address: "https://a.example/",
        };
        let (moments, height) = film(&what, [&scene; 3], Theme::Dark);
        let has = |i: usize, word: &str| moments[i].file.contains(word);
        assert!(!has(0, "alpha") && !has(0, "Wrong"));
        assert!(has(1, "delta") && !has(1, "echo") && !has(1, "Wrong"));
        let verdict = (0..moments.len()).find(|&i| has(i, "Wrong")).unwrap();
        assert!(!has(verdict, "Correct"));
        let last = moments.len() - 1;
        let (picture, own) = pair(&what, Theme::Dark);
        assert_eq!((&moments[last].file, height), (&picture, own));
        for moment in &moments {
            assert!(moment.file.contains(&format!("height=\"{height}\"")));
        }
    }

    proptest! {
        #[test]
        fn lines_hold_all_words_in_their_order(text in "[a-z ]{0,200}", most in 5usize..40) {
            let found = lines(&plain(&text), most, usize::MAX);
            let all: Vec<String> = found.iter().flatten().map(|p| p.text.clone()).collect();
            let cut: String = text.split_whitespace()
                .map(|w| w.chars().take(most).collect::<String>()).collect::<Vec<_>>().join(" ");
            let again = all.join(" ");
            let again: Vec<&str> = again.split_whitespace().collect();
            prop_assert_eq!(again.join(" "), cut);
            for line in found {
                let length: usize = line.iter().map(|p| p.text.trim().chars().count()).sum();
                prop_assert!(length <= most);
            }
        }

        #[test]
        fn any_text_gives_a_picture(text in "\\PC{0,300}") {
            let (file, height) = made(&text, Vec::new());
            prop_assert!(height > 500.0 && height < 1200.0 && file.ends_with("</svg>"));
        }
    }
}
