//! The rules, as tables of what is written and what a person is told.

use crate::definition::document;

fn problems(text: &str) -> Vec<String> {
    document::read(text).problems.iter().map(ToString::to_string).collect()
}

/// A good source with some lines more, which begin at line 5.
fn source_with(lines: &str) -> String {
    format!("name: a\nurl: http://a.org\ntable: t\nresponse: {{ fields: {{ a: a, b: b }} }}\n{lines}\n")
}

fn told(table: &[(&str, &str)], text: impl Fn(&str) -> String) {
    for (written, want) in table {
        let want: Vec<&str> = want.split('\n').filter(|line| !line.is_empty()).collect();
        assert_eq!(problems(&text(written)), want, "{written}");
    }
}

#[test]
fn a_misspelt_key_is_told_what_was_meant() {
    told(
        &[
            ("shedule: daily", "5:1: shedule: there is no key `shedule`; did you mean `schedule`?"),
            (
                "execution: { time_out: 5m }",
                "5:14: execution.time_out: there is no key `time_out`; did you mean `timeout`?",
            ),
            (
                "retention: { weeks: 5 }",
                "5:14: retention.weeks: there is no key `weeks` here; there is days, rows",
            ),
            ("clinet: x", "5:1: clinet: there is no key `clinet`; did you mean `client`?"),
            (
                "incremental: { feild: a, initial: 0 }",
                "5:14: incremental.field: `field` is missing: text\n5:16: incremental.feild: there is no key `feild`; did you mean `field`?",
            ),
            ("name: b", "5:1: name: `name` is given twice"),
        ],
        source_with,
    );
}

#[test]
fn the_keys_of_a_source_have_their_rules() {
    told(
        &[
            (
                "schedule: weekly",
                "5:11: schedule: `weekly` is no schedule; write daily, hourly, interval:15m or cron such as \"*/15 * * * *\"",
            ),
            (
                "timezone: Mars",
                "5:11: timezone: `Mars` is no time zone of this machine; UTC and Europe/Berlin are such names",
            ),
            ("status: on", "5:9: status: `status` is one of active, paused, not `on`"),
            ("handler: A B", "5:10: handler: `A B` is no name: a-z, 0-9, - and _, at most 64"),
            ("description: [a]", "5:14: description: `description` is text, not a list"),
            ("description: 5", "5:14: description: `description` is text, not a number; put it in quotes"),
            (
                "execution: { timeout: [5] }",
                "5:23: execution.timeout: `timeout` is a duration such as 5m, not a list",
            ),
            (
                "execution: { timeout: 5w }",
                "5:23: execution.timeout: `5w` is no duration; 90s, 15m, 6h and 1d are",
            ),
            ("execution: { timeout: 2d }", "5:23: execution.timeout: `timeout` is between 1s and 1d, not 2d"),
            (
                "execution: { maxRetries: 0 }",
                "5:26: execution.maxRetries: `maxRetries` is between 1 and 1000, not 0",
            ),
            (
                "execution: { maxRetries: 1.5 }",
                "5:26: execution.maxRetries: `maxRetries` is a whole number, not a fraction",
            ),
            (
                "execution: { retryResetPeriod: 59 }",
                "5:32: execution.retryResetPeriod: `retryResetPeriod` is between 1m and 3660d, not 59",
            ),
            ("execution: 5m", "5:12: execution: `execution` is a map, not text"),
            (
                "retention: { days: 0, rows: -1 }",
                "5:20: retention.days: `days` is between 1 and 36600, not 0\n5:29: retention.rows: `rows` is at least 1, not -1",
            ),
            ("unique: [a, c]", "5:13: unique[1]: no field has the target `c`; there is a, b"),
            ("unique: [a, A]", "5:13: unique[1]: `A` is named twice"),
            ("unique: other", "5:9: unique: no field has the target `other`; there is a, b"),
            ("unique: []", "5:9: unique: `unique` names no field; leave it out to compare all of them"),
        ],
        source_with,
    );
}

