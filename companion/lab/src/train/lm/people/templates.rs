//! The lines of `templates.txt`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

static TEXT: &str = include_str!("templates.txt");

/// Which lines a text is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Two thirds: those that are learned from.
    Learned,
    /// The others, where a domain has some of a sort.
    HeldOut,
}

/// The lines of a trade.
#[derive(Debug, Default)]
pub(super) struct Domain {
    pub(super) name: &'static str,
    /// What its nodes are.
    pub(super) nodes: &'static str,
    /// `undirected`, `directed`, `capacity` or `match`.
    pub(super) way: &'static str,
    /// The first node of a line needs the second, so the edge leads back.
    pub(super) leads_back: bool,
    /// The lines of each sort, with whether they are held out.
    lines: BTreeMap<&'static str, Vec<(&'static str, bool)>>,
}

/// A third of all lines, by the line alone.
fn is_held_out(line: &str) -> bool {
    let hash = line.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 20).is_multiple_of(3)
}

impl Domain {
    /// A line of a sort.
    pub(super) fn line(
        &self,
        rng: &mut ChaCha8Rng,
        sort: &str,
        lines: Lines,
    ) -> Option<&'static str> {
        let all = self.lines.get(sort)?;
        let of = |held: bool| -> Vec<&'static str> {
            all.iter().filter(|(_, is)| *is == held).map(|(line, _)| *line).collect()
        };
        let chosen = match lines {
            Lines::Learned => of(false),
            Lines::HeldOut => {
                let held = of(true);
                if held.is_empty() { of(false) } else { held }
            }
        };
        chosen.choose(rng).copied()
    }

    pub(super) fn has(&self, sort: &str, lines: Lines) -> bool {
        let wanted = lines == Lines::HeldOut;
        self.lines.get(sort).is_some_and(|all| all.iter().any(|(_, held)| *held == wanted))
    }

    /// Every line.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let of = |(sort, lines): (&&'static str, &Vec<(&'static str, bool)>)| {
            let sort = *sort;
            lines.iter().map(move |(line, held)| (sort, *line, *held)).collect::<Vec<_>>()
        };
        self.lines.iter().flat_map(of)
    }
}

/// All domains; the last one has greetings and other text around questions.
pub(super) fn domains() -> &'static [Domain] {
    static ALL: OnceLock<Vec<Domain>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Domain> = Vec::new();
        for line in TEXT.lines().map(str::trim_end) {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            if let Some(rest) = line.strip_prefix('[') {
                let (name, rest) = rest.split_once(']').unwrap_or((rest, ""));
                let mut words = rest.split_whitespace();
                let mut next = || words.next().unwrap_or_default();
                let (nodes, way, leads_back) = (next(), next(), next() == "back");
                all.push(Domain { name, nodes, way, leads_back, lines: BTreeMap::new() });
            } else if let (Some(domain), Some((sort, text))) =
                (all.last_mut(), line.split_once(' '))
            {
                domain.lines.entry(sort).or_default().push((text, is_held_out(line)));
            }
        }
        all
    })
}

/// The text around questions: greetings, thanks, sentences that do not matter.
pub(super) fn around() -> Option<&'static Domain> {
    domains().iter().find(|domain| domain.name == "else")
}
