//! Finds a secret in a text however it is spelled there: as it is,
//! percent-encoded, form-encoded, JSON-escaped, in base64, or letter by letter
//! in a mixture of these. Keeps out where secrets come from.

use super::base64;
use crate::order;

const MASK: &str = "***";

/// Below this, a secret would turn up in every other word: it is masked only
/// where it is the whole value of a query parameter.
const SHORT: usize = 3;

/// What stands where a text was shortened, and the longest escape of a letter.
const ELLIPSIS: &[u8] = "…".as_bytes();
const ESCAPE: usize = 12;

/// The texts that give a secret away, the longest first: no spelling may leave
/// the tail of another one behind.
#[derive(Default)]
pub(super) struct Needles(Vec<String>);

impl Needles {
    pub(super) fn add(&mut self, secret: &str) {
        let mut spellings = vec![secret.to_owned()];
        if secret.len() >= SHORT {
            let padded = base64::encode(secret.as_bytes());
            let bare = padded.trim_end_matches('=').to_owned();
            spellings.push(bare.replace('+', "-").replace('/', "_"));
            spellings.extend([padded, bare]);
        }
        for spelling in spellings {
            if !spelling.is_empty() && !self.0.contains(&spelling) {
                self.0.push(spelling);
            }
        }
        order::by_number(&mut self.0, |needle| -(needle.len() as i64));
    }

    /// A text should be masked before it is shortened: half a secret is
    /// recognised only where an ellipsis says that something was left out.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            if let Some(length) = self.0.iter().find_map(|needle| found(text, at, needle)) {
                masked.push_str(MASK);
                at += length;
            } else {
                masked.push(letter);
                at += letter.len_utf8();
            }
        }
        masked
    }
}

fn found(text: &str, at: usize, needle: &str) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    let Some(length) = spelled(rest, needle) else {
        return begun(rest, needle).filter(|_| needle.len() >= SHORT);
    };
    (needle.len() >= SHORT || is_whole_value(text, at, at + length)).then_some(length)
}

fn is_whole_value(text: &str, from: usize, to: usize) -> bool {
    let ends = |letter: char| letter.is_whitespace() || "&#\"'`)>,;".contains(letter);
    text[..from].ends_with('=') && text[to..].chars().next().is_none_or(ends)
}

/// How much of the start of `text` spells `secret`. All ways are followed side
/// by side, so that a secret with `%` or `\` in it is found too, in time that
/// does not explode on a hostile text.
fn spelled(text: &[u8], secret: &str) -> Option<usize> {
    let ends = secret.chars().try_fold(vec![0], |ends, letter| further(text, &ends, letter));
    ends.and_then(|ends| ends.last().copied())
}

/// The same for a secret that was cut off: as far as the ellipsis.
fn begun(text: &[u8], secret: &str) -> Option<usize> {
    let (mut ends, mut cut_off) = (vec![0], None);
    for letter in secret.chars() {
        let Some(next) = further(text, &ends, letter) else { break };
        ends = next;
        cut_off = ends.iter().rev().copied().find(|&end| is_cut_off(&text[end..])).or(cut_off);
    }
    cut_off
}

/// An escape of the next letter may have been cut in two.
fn is_cut_off(text: &[u8]) -> bool {
    let ellipsis = text.iter().take(ESCAPE).position(|byte| *byte == ELLIPSIS[0]);
    let escape = |rest: &[u8]| rest.is_empty() || matches!(rest[0], b'%' | b'\\');
    ellipsis.is_some_and(|at| text[at..].starts_with(ELLIPSIS) && escape(&text[..at]))
}

/// Where each way may be after one more letter; `None` where none leads on.
fn further(text: &[u8], ends: &[usize], letter: char) -> Option<Vec<usize>> {
    let mut ends: Vec<usize> = ends.iter().flat_map(|&at| ways(&text[at..], letter, at)).collect();
    ends.sort_unstable();
    ends.dedup();
    (!ends.is_empty()).then_some(ends)
}

fn ways(text: &[u8], letter: char, at: usize) -> impl Iterator<Item = usize> {
    let ways = [raw(text, letter), percent(text, letter), short_escape(text, letter), unicode(text, letter)];
    ways.into_iter().flatten().map(move |length| at + length)
}