#[test]
fn a_request_has_its_rules() {
    told(
        &[
            ("method: PUT", "5:9: method: `method` is GET or POST, not `PUT`"),
            ("body: {}", "5:1: body: `body` is sent with `method: POST` only"),
            (
                "method: POST\nbody: { a: [x, \"${b}\"] }",
                "6:16: body.a[1]: `${b}` is not known; ${env:NAME}, ${file:PATH}, ${slot}, ${window.from}, ${window.to} and ${since} are, the last four with a format such as ${slot|%Y-%m-%d}",
            ),
            (
                "headers: { Host: a }",
                "5:12: headers.Host: the header `Host` is set by Hermes itself; leave it out",
            ),
            ("headers: { \"a b\": a }", "5:12: headers.a b: `a b` is no name of a header"),
            ("headers: { a: \"x\\ny\" }", "5:15: headers.a: a header is one line of ASCII text"),
            (
                "headers: { a: 1, A: x, a-b: [] }",
                "5:15: headers.a: a header is text, not a number; put it in quotes\n5:29: headers.a-b: a header is text, not a list",
            ),
            ("headers: { a: x, A: x }", "5:18: headers.A: the header `A` is given twice"),
            ("params: 5", "5:9: params: `params` is a list of {name, value} or a map, not a number"),
            (
                "params:\n  - { name: a }\n  - x",
                "6:5: params[0].value: `value` is missing: text, a number, true or false\n7:5: params[1]: an item here is a map, not text",
            ),
            (
                "params: { a: [1], b: \"${c}\" }",
                "5:14: params.a: a parameter is text, a number, true or false, not a list\n5:22: params.b: `${c}` is not known; ${env:NAME}, ${file:PATH}, ${slot}, ${window.from}, ${window.to} and ${since} are, the last four with a format such as ${slot|%Y-%m-%d}",
            ),
        ],
        source_with,
    );
}

#[test]
fn a_url_has_its_rules() {
    told(
        &[
            ("ftp://a.org", "2:6: url: a url begins with http:// or https://"),
            ("${env:URL}/a", "2:6: url: a url begins with http:// or https://"),
            ("https://", "2:6: url: this is no url: empty host"),
            (
                "https://me:secret@a.org",
                "2:6: url: a url holds no user and password; give them as `basic` in a provider's auth",
            ),
            ("https://a.org/#top", "2:6: url: a url ends before `#`: what follows it is never sent"),
            ("hermes:disk", "2:6: url: there is no built-in source of this name; `hermes:vitals` is one"),
            (
                "https://a.org/${when}",
                "2:6: url: `${when}` is not known; ${env:NAME}, ${file:PATH}, ${slot}, ${window.from}, ${window.to} and ${since} are, the last four with a format such as ${slot|%Y-%m-%d}",
            ),
            ("\"https://a.org/\\n\"", "2:6: url: a url is one line without tabs"),
            ("https://a.${env:TLD}:${env:PORT}/", ""),
            ("https://a.org:${env:PORT}/", ""),
        ],
        |url| format!("name: a\nurl: {url}\ntable: t\nresponse: {{ fields: {{ a: a }} }}\n"),
    );
}

#[test]
fn names_that_are_taken_are_refused() {
    told(
        &[
            ("Retries", "2:8: table: `Retries` is a table of Hermes or SQLite itself; choose another name"),
            ("sqlite_x", "2:8: table: `sqlite_x` is a table of Hermes or SQLite itself; choose another name"),
            ("a-b", "2:8: table: `a-b` is no table name: letters, digits and _, no digit first, at most 64"),
        ],
        |table| format!("name: a\ntable: {table}\nurl: http://a.org\nresponse: {{ fields: {{ a: a }} }}\n"),
    );
}

