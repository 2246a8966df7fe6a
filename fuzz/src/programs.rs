//! Programs in the small languages that models and files bring: Cypher, SPARQL and chat templates.
//!
//! Bytes that are mutated rarely become a program that nests, shares and grows. Here each byte chooses
//! what stands next instead, by the type that is wanted there, so that most programs run.

/// The choices that bytes make; the first of each list once they are used up.
pub(crate) struct Choices<'d> {
    data: &'d [u8],
    depth: usize,
}

/// How deep a program nests where it is written.
const MAX_DEPTH: usize = 7;

impl<'d> Choices<'d> {
    pub(crate) fn new(data: &'d [u8]) -> Self {
        Self { data, depth: 0 }
    }

    /// One of `n` things.
    fn of(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.data.split_first() else { return 0 };
        self.data = rest;
        usize::from(*first) % n
    }

    fn one(&mut self, words: &[&str]) -> String {
        words[self.of(words.len())].to_owned()
    }

    /// One of `n` forms, and the first where a program is deep enough.
    fn form(&mut self, n: usize) -> usize {
        if self.depth >= MAX_DEPTH { 0 } else { self.of(n) }
    }

    /// A form with its parts: `«L»` is a part of the kind L.
    fn fill(&mut self, form: &str, part: fn(&mut Self, char) -> String) -> String {
        let mut out = String::new();
        let mut rest = form;
        while let Some((before, behind)) = rest.split_once('«') {
            let (kind, behind) = behind.split_once('»').unwrap_or((behind, ""));
            out.push_str(before);
            self.depth += 1;
            out.push_str(&part(self, kind.chars().next().unwrap_or('A')));
            self.depth -= 1;
            rest = behind;
        }
        out + rest
    }

    fn filled(&mut self, forms: &[&str], part: fn(&mut Self, char) -> String) -> String {
        let form = forms[self.form(forms.len())];
        self.fill(form, part)
    }
}

const SIZES: [&str; 6] = ["3", "0", "18", "60", "20000", "1000000"];

/// An expression of Cypher: l and m are lists, s is a text, and so on, as far as a clause before made
/// them so.
fn cypher_part(c: &mut Choices<'_>, kind: char) -> String {
    match kind {
        'L' => c.filled(
            &[
                "[1]",
                "l",
                "[«A», «A»]",
                "[l, l]",
                "«L» + «L»",
                "«L» + [«A»]",
                "range(1, «S»)",
                "reduce(l = «L», i IN range(1, «S») | [l, l])",
                "reduce(l = «L», i IN range(1, «S») | [l])",
                "reduce(l = «L», i IN «L» | «L»)",
                "[x IN «L» | «A»]",
                "[x IN «L» WHERE «B» | «A»]",
                "tail(«L»)",
                "reverse(«L»)",
                "«L»[«N»..]",
                "split(«T», «T»)",
                "keys(«M»)",
                "[(k:N)-[:R]->(o) | «A»]",
                "COLLECT { UNWIND «L» AS y RETURN y }",
                "CASE WHEN «B» THEN «L» ELSE «L» END",
                "coalesce(null, «L»)",
            ],
            cypher_part,
        ),
        'T' => c.filled(
            &[
                "'a'",
                "s",
                "«T» + «T»",
                "s + s",
                "reduce(s = «T», i IN range(1, «S») | s + s)",
                "replace(«T», 'a', «T»)",
                "toUpper(«T»)",
                "substring(«T», 0, «N»)",
                "toString(«N»)",
                "reverse(«T»)",
                "«T» + «N»",
                "trim(«T»)",
            ],
            cypher_part,
        ),
        'M' => c.filled(
            &[
                "{a: 1}",
                "m",
                "{a: «A», b: «A»}",
                "{a: m, b: m}",
                "m {.*, c: «A»}",
                "reduce(m = «M», i IN range(1, «S») | {a: m, b: m})",
                "reduce(m = «M», i IN range(1, «S») | {a: m})",
            ],
            cypher_part,
        ),
        'N' => c.filled(
            &[
                "1",
                "size(«L»)",
                "size(«T»)",
                "«N» + «N»",
                "«N» * «N»",
                "COUNT { MATCH (n)-->(o) }",
                "-1",
            ],
            cypher_part,
        ),
        'B' => c.filled(
            &[
                "true",
                "«A» = «A»",
                "«A» IN «L»",
                "«L» < «L»",
                "all(x IN «L» WHERE «B»)",
                "«T» =~ («T» + '*')",
                "«T» CONTAINS «T»",
                "NOT «B»",
                "«A» IS NULL",
            ],
            cypher_part,
        ),
        'S' => c.one(&SIZES),
        _ => c.filled(&["1", "«L»", "«T»", "«M»", "«N»", "«B»", "null", "n", "x"], cypher_part),
    }
}

