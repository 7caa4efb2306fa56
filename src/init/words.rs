//! A command line as a shell would split it: quotes, `$'…'`, backslashes, line
//! continuations. `$NAME` becomes `${env:NAME}`, which is what a shell would
//! have put there. Nothing is run.

/// `Err` says what a shell would do that is not done here.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut splitter = Splitter { rest: line, words: Vec::new(), word: None };
    while splitter.step()? {}
    splitter.end_word();
    Ok(splitter.words)
}

struct Splitter<'a> {
    rest: &'a str,
    words: Vec<String>,
    word: Option<String>,
}

impl Splitter<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    fn push(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn step(&mut self) -> Result<bool, String> {
        if let Some(rest) = self.rest.strip_prefix("$'") {
            self.rest = rest;
            self.ansi()?;
            return Ok(true);
        }
        let Some(letter) = self.next() else { return Ok(false) };
        match letter {
            ' ' | '\t' | '\r' | '\n' => self.end_word(),
            '\'' => self.single()?,
            '"' => self.double()?,
            '\\' => self.escaped(),
            '$' => self.variable(),
            '`' => return Err("a command in backquotes is not run here; give its result".into()),
            '|' | '>' | '<' | ';' if self.word.is_none() => {
                return Err(format!(
                    "the command line goes on after curl with `{letter}`; give only the curl command"
                ));
            }
            other => self.push(other.encode_utf8(&mut [0; 4])),
        }
        Ok(true)
    }

    fn single(&mut self) -> Result<(), String> {
        let (text, rest) = self.rest.split_once('\'').ok_or("a single quote is not closed")?;
        self.push(text);
        self.rest = rest;
        Ok(())
    }

    fn double(&mut self) -> Result<(), String> {
        self.push("");
        loop {
            match self.next().ok_or("a double quote is not closed")? {
                '"' => return Ok(()),
                '$' => self.variable(),
                '\\' => match self.next() {
                    Some(kept @ ('"' | '\\' | '$' | '`')) => self.push(kept.encode_utf8(&mut [0; 4])),
                    Some('\n') => {}
                    Some(other) => self.push(&format!("\\{other}")),
                    None => {}
                },
                other => self.push(other.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Outside of quotes; a backslash before a line's end joins the lines.
    fn escaped(&mut self) {
        match self.next() {
            Some('\n') | None => {}
            Some('\r') if self.rest.starts_with('\n') => self.rest = &self.rest[1..],
            Some(other) => self.push(other.encode_utf8(&mut [0; 4])),
        }
    }

    fn variable(&mut self) {
        if self.rest.starts_with("{env:") || self.rest.starts_with("{file:") {
            return self.push("$");
        }
        let (name, after) = match self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some(braced) => braced,
            None => {
                let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
                self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()))
            }
        };
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        // `$limit` is a parameter of Socrata; variables for keys are in capitals.
        if !is_name {
            return self.push("$");
        }
        self.push(&format!("${{env:{name}}}"));
        self.rest = after;
    }

    fn ansi(&mut self) -> Result<(), String> {
        const OPEN: &str = "a quote that began with $' is not closed";
        self.push("");
        loop {
            match self.next().ok_or(OPEN)? {
                '\'' => return Ok(()),
                '\\' => {
                    let letter = self.next().ok_or(OPEN)?;
                    self.ansi_escape(letter);
                }
                other => self.push(other.encode_utf8(&mut [0; 4])),
            }
        }
    }

    fn ansi_escape(&mut self, letter: char) {
        let plain = match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'x' => self.code(16, 2),
            'u' => self.code(16, 4),
            'U' => self.code(16, 8),
            other => other,
        };
        self.push(plain.encode_utf8(&mut [0; 4]));
    }

    fn code(&mut self, radix: u32, most: usize) -> char {
        let digits: String = self.rest.chars().take(most).take_while(|c| c.is_digit(radix)).collect();
        self.rest = &self.rest[digits.len()..];
        u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        for (line, want) in [
            ("curl  'a b'\tc", vec!["curl", "a b", "c"]),
            ("curl \\\n  -H 'x: y' \\\r\n  z", vec!["curl", "-H", "x: y", "z"]),
            (r#"a"b c"d"#, vec!["ab cd"]),
            (r#""a\"b\\c\d""#, vec![r#"a"b\c\d"#]),
            (r"$'it\'s \u00fc\x21\n'", vec!["it's ü!\n"]),
            (r#""Key: $API_KEY" ${B}x"#, vec!["Key: ${env:API_KEY}", "${env:B}x"]),
            (r#"'$API_KEY' "?$limit=2" ${env:K}"#, vec!["$API_KEY", "?$limit=2", "${env:K}"]),
            ("'' \"\"", vec!["", ""]),
            ("http://a/?x=1&y=2", vec!["http://a/?x=1&y=2"]),
            (r"a\ b", vec!["a b"]),
        ] {
            assert_eq!(split(line), Ok(want.into_iter().map(str::to_owned).collect()), "{line}");
        }
        for line in ["'a", "\"a", "$'a", "curl x | jq .", "curl `key`", "curl x > y"] {
            assert!(split(line).is_err(), "{line}");
        }
    }
}