#[test]
fn an_answer_has_its_rules() {
    told(
        &[
            ("format: xml", "5:11: response.format: `format` is one of json, ndjson, csv, not `xml`"),
            (
                "format: csv\n  dataPath: a\n  errorPath: b",
                "6:3: response.dataPath: `dataPath` is for `format: json`; in csv the header row names the columns and each line is a record\n7:3: response.errorPath: `errorPath` is for `format: json`; in csv the header row names the columns and each line is a record",
            ),
            (
                "format: ndjson\n  records: map",
                "6:3: response.records: `records` is for `format: json`; in ndjson each line is a record",
            ),
            (
                "dataPath: a..b",
                "5:13: response.dataPath: `a..b` has an empty key; write a.b, or \"a.b\" in quotes for a key with a dot",
            ),
            (
                "errorPath: .",
                "5:14: response.errorPath: `errorPath` is a path into the answer such as meta.next, not the whole of it",
            ),
            (
                "records: columns",
                "4:3: response.columnsPath: `columnsPath` is missing: with `records: columns` it leads to the column names",
            ),
            ("columnsPath: a", "5:3: response.columnsPath: `columnsPath` goes with `records: columns`"),
            ("maxBytes: 1", "5:13: response.maxBytes: `maxBytes` is between 1KiB and 256MiB, not 1"),
            ("maxBytes: 16MB", "5:13: response.maxBytes: `16MB` is no size; 512KiB and 16MiB are"),
        ],
        |line| {
            let fields = "fields: { a: a }";
            format!("name: a\nurl: http://a.org\nresponse:\n  {fields}\n  {line}\ntable: t\n")
        },
    );
    told(
        &[
            ("{}", "4:11: response.fields: `fields` is missing: a list of fields or a map `target: source`"),
            (
                "{ fields: [] }",
                "4:21: response.fields: `fields` is empty: a source stores at least one field",
            ),
            ("{ fields: { a: 5 } }", "4:26: response.fields.a: a source is text or a list, not a number"),
            (
                "{ fields: { rowid: a, A: a, a: b } }",
                "4:23: response.fields.rowid: `rowid` is a column that every table has already; choose another name\n4:42: response.fields.a: another field has the target `a` as well",
            ),
            (
                "{ format: ndjson, fields: { a: $.a } }",
                "4:42: response.fields.a: `$.` leads from the root of an answer in JSON; here there are only records",
            ),
            (
                "{ format: csv, fields: { a: a.b } }",
                "4:39: response.fields.a: `a.b` is no column; one with a dot in its name stands in quotes: '\"a.b\"'",
            ),
        ],
        |response| format!("name: a\nurl: http://a.org\ntable: t\nresponse: {response}\n"),
    );
}

#[test]
fn a_field_has_its_rules() {
    told(
        &[
            (
                "{ target: x }",
                "6:7: response.fields[1].source: `source` is missing: a path such as author.name",
            ),
            ("{ source: x }", "6:7: response.fields[1].target: `target` is missing: text"),
            (
                "{ source: x, value: 1, target: x }",
                "6:20: response.fields[1].value: a field has `source` or `value`, not both",
            ),
            (
                "{ value: 1, target: x, default: 2 }",
                "6:30: response.fields[1].default: `default` goes with `source`; a constant is never missing",
            ),
            (
                "{ source: $key, target: x }",
                "6:17: response.fields[1].source: `$key` is the key of a record, with `records: map`",
            ),
            (
                "{ source: [x], target: x }",
                "6:17: response.fields[1].source: a list of sources is joined to one text, so it has at least two",
            ),
            (
                "{ source: [x, $.y], target: x }",
                "6:21: response.fields[1].source[1]: in a list of sources each is a path within the record",
            ),
            (
                "{ source: x, target: a b }",
                "6:28: response.fields[1].target: `a b` is no column name: letters, digits and _, no digit first, at most 64",
            ),
            (
                "{ source: x, target: Created_At }",
                "6:28: response.fields[1].target: `Created_At` is a column that every table has already; choose another name",
            ),
            (
                "{ source: x, target: A }",
                "6:28: response.fields[1].target: another field has the target `A` as well",
            ),
            (
                "{ source: x, target: x, type: int }",
                "6:37: response.fields[1].type: `type` is one of text, integer, real, boolean, timestamp, json, not `int`",
            ),
            (
                "{ source: x, target: x, format: unix }",
                "6:31: response.fields[1].format: `format` goes with `type: timestamp`",
            ),
            (
                "{ source: x, target: x, type: timestamp, format: \"%H:%M\" }",
                "6:56: response.fields[1].format: `%H:%M` reads no date; unix, unix_ms and patterns such as %Y-%m-%d %H:%M:%S do",
            ),
            (
                "{ source: x, target: x, type: timestamp, format: iso }",
                "6:56: response.fields[1].format: `iso` reads no date; unix, unix_ms and patterns such as %Y-%m-%d %H:%M:%S do",
            ),
            (
                "{ source: x, target: x, nulls: [[]] }",
                "6:39: response.fields[1].nulls[0]: an item here is text, a number, true or false, not a list",
            ),
            ("text", "6:7: response.fields[1]: an item here is a map, not text"),
            ("{ source: x, target: x, type: timestamp, format: \"%d/%b/%Y %I:%M %p\" }", ""),
            ("{ source: x, target: x, type: timestamp, format: \"%Y-%m-%d\" }", ""),
        ],
        |field| {
            let start = "name: a\nurl: http://a.org\nresponse:\n  fields:\n";
            format!("{start}    - {{ source: a, target: a }}\n    - {field}\ntable: t\n")
        },
    );
}

