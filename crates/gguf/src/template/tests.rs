use super::*;

fn tool() -> ToolSpec {
    ToolSpec {
        name: "f".to_owned(),
        description: "Does it.".to_owned(),
        parameters: json!({ "type": "object" }),
    }
}

#[test]
fn a_template_is_asked_whether_it_knows_tools() {
    let with = ChatTemplate::new(crate::fixture::TEMPLATE, "", "").unwrap();
    assert!(with.knows_tools());
    let text = with
        .render(&Prompt { messages: &[Message::user("hi")], tools: &[tool()], now_s: None })
        .unwrap();
    assert_eq!(
        text,
        "<|im_start|>system\n# Tools\n{\"type\": \"function\", \"function\": {\"name\": \"f\", \"description\": \"Does it.\", \"parameters\": {\"type\": \"object\"}}}\n<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
    );
    assert!(!ChatTemplate::chatml().unwrap().knows_tools());
}

#[test]
fn what_python_has_is_there() {
    let text = "{{ messages[0]['content'].strip().split(' ')[0] }}{{ strftime_now('%d %b %Y') if strftime_now is defined }}";
    let template = ChatTemplate::new(text, "", "").unwrap();
    let messages = [Message::user("  a b ")];
    let prompt = Prompt { messages: &messages, tools: &[], now_s: Some(951_782_400) };
    assert_eq!(template.render(&prompt).unwrap(), "a29 Feb 2000");
}

#[test]
fn a_template_that_cannot_do_without_a_day_opens() {
    let template = ChatTemplate::new("{{ strftime_now('%A, %-d %B %Y, %j') }}", "", "").unwrap();
    let render = |now_s| template.render(&Prompt { now_s, ..Prompt::default() }).unwrap();
    assert_eq!(render(Some(951_782_400)), "Tuesday, 29 February 2000, 060");
    assert_eq!(render(None), "Friday, 26 July 2024, 208");
    // One that can has a day of its own.
    let guarded =
        "{% if strftime_now is defined %}{{ strftime_now('%Y') }}{% else %}own{% endif %}";
    let template = ChatTemplate::new(guarded, "", "").unwrap();
    assert_eq!(template.render(&Prompt::default()).unwrap(), "own");
    assert_eq!(outcome("{{ strftime_now('%') }}").as_deref(), Ok("%"), "no form of a day");
}