/// A query in Cypher that may nest, share, grow and loop.
pub(crate) fn cypher(data: &[u8]) -> String {
    let mut c = Choices::new(data);
    let mut query =
        "WITH [1] AS l, 'a' AS s, {a: 1} AS m, 1 AS x, null AS n, null AS p ".to_owned();
    for _ in 0..c.of(5) {
        let clause = c.filled(
            &[
                "UNWIND «L» AS u WITH l, s, m, u AS x, n, p ",
                "WITH «L» AS l, «T» AS s, m, x, n, p ",
                "WITH l, s, «M» AS m, x, n, p ",
                "WITH l, s, m, «A» AS x, n, p ",
                "MATCH (o:N) WITH l, s, m, x, o AS n, p ",
                "MATCH q = (:N)-[:R*]->(:N) WITH l, s, m, x, n, q AS p ",
                "MATCH (n)-[:R*1..«S»]->(o) WITH l, s, m, x, o AS n, p ",
                "WITH collect(«A») AS l, s, m, x, n, p ",
                "WITH DISTINCT l, s, m, «A» AS x, n, p ORDER BY x ",
                "CALL (l, s, m) { UNWIND «L» AS y RETURN count(y) AS z } WITH l, s, m, z AS x, n, p ",
                "CREATE (o:M {s: «T», l: [1]}) WITH l, s, m, x, o AS n, p ",
                "FOREACH (i IN «L» | CREATE (:M {s: s})) WITH l, s, m, x, n, p ",
                "SET n.s = «T» WITH l, s, m, x, n, p ",
            ],
            cypher_part,
        );
        query += &clause;
    }
    query
        + &c.filled(
            &[
                "RETURN «A»",
                "RETURN «A», «A» ORDER BY «A»",
                "RETURN count(DISTINCT «A»)",
                "RETURN collect(«A»)",
                "RETURN min(«A»), max(«A»)",
                "RETURN «A» AS a, count(*) AS n",
                "RETURN p",
                "RETURN n, l",
                "RETURN size(collect(DISTINCT «L»))",
            ],
            cypher_part,
        )
}

/// A part of SPARQL.
fn sparql_part(c: &mut Choices<'_>, kind: char) -> String {
    match kind {
        'T' => c.filled(
            &[
                "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
                "?s",
                "REPLACE(?s, 'a', ?s)",
                "CONCAT(?s, ?s, «T»)",
                "UCASE(«T»)",
                "SUBSTR(«T», 2)",
                "STR(?o)",
                "ENCODE_FOR_URI(«T»)",
                "SHA256(«T»)",
                "IF(?o = ?a, «T», «T»)",
            ],
            sparql_part,
        ),
        'V' => c.one(&["?a", "?b", "?c", "?d", "?o", "?s"]),
        'P' => c.one(&["?p", ":R", ":R*", "(:R|^:R)+", ":R/:R/:R", "!:Q", ":i"]),
        _ => c.filled(
            &[
                "«V» «P» «V» .",
                "«G» «G»",
                "BIND(«T» AS ?s)",
                "{ «G» } UNION { «G» }",
                "OPTIONAL { «G» }",
                "FILTER(STRLEN(«T») > 3)",
                "FILTER NOT EXISTS { «G» }",
                "MINUS { «G» }",
                "{ SELECT DISTINCT * { «G» } ORDER BY «V» }",
                "{ SELECT (GROUP_CONCAT(?o) AS ?s) { «G» } GROUP BY «V» }",
                "{ SELECT (COUNT(DISTINCT *) AS ?d) { «G» } }",
                "FILTER(REGEX(«T», «T»))",
                "VALUES ?s { 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }",
            ],
            sparql_part,
        ),
    }
}