#[test]
fn pages_have_their_rules() {
    told(
        &[
            (
                "pagination: {}",
                "5:13: pagination: `pagination` is one of page, offset, cursor, link ({}), nextUrl; none is given",
            ),
            (
                "pagination: { page: {}, link: {} }",
                "5:25: pagination.link: `pagination` is one of page, offset, cursor, link, nextUrl; `page` is given too",
            ),
            (
                "pagination: { cursor: {} }",
                "5:23: pagination.cursor.nextCursorPath: `nextCursorPath` is missing: a path into the answer such as meta.next",
            ),
            (
                "pagination: { nextUrl: {} }",
                "5:24: pagination.nextUrl.path: `path` is missing: a path into the answer such as meta.next",
            ),
            (
                "pagination: { page: { limitParam: n } }",
                "5:23: pagination.page.limitParam: `limitParam` needs a `limit` to send",
            ),
            (
                "pagination: { page: { limit: 0, start: -1 } }",
                "5:30: pagination.page.limit: `limit` is between 1 and 1000000, not 0\n5:40: pagination.page.start: `start` is at least 0, not -1",
            ),
            (
                "pagination: { link: {}, maxPages: 0 }",
                "5:35: pagination.maxPages: `maxPages` is between 1 and 1000000, not 0",
            ),
            (
                "offsetPagination: {}\ncursorPagination: { nextCursorPath: a }",
                "6:1: cursorPagination: `cursorPagination` and `offsetPagination` are two spellings of one thing; keep one",
            ),
            (
                "pagination: { link: {} }\noffsetPagination: {}",
                "6:1: offsetPagination: `offsetPagination` and `pagination` are two spellings of one thing; keep one",
            ),
        ],
        source_with,
    );
    told(
        &[
            (
                "url: hermes:vitals\nresponse: { fields: { a: a } }\npagination: { link: {} }",
                "5:1: pagination: a built-in source has one page only",
            ),
            (
                "url: http://a.org\nresponse: { format: csv, fields: { a: a } }\npagination: { page: { totalPath: a } }",
                "5:23: pagination.page.totalPath: `totalPath` leads into an answer in JSON; csv and ndjson have none",
            ),
        ],
        |rest| format!("name: a\ntable: t\n{rest}\n"),
    );
}

