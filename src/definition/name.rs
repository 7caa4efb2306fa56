//! Names and identifiers: which are allowed, which are taken.

pub const MAX_NAME: usize = 64;

/// Columns that every data table has, or that SQLite gives it.
pub const OWN_COLUMNS: [&str; 4] = ["source_name", "created_at", "record_hash", "rowid"];

/// Tables and views of Hermes itself.
pub const OWN_TABLES: [&str; 17] = [
    "source_definitions",
    "deployments",
    "deployment_sources",
    "handlers",
    "clients",
    "providers",
    "retries",
    "fetchlogs",
    "rate_limiter_state",
    "incremental_state",
    "last_answers",
    "covered_windows",
    "source_files",
    "generation",
    "deployment_health",
    "stuck_jobs",
    "stale_sources",
];

/// Of a source, deployment, handler or prefix: part of keys and log lines.
pub fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(allowed)
}

/// Of a table or column: safe to stand in SQL, quoted or not.
pub fn is_identifier(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len())
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// SQLite ignores the case of names, so it does not count here.
pub fn is_own_table(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.starts_with("sqlite_") || OWN_TABLES.contains(&lower.as_str())
}

pub fn is_own_column(text: &str) -> bool {
    OWN_COLUMNS.iter().any(|own| own.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_identifiers_are_short_and_plain() {
        let long = "a".repeat(64);
        let too_long = "a".repeat(65);
        for text in ["a", "0", "fmp-articles", "a_b", &long] {
            assert!(is_name(text), "{text}");
        }
        for text in ["", "A", "a b", "ä", "a.b", &too_long] {
            assert!(!is_name(text), "{text}");
        }
        for text in ["a", "_a1", "News", &long] {
            assert!(is_identifier(text), "{text}");
        }
        for text in ["", "1a", "a-b", "a b", "ä", "a\"", &too_long] {
            assert!(!is_identifier(text), "{text}");
        }
    }

    #[test]
    fn what_is_taken_is_taken_in_any_case() {
        for text in ["Retries", "SQLITE_x", "stuck_jobs"] {
            assert!(is_own_table(text), "{text}");
        }
        assert!(is_own_column("RowID") && !is_own_column("id") && !is_own_table("news"));
    }
}
