//! The index of the integration tests. They drive the real binary against a real loopback server.
//! Nothing here reaches into the library: what a test asserts, a user could see.
//!
//! A new test goes into the file of the behaviour that it is about; a new behaviour gets a file and a
//! line here. A test is a sentence, waits with `until("what", …)`, and was seen to fail once.

// The helpers are there for tests still to come, and a failed `unwrap` in a test is a failed test.
#![allow(dead_code, unused_imports, unreachable_pub, clippy::unwrap_used)]

// Helpers, no tests: `Hermes` (the program), `Site` (the API that it fetches), `until` (waiting).
mod util;

// The helpers themselves: what `Site` puts on the wire, how `Hermes` runs, waits and ends.
mod harness;
// Endless, slow, cut short, lying, oversized answers; redirects that lead nowhere; values that bite.
mod hostile;
// Which module of `src` may use which: the layers of the design.
mod layers;
// One request and what is stored of it: `fetch/request` what is asked, `fetch/stored` what a page leaves
// in the tables, `fetch/outcome` how a run ends and what fetchlogs says of it, `fetch/secure` https.
mod fetch;
// Answers that have not changed: ETag, Last-Modified, 304, the same bytes.
mod unchanged;
// Every kind of pagination (`pages`), each way in which it ends (`pages/end`), what is stored together (`pages/together`).
mod pages;
// Fields, types, defaults, nulls (`mapping`); times (`mapping/time`); layouts and formats (`mapping/layout`).
mod mapping;
// Answers in the shapes of real APIs, with documents as a user would write them: one test an API.
mod shapes;
// Limits, places for requests and authentication of a domain.
mod providers;
// Where a secret must never appear: files, logs, outputs, errors, other origins.
mod secrets;

// What the tests of time share: a small source, its jobs, ageing them. No tests.
mod scene;
// What is due and when: first run, slots, keys, missed slots; who goes first; deployments by file and SQL.
mod schedule;
// What time a job fetches: windows, since, catch-up, runs that go on, `run`, `gaps`.
mod windows;
// Failures: what they count, backoff, budgets, Retry-After, timeouts, and what the log says of them.
mod retry;
// Killed, stopped, a full disk, a locked database.
mod recovery;
// Memory, wake-ups and writes while nothing happens.
mod idle;
// `ready`: what would run, and why not what would not; `ready/queue`: claiming it, once.
mod ready;
// Named queues: who waits for whom, made, resized and removed while jobs wait.
mod handlers;
// A second daemon on one database: refused, or standing by to take over.
mod standby;
// What does not fit 32 bits: numbers, times after 2038.
mod wide;
// Under systemd: readiness, signs of life, lines for the journal.
mod supervised;
// What ships beside the binary: cross.toml, build scripts, the systemd unit.
mod packaging;
// A machine without a network: nothing counted, and on by itself.
mod offline;
// The database as an interface: `sql` configures by SQL, `sql/views` reads the views.
mod sql;

// What people do to sources: files in sources.d, `add`, `update`, `delete`, `pause`, `reset`; the tables.
mod sources;
// Sources made from a client: what they ask, its changes (`clients/changes`), what does not fit (`clients/misfits`).
mod clients;
// `init`: a document from one answer; shapes of real APIs page by page, curl commands, secrets, refusals.
mod init;
// `check`: problems with their places, exit codes.
mod check;
// What people see: `list`, `status`, `logs`, `get`, `data`; states, options, help, exit codes; the glance of
// `status` (`view/glance`), watched (`view/watch`), and `logs -f` (`view/follow`).
// `try`: what it shows (`trial`), what is wrong (`trial/problems`), what it is given (`trial/given`).
mod trial;
// What people see: `list`, `status`, `logs`, `get`, `data`; states, options, help, exit codes.
mod view;
// `run` while a person watches: the progress bar, plain lines, Ctrl-C.
mod progress;
// What is said of a wrong name, a missing or refused secret, a database that cannot be used.
mod messages;
// What people take out: `export` (formats, files, slow readers), `backup` (beside a daemon, killed, verified).
mod keep;
// Schedules by the calendar: `preview`, time zones, the slot of a first run, deployments from SQL.
mod cron;

// One line each as they are written, in this order:
// sources:   files in sources.d: added, changed, renamed over, removed, broken; `add`, `update`, `delete`.
// schedule:  what is due and when: first run, slots, intervals, missed slots, `ready`, `queue`.
// fetch:     one request and what is stored of it: params, headers, methods, formats, encodings.
// pages:     every kind of pagination, and each way in which it ends.
// mapping:   fields, types, defaults, nulls, unique, tables and columns.
// shapes:    answers in the shapes of real APIs, one test an API.
// hostile:   endless, slow, cut short, lying, oversized answers; redirects that steal credentials.
// retry:     failures, backoff, budgets, Retry-After.
// providers: limits and authentication of a domain.
// secrets:   where a secret must never appear.
// view:      list, get, status, logs, data, export, and the page.
// recovery:  killed, stopped, full disk, second daemon, clock.
// idle:      memory, wake-ups and writes while nothing happens.