#[test]
fn a_provider_has_its_rules() {
    told(
        &[
            (
                "domain: https://a.org",
                "2:9: domain: `https://a.org` is no domain such as api.example.org: without https://, port and path",
            ),
            (
                "concurrency: 65",
                "1:1: domain: `domain` is missing: text\n2:14: concurrency: `concurrency` is between 1 and 64, not 65",
            ),
            (
                "api_key: x\ndomain: a.org",
                "2:1: api_key: there is no key `api_key` here; there is kind, domain, limits, limit, period, concurrency, auth",
            ),
            ("domain: a.org\nlimit: 5", "1:1: period: `period` is missing: a duration such as 1m"),
            (
                "domain: a.org\nlimit: 5\nperiod: 1m\nlimits: []",
                "3:1: limit: `limit` with `period` is the short form of `limits`; keep one of them",
            ),
            (
                "domain: a.org\nlimits: [{ requests: 0, per: 0s }]",
                "3:22: limits[0].requests: `requests` is between 1 and 4294967295, not 0\n3:30: limits[0].per: `per` is between 1s and 366d, not 0s",
            ),
            (
                "domain: a.org\nauth: {}",
                "3:7: auth: `auth` is one of header, query, bearer, basic, oauth2; none is given",
            ),
            (
                "domain: a.org\nauth: { bearer: a, basic: { user: b } }",
                "3:20: auth.basic: `auth` is one of header, query, bearer, basic, oauth2; `bearer` is given too\n3:27: auth.basic.password: `password` is missing: text",
            ),
            (
                "domain: a.org\nauth: { bearer: 12345 }",
                "3:17: auth.bearer: `bearer` is text, not a number; put it in quotes",
            ),
            (
                "domain: a.org\nauth: { header: { name: Host, value: \"\" } }",
                "3:25: auth.header.name: the header `Host` is set by Hermes itself; leave it out\n3:38: auth.header.value: `value` is empty",
            ),
            (
                "domain: a.org\nauth: { oauth2: { tokenUrl: a, clientId: b } }",
                "3:17: auth.oauth2.clientSecret: `clientSecret` is missing: text\n3:29: auth.oauth2.tokenUrl: a url begins with http:// or https://",
            ),
        ],
        |rest| format!("kind: provider\n{rest}\n"),
    );
}

#[test]
fn deployments_and_handlers_have_their_rules() {
    told(
        &[
            (
                "kind: deployment",
                "1:1: name: `name` is missing: a-z, 0-9, - and _, at most 64\n1:1: schedule: `schedule` is missing: daily, hourly, interval:15m or cron such as \"*/15 * * * *\"",
            ),
            (
                "kind: deployment\nname: a\nschedule: daily\ntemporalOffset: 100000",
                "4:17: temporalOffset: `temporalOffset` is between -87600 and 87600, not 100000",
            ),
            (
                "kind: deployment\nname: a\nschedule: daily\nsources: [b, b, C]",
                "4:14: sources[1]: `b` is named twice\n4:17: sources[2]: `C` is no name: a-z, 0-9, - and _, at most 64",
            ),
            (
                "kind: deployment\nname: a\nschedule: daily\nactive: maybe",
                "4:9: active: `active` is true or false, not text",
            ),
            (
                "kind: handler\nname: a\nring: { capacity: 0, workers: 65 }",
                "3:19: ring.capacity: `capacity` is between 1 and 1024, not 0\n3:31: ring.workers: `workers` is between 1 and 64, not 65",
            ),
            ("kind: handler\nname: a\nkafka: {}", "3:1: kafka: `kafka` is not supported yet"),
            ("kind: sorce", "1:7: kind: there is no kind `sorce`; did you mean `source`?"),
            (
                "kind: [a]",
                "1:7: kind: `kind` is text; source, client, provider, deployment or handler will do",
            ),
        ],
        str::to_owned,
    );
}

#[test]
fn a_problem_hides_no_other_and_makes_no_other() {
    let text = "name: a\nurl: x\ntable: t\nunique: [a, b, c]\nresponse:\n  format: csv\n  fields:\n    - { source: a, target: a, type: int }\n    - { target: b }\n    - 5\npagination: { page: { hasMorePath: more } }\n";
    assert_eq!(
        problems(text),
        [
            "2:6: url: a url begins with http:// or https://",
            "4:16: unique[2]: no field has the target `c`; there is a, b",
            "8:37: response.fields[0].type: `type` is one of text, integer, real, boolean, timestamp, json, not `int`",
            "9:7: response.fields[1].source: `source` is missing: a path such as author.name",
            "10:7: response.fields[2]: an item here is a map, not a number",
            "11:23: pagination.page.hasMorePath: `hasMorePath` leads into an answer in JSON; csv and ndjson have none",
        ]
    );
}
