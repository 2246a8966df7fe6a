//! Two molecules in one graph: the atoms `a0`, `a1`, … of the one and `b0`, `b1`, … of the other.

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;

use crate::ParseError;
use crate::parse::Cursor;
use crate::random::{between, shuffled};

/// The most atoms of a molecule.
const MAX_ATOMS: usize = 200;
/// The most bonds of an atom.
const MAX_BONDS: usize = 4;

/// Bonds, each the numbers of its two atoms.
pub(super) type Bonds = Vec<(usize, usize)>;

/// The bonds of a molecule of so many atoms: chains that branch, and sometimes a ring.
fn bonds(rng: &mut ChaCha8Rng, n: usize) -> Bonds {
    let mut degree = vec![0; n];
    let mut bonds = Vec::new();
    for i in 1..n {
        // Chains are long, so the newest atoms are joined most.
        let free: Vec<usize> =
            (i.saturating_sub(3)..i).filter(|j| degree[*j] < MAX_BONDS - 1).collect();
        let j = match free.len() {
            0 => i - 1,
            n => free[between(rng, 0, n - 1)],
        };
        bonds.push((j, i));
        degree[i] += 1;
        degree[j] += 1;
    }
    for _ in 0..between(rng, 0, n / 6) {
        let a = between(rng, 0, n - 1);
        let b = (a + between(rng, 4, 6)) % n;
        let bond = (a.min(b), a.max(b));
        if a != b && !bonds.contains(&bond) && degree[a] < MAX_BONDS && degree[b] < MAX_BONDS {
            bonds.push(bond);
            degree[a] += 1;
            degree[b] += 1;
        }
    }
    let label = shuffled(rng, n);
    bonds.iter().map(|(a, b)| (label[*a].min(label[*b]), label[*a].max(label[*b]))).collect()
}

/// The i-th atom of a molecule.
pub(super) fn atom(letter: char, i: usize) -> NodeName {
    NodeName::from(format!("{letter}{i}").as_str())
}

/// The graph of two molecules with these bonds.
pub(super) fn both(sizes: [usize; 2], bonds: [&[(usize, usize)]; 2]) -> Graph {
    let mut graph = Graph::undirected();
    for (letter, n) in ['a', 'b'].into_iter().zip(sizes) {
        for i in 0..n {
            // Small and well formed, so neither this nor the next can fail.
            let _ = graph.ensure_node(atom(letter, i));
        }
    }
    for (letter, bonds) in ['a', 'b'].into_iter().zip(bonds) {
        for (i, j) in bonds {
            let _ = graph.link(atom(letter, *i), atom(letter, *j));
        }
    }
    graph
}

/// Two molecules that share a good part: the second is the first with some bonds broken and made.
pub(super) fn pair(rng: &mut ChaCha8Rng, sizes: [usize; 2]) -> Graph {
    let made = [bonds(rng, sizes[0]), bonds(rng, sizes[1])];
    both(sizes, [&made[0], &made[1]])
}

/// The elements of so many atoms, most of them carbon.
pub(super) fn elements(rng: &mut ChaCha8Rng, n: usize) -> Vec<String> {
    let element = |rng: &mut ChaCha8Rng| match between(rng, 0, 9) {
        0 => "N",
        1 | 2 => "O",
        3 => "S",
        _ => "C",
    };
    (0..n).map(|_| element(rng).to_owned()).collect()
}

/// The number of an atom: 7 of `a7`.
pub(super) fn number(name: &NodeName) -> Option<usize> {
    name.to_string().get(1..)?.parse().ok()
}

/// The bonds of a molecule as questions have them: `0-1, 1-2`.
pub(super) fn bond_list(part: &Graph) -> String {
    let bond = |(a, b): (&NodeName, &NodeName)| Some(format!("{}-{}", number(a)?, number(b)?));
    let bonds: Vec<String> = part.edges().filter_map(|e| bond((e.source, e.target))).collect();
    bonds.join(", ")
}

/// Reads the number of atoms.
pub(super) fn size(cursor: &mut Cursor<'_>) -> Result<usize, ParseError> {
    let n = cursor.number("the number of atoms")?;
    if n > MAX_ATOMS {
        return Err(ParseError::TooLarge { what: "atoms", found: n, limit: MAX_ATOMS });
    }
    Ok(n)
}

/// Reads `0-1, 1-2.`, the bonds of a molecule of `n` atoms.
pub(super) fn read_bonds(cursor: &mut Cursor<'_>, n: usize) -> Result<Bonds, ParseError> {
    let mut bonds = Vec::new();
    let atom = |cursor: &mut Cursor<'_>| match cursor.number("an atom, as in \"0-1\"")? {
        i if i < n => Ok(i),
        i => Err(cursor.unknown("atom", i, n)),
    };
    loop {
        if cursor.eat(".") || bonds.len() > MAX_ATOMS * MAX_ATOMS {
            return Ok(bonds);
        }
        let a = atom(cursor)?;
        cursor.want("-")?;
        let b = atom(cursor)?;
        if a != b && !bonds.contains(&(a, b)) && !bonds.contains(&(b, a)) {
            bonds.push((a, b));
        }
        let _ = cursor.eat(",");
    }
}

/// Reads `C (atom 0), N (atom 1).`, the elements of a molecule.
pub(super) fn read_elements(cursor: &mut Cursor<'_>) -> Result<Vec<String>, ParseError> {
    let mut elements = Vec::new();
    loop {
        if cursor.eat(".") {
            return Ok(elements);
        }
        let element = cursor.until("(atom")?;
        let is_symbol = element.len() <= 3 && element.bytes().all(|b| b.is_ascii_alphabetic());
        if !is_symbol || element.is_empty() || elements.len() == MAX_ATOMS {
            let limit = MAX_ATOMS;
            return Err(
                cursor.expected(&format!("an element such as \"C\", of at most {limit} atoms"))
            );
        }
        let i = cursor.number("the number of the atom")?;
        if i != elements.len() {
            return Err(cursor.expected(&format!("atom {} next", elements.len())));
        }
        elements.push(element.to_owned());
        cursor.want(")")?;
        let _ = cursor.eat(",");
    }
}
