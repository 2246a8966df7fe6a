//! Arithmetic, beside fractions of 128 bits.

use maths::{MathsLimits, MathsValue, evaluate};
use proptest::prelude::*;

fn shown(text: &str) -> String {
    match evaluate(text, &MathsLimits::default()) {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn values_are_exact_where_they_can_be() {
    for (text, value) in [
        ("2 + 2", "4"),
        ("2+3*4-5", "9"),
        ("(2+3)*4", "20"),
        ("2^3^2", "512"),
        ("2**-1", "0.5"),
        ("-2^2", "-4"),
        ("7 // 2; -7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("7 mod 3", "1"),
        ("mod(7, -3)", "-2"),
        ("0.1 + 0.2", "0.3"),
        ("1e3 + 2.5E-1", "1000.25"),
        ("1/3 + 1/6", "0.5"),
        ("1/3", "1/3 (about 0.333333333333333)"),
        ("20%", "0.2"),
        ("20% of 50", "10"),
        ("200 * 15%", "30"),
        ("100 - 10%", "99.9"),
        ("5!", "120"),
        ("3!!", "720"),
        ("2^64", "18446744073709551616"),
        ("100! / 98!", "9900"),
        ("sqrt(16/9)", "4/3 (about 1.33333333333333)"),
        ("8^(2/3)", "4"),
        ("sqrt(2)", "about 1.4142135623731"),
        ("sqrt(2)^2 == 2", "true"),
        ("√9 + 2² × 3", "15"),
        ("abs(-3) + floor(2.7) + ceil(2.1) + trunc(-2.7)", "6"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(1234.567, 2)", "1234.57"),
        ("round(1234.567, -2)", "1200"),
        ("round(2/3, 4)", "0.6667"),
        ("min(3, 1/2, 2)", "0.5"),
        ("max([3, 7, 5])", "7"),
        ("sum(1, 2, 3.5); mean(1, 2, 4)", "7/3 (about 2.33333333333333)"),
        ("median(5, 1, 3, 2)", "2.5"),
        ("stdev(2, 4, 4, 4, 5, 5, 7, 9)", "about 2.1380899352994"),
        ("pstdev(2, 4, 4, 4, 5, 5, 7, 9)", "2"),
        ("gcd(12, 18, 27); lcm(4, 6)", "12"),
        ("gcd(144,180)", "36"),
        ("comb(52, 5)", "2598960"),
        ("comb(3, 5)", "0"),
        ("perm(5, 2)", "20"),
        ("factorial(20)", "2432902008176640000"),
        ("log(1000, 10)", "3"),
        ("log2(1/8)", "-3"),
        ("log10(2)", "about 0.301029995663981"),
        ("ln(e)", "about 1"),
        ("exp(0) + cos(0) + sin(0)", "2"),
        ("sin(pi / 6)", "about 0.5"),
        ("x = 3; y = x^2\ny + 1", "10"),
        ("1 < 2 <= 2 < 3", "true"),
        ("1/3 == 0.333", "false"),
        ("2 != 3", "true"),
        ("1_000 * 2", "2000"),
        ("ln(10^400)", "about 921.034037197618"),
        (
            "10^400 > sqrt(2)",
            "column 8: the number is too large to be used with numbers that are not exact: take one below 10^308",
        ),
        ("0^0", "1"),
    ] {
        assert_eq!(shown(text), value, "{text}");
    }
    assert_eq!(shown("2^1000 % 1000007 + 3^500 // 3^498"), shown("mod(2^1000, 1000007) + 9"));
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    for (text, error) in [
        ("", "column 1: there is nothing to calculate: write for example 2 + 2"),
        ("1,000 + 1", "column 2: a comma may not stand within a number: write 1000, not 1,000"),
        ("12,5", "column 3: a comma may not stand within a number: write 12005, not 12,005"),
        (
            "sum(1,250, 3)",
            "column 6: a comma may stand here within a number or between two: write 1000, not 1,000, and a space after each comma between values",
        ),
        (
            "1 000",
            "column 3: there is no sign between two values: write * to multiply; in a number, write nothing between thousands",
        ),
        ("2x", "column 2: there is no sign between two values: write * to multiply"),
        ("(1 + 2", "column 7: what opens at column 1 is never closed: write )"),
        ("1 + ", "column 5: the calculation ends too early: write a number, a name or ( here"),
        (
            "1 + * 2",
            "column 5: * may not stand here: write a number, a name or ( before it, or leave it out",
        ),
        ("1 / 0", "column 3: nothing can be divided by zero: take another divisor"),
        ("5 % 0", "column 3: nothing can be divided by zero: take another divisor"),
        (
            "sqrt(-1)",
            "column 1: a negative number has no real root of an even degree: take a number of 0 or more",
        ),
        (
            "(-8)^0.3",
            "column 5: a power of a negative number with a fraction above has no real value: take a whole exponent, or a base of 0 or more",
        ),
        ("log(5)", "column 1: log needs its base: write ln(x), log10(x), log2(x) or log(x, base)"),
        ("1\n\n$5", "line 3, column 1: '$' has no meaning here: leave out signs of money"),
        (
            "9^9^9",
            "column 2: the result is longer than 10000 digits: take smaller numbers, or compare logarithms: ln(a) + ln(b)",
        ),
        (
            "x = 5; 5 = x",
            "column 10: = gives a name to a value, and must come after a name alone: write == to compare",
        ),
        ("pi = 3", "column 1: pi has a meaning already: call it my_pi"),
        (
            "(1 < 2) + 1",
            "column 9: a comparison is no number: compare numbers, and calculate with numbers",
        ),
        (
            "10 % -3",
            "column 4: % may mean two things here: write mod(a, -b) for the rest of a division, or a% - b for hundredths",
        ),
        (
            "factorial(2.5)",
            "column 1: a factorial takes a whole number from 0: write factorial(5) or 5!",
        ),
        (
            "1.2.3",
            "column 1: a number has two points: write one point, before the decimals, and nothing between thousands",
        ),
    ] {
        assert_eq!(shown(text), error, "{text}");
    }
    assert!(shown("foo(1)").contains("foo is not known"));
    assert!(shown("sin(1, 2)").contains("does not take 2 values"));
}

#[test]
fn all_of_it_is_bounded() {
    let many = |text: &str, times: usize| text.repeat(times);
    for text in [
        many("(", 19_000),
        many("-", 19_000) + "1",
        many("2^", 9_000) + "1",
        many("1+", 9_000) + "1",
        "9".to_owned() + &many("!", 19_000),
        "1e99999".to_owned(),
        "1e-999999999999".to_owned(),
        "99999999999!".to_owned(),
        "comb(10^50, 10^40)".to_owned(),
        "comb(10^9, 10^8)".to_owned(),
        "perm(10^9, 10^8)".to_owned(),
        "2^(10^30)".to_owned(),
        "(1/3)^20000 * 7^10000".to_owned(),
        "root(2, 4294967295)".to_owned(),
        "x = 3^20000; ".to_owned() + &many("x = x * x / x; ", 1_000),
        "x = 3^20000; y = 2^30000; ".to_owned() + &many("x / y < y / x; ", 1_000),
        "round(1e300, 1000); round(1, 999999)".to_owned(),
        "9^9^9^9".to_owned(),
    ] {
        let _ = shown(&text);
    }
    assert!(shown(&"1".repeat(30_000)).contains("bytes"));
    assert!(
        shown(&("x=1/(7^5000); y=1/(11^4000);".to_owned() + &many("x+y;", 500)))
            .contains("too long")
    );
}

/// A fraction of 128 bits: the oracle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i128, below: i128) -> Option<Self> {
        if below == 0 {
            return None;
        }
        let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let sign = if below < 0 { -1 } else { 1 };
        Some(Self(sign * above / a.max(1) as i128, sign * below / a.max(1) as i128))
    }
}

#[derive(Clone, Debug)]
enum Tree {
    Whole(i32),
    Decimal(u16),
    Minus(Box<Tree>),
    Pair(&'static str, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Whole(number) if *number < 0 => format!("({number})"),
            Self::Whole(number) => number.to_string(),
            Self::Decimal(number) => format!("{}.{:02}", number / 100, number % 100),
            Self::Minus(tree) => format!("-({})", tree.text()),
            Self::Pair(sign, one, two) => format!("({}) {sign} ({})", one.text(), two.text()),
        }
    }

    /// The value by other means; none where it has none, or does not fit.
    fn value(&self) -> Option<Fraction> {
        match self {
            Self::Whole(number) => Fraction::new(i128::from(*number), 1),
            Self::Decimal(number) => Fraction::new(i128::from(*number), 100),
            Self::Minus(tree) => tree.value().map(|value| Fraction(-value.0, value.1)),
            Self::Pair(sign, one, two) => {
                let (Fraction(a, b), Fraction(c, d)) = (one.value()?, two.value()?);
                let quotient = || Some((a.checked_mul(d)?, b.checked_mul(c)?));
                match *sign {
                    "+" => Fraction::new(
                        a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?,
                        b.checked_mul(d)?,
                    ),
                    "-" => Fraction::new(
                        a.checked_mul(d)?.checked_sub(c.checked_mul(b)?)?,
                        b.checked_mul(d)?,
                    ),
                    "*" => Fraction::new(a.checked_mul(c)?, b.checked_mul(d)?),
                    "/" => Fraction::new(quotient()?.0, quotient()?.1),
                    _ => {
                        let (above, below) = quotient()?;
                        if below == 0 {
                            return None;
                        }
                        let (above, below) =
                            if below < 0 { (-above, -below) } else { (above, below) };
                        let whole = above.div_euclid(below);
                        if *sign == "//" {
                            return Fraction::new(whole, 1);
                        }
                        let product = c.checked_mul(whole)?;
                        Fraction::new(
                            a.checked_mul(d)?.checked_sub(product.checked_mul(b)?)?,
                            b.checked_mul(d)?,
                        )
                    }
                }
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf =
        prop_oneof![(-99..999_i32).prop_map(Tree::Whole), any::<u16>().prop_map(Tree::Decimal)];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let signs = prop::sample::select(vec!["+", "-", "*", "/", "//", "%"]);
        prop_oneof![
            inner.clone().prop_map(|tree| Tree::Minus(Box::new(tree))),
            (signs, inner.clone(), inner).prop_map(|(sign, one, two)| Tree::Pair(
                sign,
                Box::new(one),
                Box::new(two)
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn values_are_those_of_the_oracle(tree in tree()) {
        let found = evaluate(&tree.text(), &MathsLimits::default());
        if let Some(wanted) = tree.value() {
            match found {
                Ok(MathsValue::Exact(value)) => prop_assert_eq!(
                    (value.numer().to_string(), value.denom().to_string()),
                    (wanted.0.to_string(), wanted.1.to_string()), "{}", tree.text()
                ),
                other => prop_assert!(false, "{}: {:?}", tree.text(), other),
            }
        }
    }

    #[test]
    fn whole_powers_and_factorials_are_products(base in -20_i64..20, exponent in 0_u32..60) {
        let mut product = num_bigint::BigInt::from(1);
        for _ in 0..exponent {
            product *= base;
        }
        prop_assert_eq!(shown(&format!("({base})^{exponent}")), product.to_string());
        let mut product = num_bigint::BigInt::from(1);
        for factor in 1..=exponent {
            product *= factor;
        }
        prop_assert_eq!(shown(&format!("{exponent}!")), product.to_string());
    }

    #[test]
    fn random_text_never_panics(text in "[-+*/%^!()<>=.,;0-9a-z \\[\\]πé²√_]{0,60}") {
        let _ = evaluate(&text, &MathsLimits::default());
    }

    #[test]
    fn random_words_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "1", "2.5", "0", "1e9", "x", "=", ";", "+", "-", "*", "/", "//", "%", "^", "!", "(", ")", ",", "[", "]",
        "sqrt(", "round(", "log(", "sum(", "comb(", "gcd(", "median(", "of", "pi", "<", "==", "9999", "1/3",
    ]), 0..30)) {
        let _ = evaluate(&words.join(" "), &MathsLimits::default());
    }
}