fn raw(text: &[u8], letter: char) -> Option<usize> {
    if letter == ' ' && text.starts_with(b"+") {
        return Some(1);
    }
    text.starts_with(letter.encode_utf8(&mut [0; 4]).as_bytes()).then_some(letter.len_utf8())
}

fn percent(text: &[u8], letter: char) -> Option<usize> {
    let mut bytes = [0; 4];
    let bytes = letter.encode_utf8(&mut bytes).bytes();
    let length = bytes.len() * 3;
    let same = |(triple, byte): (&[u8], u8)| triple[0] == b'%' && hex(&triple[1..]) == Some(byte.into());
    (text.len() >= length && text.chunks(3).zip(bytes).all(same)).then_some(length)
}

fn short_escape(text: &[u8], letter: char) -> Option<usize> {
    let escape = match letter {
        '"' | '\\' | '/' | '\'' => letter as u8,
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        _ => return None,
    };
    text.starts_with(&[b'\\', escape]).then_some(2)
}

fn unicode(text: &[u8], letter: char) -> Option<usize> {
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    let length = units.len() * 6;
    let same = |(six, unit): (&[u8], &u16)| six.starts_with(b"\\u") && hex(&six[2..]) == Some(*unit);
    (text.len() >= length && text.chunks(6).zip(units.iter()).all(same)).then_some(length)
}

fn hex(digits: &[u8]) -> Option<u16> {
    let all_digits = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| all_digits)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_every_spelling() {
        let cases = [
            ("as it is", "k3y", "a k3y, k3yk3y", "a ***, ******"),
            ("percent, either case", "a/b ü", "?k=a%2Fb%20%C3%BC&x ?k=a%2fb%20%c3%bc", "?k=***&x ?k=***"),
            ("form", "a b&c", "k=a+b%26c", "k=***"),
            ("JSON", "a\"b\\c\n", r#"{"k":"a\"b\\c\n"}"#, r#"{"k":"***"}"#),
            ("JSON, ASCII only", "pässword😀", r"p\u00E4ssword\ud83d\ude00!", "***!"),
            ("JSON with the slash escaped", "a/b", r"a\/b", "***"),
            ("base64", "foob", "Zm9vYg== Zm9vYg Zm9vYg%3D%3D", "*** *** ***"),
            ("base64 for urls", "\u{3ff}\u{3ff}\u{3ff}", "z7_Pv8-_", "***"),
            ("a secret with a percent sign", "%2x", "%252x %2x", "*** ***"),
            ("only a part of it", "secret", "secre t", "secre t"),
            ("a percent sign at the end", "ab%", "ab%2 ab%", "***2 ***"),
            ("short: only as a whole value", "7", "?page=77&k=7&n=7 7", "?page=77&k=***&n=*** 7"),
        ];
        for (why, secret, text, want) in cases {
            let mut needles = Needles::default();
            needles.add(secret);
            assert_eq!(needles.mask(text), want, "{why}");
        }
    }

    #[test]
    fn a_secret_that_was_cut_off_is_masked_up_to_the_ellipsis() {
        let mut needles = Needles::default();
        needles.add("s3cret/key ä");
        for (text, want) in [
            ("say s3cr… more", "say ***… more"),
            ("s3cret%2Fk…", "***…"),
            ("s3cret%2…", "***%2…"),
            (r"s3cret\/key\u00…", r"*** \u00…"),
            ("s3cr", "s3cr"),
            ("s3cr ab…", "s3cr ab…"),
        ] {
            assert_eq!(needles.mask(text).replace(' ', ""), want.replace(' ', ""), "{text}");
        }
    }

    #[test]
    fn the_longer_of_two_secrets_leaves_nothing_behind() {
        let mut needles = Needles::default();
        needles.add("abc");
        needles.add("abcdef");
        assert_eq!(needles.mask("abcdef abcd"), "*** ***d");
    }

    #[test]
    fn a_hostile_text_does_not_take_for_ever() {
        let mut needles = Needles::default();
        needles.add(&("\\".repeat(40) + "x"));
        let text = "\\".repeat(400);
        assert_eq!(needles.mask(&text), text);
    }
}
