//! The documents as they are written: every key of the format, with the kind
//! of value that it takes. Keeps out the rules and the defaults, which are in
//! `check`.

mod forms;
mod given;

use serde::Deserialize;
use serde_yaml::{Mapping, Value};

pub use forms::{Fields, NumberOrText, OneOrMany, Params, Scalar, Size, Span};
pub use given::{Given, What, kind_of};

/// Structs whose keys may each be absent or wrong on their own. `KEYS` are
/// the names as in the code; [`in_yaml`] has them as people write them.
macro_rules! written {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Given<$type>,)*
            /// Keys that the format does not have.
            #[serde(flatten)]
            pub unknown: Mapping,
        }

        impl $name {
            pub const KEYS: &'static [&'static str] = &[$(stringify!($field)),*];
        }

        impl What for $name {
            const WHAT: &'static str = "a map";
        }
    )*};
}

written! {
    Source {
        kind: String,
        name: String,
        /// Gone, as `with` is, once a source is filled in: then it is checked.
        client: String,
        with: Mapping,
        description: String,
        url: String,
        method: String,
        headers: Mapping,
        params: Params,
        body: Value,
        table: String,
        schedule: String,
        timezone: String,
        status: String,
        handler: String,
        execution: Execution,
        response: Response,
        unique: OneOrMany<String>,
        pagination: Pagination,
        offset_pagination: OffsetPagination,
        cursor_pagination: CursorPagination,
        retention: Retention,
        lookback: Span,
        incremental: Incremental,
        catch_up: String,
        startup: String,
    }

    Incremental {
        field: String,
        initial: Scalar,
    }

    Param {
        name: String,
        value: Scalar,
    }

    Execution {
        timeout: Span,
        max_retries: i64,
        retry_reset_period: Span,
    }

    Response {
        format: String,
        data_path: String,
        error_path: String,
        records: String,
        columns_path: String,
        fields: Fields,
        max_bytes: Size,
    }

    Field {
        source: OneOrMany<String>,
        value: Value,
        target: String,
        r#type: String,
        format: String,
        timezone: String,
        default: Value,
        nulls: OneOrMany<Scalar>,
    }

    Pagination {
        page: Counted,
        offset: Counted,
        cursor: Cursor,
        link: Link,
        next_url: NextUrl,
        max_pages: i64,
    }

    /// Of `page` and `offset`.
    Counted {
        param: String,
        start: i64,
        limit_param: String,
        limit: i64,
        has_more_path: String,
        total_path: String,
    }

    Cursor {
        param: String,
        next_cursor_path: String,
        limit_param: String,
        limit: i64,
    }

    Link {}

    NextUrl {
        path: String,
    }

    /// The older spelling of `pagination.page`. It counts from 1 as well,
    /// unless `startPage` says otherwise.
    OffsetPagination {
        page_param: String,
        start_page: i64,
        limit_param: String,
        limit: i64,
        has_more_path: String,
    }

    /// The older spelling of `pagination.cursor`.
    CursorPagination {
        cursor_param: String,
        next_cursor_path: String,
    }

    Retention {
        days: i64,
        rows: i64,
    }

    Provider {
        kind: String,
        domain: String,
        limits: Vec<Given<RequestLimit>>,
        /// With `period`, the short form of one limit.
        limit: i64,
        period: Span,
        concurrency: i64,
        auth: Auth,
    }

    RequestLimit {
        requests: i64,
        per: Span,
    }

    Auth {
        header: NamedSecret,
        query: NamedSecret,
        bearer: String,
        basic: Basic,
        oauth2: OAuth2,
    }

    NamedSecret {
        name: String,
        value: String,
    }

    Basic {
        user: String,
        password: String,
    }

    OAuth2 {
        token_url: String,
        client_id: String,
        client_secret: String,
        scope: String,
    }

    Deployment {
        kind: String,
        name: String,
        schedule: String,
        timezone: String,
        temporal_offset: i64,
        handler: String,
        prefix: String,
        sources: Vec<Given<String>>,
        active: bool,
        catch_up: String,
        startup: String,
    }

    Handler {
        kind: String,
        name: String,
        ring: Ring,
    }

    Ring {
        capacity: i64,
        workers: i64,
    }
}

/// `max_retries` as it stands in a document: `maxRetries`.
pub fn in_yaml(key: &str) -> String {
    let mut words = key.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_in_the_documents() {
        for (key, want) in [("name", "name"), ("max_retries", "maxRetries"), ("r#type", "type")] {
            assert_eq!(in_yaml(key), want);
        }
    }

    #[test]
    fn one_wrong_value_leaves_the_others_readable() {
        let text = "timeout: [1]\nmaxRetries: 3\nretryResetPeriod:\nbakoff: 2\n";
        let written: Execution = serde_yaml::from_str(text).expect("lenient");
        assert_eq!(written.timeout, Given::Bad("a duration such as 5m, not a list".into()));
        assert_eq!(written.max_retries, Given::Good(3));
        assert_eq!(written.retry_reset_period, Given::Absent);
        assert_eq!(written.unknown.len(), 1);
    }

    #[test]
    fn what_could_be_a_secret_is_not_repeated() {
        let written: NamedSecret = serde_yaml::from_str("value: 12345\n").expect("lenient");
        assert_eq!(written.value, Given::Bad("text, not a number; put it in quotes".into()));
    }
}