#[test]
fn what_pythons_renderer_gives_is_there() {
    for (text, expected) in [
        ("{% set a = 1 %}{% generation %}{% set a = 2 %}x{% endgeneration %}{{ a }}", "x1"),
        ("a {%- generation -%} b {%- endgeneration -%} c", "abc"),
        ("{{ generation is defined }}", "False"),
        (
            "{% if tools is not none %}tools{% endif %}{{ tools is none and documents is none }}",
            "True",
        ),
        ("{{ {'b': 1, 'a': ['é']} | tojson }}", r#"{"b": 1, "a": ["é"]}"#),
        (
            "{{ {'b': 1, 'a': '𝄞'} | tojson(ensure_ascii=True) }}",
            r#"{"b": 1, "a": "\ud834\udd1e"}"#,
        ),
        ("{{ {'b': 1, 'a': []} | tojson(sort_keys=true) }}", r#"{"a": [], "b": 1}"#),
        ("{{ {'b': [1, 2]} | tojson(separators=(',', ':')) }}", r#"{"b":[1,2]}"#),
        (
            "{{ {'b': [1, 2], 'c': {}, 'd': []} | tojson(indent=2) }}",
            "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {},\n  \"d\": []\n}",
        ),
        ("{{ 'a-b-c'.rsplit('-', 1) }}{{ 'a-b-c'.rsplit('-') | length }}", "['a-b', 'c']3"),
        ("{{ 'a=b=c'.partition('=') | tojson }}", r#"["a", "=", "b=c"]"#),
        ("{{ 'a=b=c'.rpartition('=') | tojson }}", r#"["a=b", "=", "c"]"#),
        ("{{ 'abc'.removeprefix('a').removesuffix('c') }}", "b"),
        ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
    ] {
        assert_eq!(outcome(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_cannot_be_used_is_an_error() {
    let error = ChatTemplate::new("{% for %}", "", "").unwrap_err().to_string();
    assert!(error.contains("ChatML can be chosen"), "{error}");
    let error = ChatTemplate::new("{{ raise_exception('no users') }}", "", "").unwrap_err();
    assert!(error.to_string().contains("no users"));
    let endless =
        "{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}";
    assert!(ChatTemplate::new(endless, "", "").is_err());
}

#[test]
fn rules_go_to_the_first_speaker_where_there_is_no_place_for_them() {
    let text = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('none') }}{% endif %}[{{ m.content }}]{% endfor %}";
    let template = ChatTemplate::new(text, "", "").unwrap();
    let messages = [Message::system("be brief"), Message::user("hi")];
    let prompt = Prompt { messages: &messages, ..Prompt::default() };
    assert_eq!(template.render(&prompt).unwrap(), "[be brief\n\nhi]");
}

/// What a template says of a conversation, or why not.
fn outcome(text: &str) -> Result<String, String> {
    let messages = [Message::user("hello")];
    let template = ChatTemplate::new(text, "", "").map_err(|e| e.to_string())?;
    template.render(&Prompt { messages: &messages, ..Prompt::default() }).map_err(|e| e.to_string())
}

/// Lists that share their parts, 2^60 of them.
const SHARED: &str = "{% set ns=namespace(x=[1],y=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}";

#[test]
fn a_value_has_no_more_parts_and_levels_than_can_be_walked() {
    let doubled = "{% set ns=namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ";
    let deep = "{% set ns=namespace(x=[1]) %}{% for i in range(50000) %}{% set ns.x = ";
    for text in [
        format!("{SHARED}{{{{ ns.x == ns.y }}}}"),
        format!("{SHARED}{{{{ ns.x|tojson }}}}"),
        format!("{doubled} ns.x + ns.x %}}{{% endfor %}}"),
        format!("{doubled} ns.x * 2 %}}{{% endfor %}}"),
        format!("{doubled} {{'a': ns.x, 'b': ns.x}} %}}{{% endfor %}}"),
        format!("{doubled} (ns.x, ns.x) %}}{{% endfor %}}"),
        format!("{doubled} dict(a=ns.x, b=ns.x) %}}{{% endfor %}}"),
        format!("{doubled} [ns.x]|chain([ns.x]) %}}{{% endfor %}}"),
        format!("{doubled} [none.x, none.x]|map('default', ns.x)|list %}}{{% endfor %}}"),
        format!("{deep} [ns.x] %}}{{% endfor %}}{{{{ ns.x }}}}"),
        format!("{deep} ns.x[0:] %}}{{% endfor %}}{{{{ ns.x / 1 }}}}"),
        format!("{deep} namespace(x=ns.x) %}}{{% endfor %}}"),
        "{% set ns=namespace() %}{% set ns.x = ns %}{{ ns }}".to_owned(),
        "{% set ns=namespace() %}{% set ns.x = [ns] %}{{ ns|tojson }}".to_owned(),
        "{% for i in [1] %}{% set l = [loop] %}{{ loop.changed(l) }}{% endfor %}".to_owned(),
        format!("{}{{{{ x }}}}", "{% set x = [x, x] %}".repeat(3000)),
        "{% macro f(x, n) %}{{ f([x, x], n + 1) }}{% endmacro %}{{ f(1, 0) }}".to_owned(),
        "{{ ([0] * 100000000) ~ '' }}".to_owned(),
        "{{ [[0] * 100000000] == [[0] * 100000000] }}".to_owned(),
        "{{ '{:>4000000000}'.format('a') }}".to_owned(),
        "{{ '%4000000000s'|format('a') }}".to_owned(),
        "{{ ('x' * 90000000)|replace('x', 'yyyyyyyyyyyyyyyyyyyyyyyyyyy') }}".to_owned(),
        "{% set ns=namespace(x='x') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"
            .to_owned(),
        "{% set ns=namespace(x='x') %}{% for i in range(25) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ [ns.x, ns.x, ns.x, ns.x, ns.x, ns.x, ns.x] }}"
            .to_owned(),
        "{{ raise_exception([[0] * 100000000]) }}".to_owned(),
    ] {
        let error = outcome(&text).expect_err(&text);
        assert!(error.contains("chat template cannot be used"), "{text}: {error}");
    }
}

#[test]
fn a_template_is_no_deeper_than_its_parser_can_go() {
    let row = |piece: &str| format!("{{{{ 1{} }}}}", piece.repeat(15_000));
    let nested = |open: &str, close: &str| {
        format!("{{{{ {}1{} }}}}", open.repeat(15_000), close.repeat(15_000))
    };
    for text in [
        row("+1"),
        row("~1"),
        row(" and 1"),
        row("|e"),
        row(".x"),
        row("[0]"),
        row(" if 1 else 1"),
        nested("not ", ""),
        nested("-", ""),
        nested("(", ")"),
        nested("[", "]"),
        format!("{{% if 1 %}}{}{{% endif %}}", "{% elif 1 %}".repeat(5000)),
        "{% if 1 %}".repeat(5000),
        "{% for i in [1] %}".repeat(3000),
        "x".repeat(1 << 17),
    ] {
        let error = outcome(&text).unwrap_err();
        assert!(error.contains("chat template cannot be used"), "{error}");
    }
}

#[test]
fn what_templates_do_with_values_works_as_before() {
    for (text, expected) in [
        (
            "{% set ns=namespace(l=[], s='') %}{% for i in range(3) %}{% set ns.l = ns.l + [i] %}{% set ns.s = ns.s ~ i %}{% endfor %}{{ ns.l }}{{ ns.s }}",
            "[0, 1, 2]012",
        ),
        ("{{ messages[1:] }}{{ messages[::-1][0].role }}{{ messages|length }}", "[]user1"),
        (
            "{% for m in messages if m.role in ['user'] %}{{ loop.index }}{% else %}none{% endfor %}",
            "1",
        ),
        ("{{ 2 * 3 * 4 }}{{ 'ab' * 2 }}{{ 2 ** 3 }}{{ [1] * 2 }}", "24abab8[1, 1]"),
        ("{{ 0 < 1 < 2 }}{{ 0 < 1 > 2 }}{{ 1 == 1 and 'a' != 'b' }}", "TrueFalseTrue"),
        (
            "{% macro f(x, y=2) %}{% if x > 0 %}{{ x }}{{ f(x - 1) }}{% else %}{{ y }}{% endif %}{% endmacro %}{{ f(3) }}",
            "3212",
        ),
        ("{% for k, v in {'a': [1], 'b': {}}|items %}{{ k }}{{ v|tojson }}{% endfor %}", "a[1]b{}"),
        (
            "{% for x in [[1, [2]], [3]] recursive %}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}",
            "(1(2))(3)",
        ),
        (
            "{{ '{} {:>3}'.format('a', 1) }}{{ 'a,b'.split(',')[-1] }}{{ ['a', 'b']|join('-') }}",
            "a   1ba-b",
        ),
        (
            "{% set x %}{{ 1 }}{% endset %}{{ x|trim|upper }}{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}",
            "113",
        ),
        (
            "{{ messages|selectattr('role', 'equalto', 'user')|map(attribute='content')|list }}",
            "['hello']",
        ),
    ] {
        assert_eq!(outcome(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn the_bounds_hold_at_each_rendering() {
    let text = format!(
        "{{{{ messages[0].content }}}}{{% if messages[0].content|length > 9 %}}{SHARED}{{{{ ns.x == ns.y }}}}{{% endif %}}"
    );
    let template = ChatTemplate::new(&text, "", "").unwrap();
    let render = |content: &str| {
        let messages = [Message::user(content)];
        template.render(&Prompt { messages: &messages, ..Prompt::default() })
    };
    let error = render("a long question").unwrap_err().to_string();
    assert!(error.contains("a value has more than 100000 parts (in chat:1)"), "{error}");
    assert_eq!(render("short").unwrap(), "short");
}