/// A query or an update in SPARQL that may join, grow and loop.
pub(crate) fn sparql(data: &[u8]) -> String {
    Choices::new(data).filled(
        &[
            "SELECT * { «G» }",
            "SELECT * { «G» «G» «G» } ORDER BY «V»",
            "SELECT (COUNT(*) AS ?n) { «G» «G» }",
            "SELECT (GROUP_CONCAT(?s) AS ?n) { «G» «G» }",
            "CONSTRUCT { «V» :Q «V» } WHERE { «G» }",
            "INSERT { «V» :q ?s } WHERE { «G» BIND(«T» AS ?s) }",
            "DELETE { «V» «P» «V» } WHERE { «G» }",
            "INSERT { ?a :Q ?b } WHERE { ?a ?p ?c . ?b ?r ?d }",
        ],
        sparql_part,
    )
}

/// A part of a chat template.
fn template_part(c: &mut Choices<'_>, kind: char) -> String {
    match kind {
        'E' => c.filled(
            &[
                "x",
                "ns.a",
                "[«E», «E»]",
                "[x, x]",
                "{'a': «E»}",
                "«E» ~ «E»",
                "x + x",
                "«E» * 1000000",
                "range(«S»)",
                "range(«S») | list",
                "«E» | tojson",
                "«E» | string",
                "«E» | join(«E»)",
                "x | replace('a', x)",
                "«E» == «E»",
                "«E» in «E»",
                "'{:>«S»}'.format(«E»)",
                "'%«S»d' % 1",
                "messages",
                "messages[0].content * «S»",
                "«E» | length",
                "«E» | map('upper') | list",
                "namespace(a=«E»)",
                "dict(a=«E»)",
                "«E» | sort",
                "«E» | batch(«S») | list",
                "x.split(«E»)",
                "«E» | indent(«S»)",
                "«E» | unique | list",
                "-«E»",
                "not «E»",
                "«E» | items | list",
            ],
            template_part,
        ),
        'S' => c.one(&SIZES),
        _ => c.filled(
            &[
                "{{ «E» }}",
                "«B»«B»",
                "{% set x = «E» %}«B»",
                "{% set x = [x, x] %}«B»",
                "{% for i in range(«S») %}«B»{% endfor %}",
                "{% for i in range(«S») %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}«B»",
                "{% for i in range(«S») %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}«B»",
                "{% set ns.a = ns %}«B»",
                "{% set ns.a = «E» %}«B»",
                "{% if «E» %}«B»{% else %}«B»{% endif %}",
                "{% if messages[0].content | length > 100 %}«B»{% endif %}",
                "{% macro f(x) %}«B»{{ f(x) }}{% endmacro %}{{ f(«E») }}",
                "{% for x in «E» recursive %}«B»{{ loop(x) }}{% endfor %}",
            ],
            template_part,
        ),
    }
}

/// A chat template that may nest, share, grow and loop.
pub(crate) fn template(data: &[u8]) -> String {
    let body = template_part(&mut Choices::new(data), 'B');
    format!("{{% set ns = namespace(a='a') %}}{{% set x = ['a'] %}}{body}")
}
