//! The `Link` header of RFC 8288, as far as the next page needs it. Keeps out
//! what a relative target is relative to.

/// The target of the first link whose relation is `next`. Several headers may
/// be given as one, joined by commas. What cannot be read is skipped: a
/// sloppy header must not hide a good link after it.
pub fn next_target(header: &str) -> Option<&str> {
    let mut rest = header;
    while let Some(start) = rest.find('<') {
        let (target, after) = rest[start + 1..].split_once('>')?;
        let (params, more) = split_unquoted(after, ',');
        if is_next(params) {
            return Some(target.trim());
        }
        rest = more;
    }
    None
}

/// Only the first `rel` counts; the RFC has readers ignore the others.
fn is_next(params: &str) -> bool {
    let mut rest = params;
    while !rest.is_empty() {
        let (param, more) = split_unquoted(rest, ';');
        if let Some((name, value)) = param.split_once('=')
            && name.trim().eq_ignore_ascii_case("rel")
        {
            let relations = value.trim().trim_matches('"');
            return relations.split_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"));
        }
        rest = more;
    }
    false
}

/// What stands before and after the first `mark` outside quotes.
fn split_unquoted(text: &str, mark: char) -> (&str, &str) {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if c == mark && !quoted => return (&text[..at], &text[at + c.len_utf8()..]),
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_link_is_found() {
        for (why, header, want) in [
            ("quoted", r#"<https://a.example/?page=2>; rel="next""#, Some("https://a.example/?page=2")),
            ("a token", "</items?page=2>; rel=next", Some("/items?page=2")),
            ("not the first link", r#"</1>; rel="prev", </3>; rel="next", </9>; rel="last""#, Some("/3")),
            ("several relations", r#"</3>; rel="last next""#, Some("/3")),
            ("any case, any blanks", r#"< /3 > ;REL = "Next" "#, Some("/3")),
            ("a comma in the target", "</a?ids=1,2>; rel=prev, </a?ids=3,4>; rel=next", Some("/a?ids=3,4")),
            ("a comma in quotes", r#"</1>; title="a, </x>; rel=next"; rel=prev, </2>; rel=next"#, Some("/2")),
            ("a semicolon in quotes", r#"</2>; title="a; rel=prev"; rel=next"#, Some("/2")),
            ("an escaped quote", r#"</2>; title="say \"x\", y"; rel=next"#, Some("/2")),
            (
                "a link inside of quotes",
                r#"</1>; title="a\", </x>; rel=next, b"; rel=prev, </2>; rel=next"#,
                Some("/2"),
            ),
            ("other parameters", "</2>; type=text/html; rel=next; hreflang=th", Some("/2")),
            ("only the first rel counts", "</2>; rel=prev; rel=next", None),
            ("a longer relation is another", r#"</2>; rel="nextish""#, None),
            ("no relation", "</2>", None),
            ("only others", "</1>; rel=prev", None),
            ("nothing", "", None),
            ("no end of the target", "</2; rel=next", None),
            ("no end of the quotes", "</2>; rel=\"next", Some("/2")),
            ("an empty item between", ", ,</2>; rel=next", Some("/2")),
        ] {
            assert_eq!(next_target(header), want, "{why}");
        }
    }
}
