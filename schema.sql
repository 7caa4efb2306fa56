-- The database of Hermes: what to fetch, what was fetched, what went wrong.
--
-- This file is the truth: a new database is made from it, and the upgrade
-- steps of an older one (src/store/upgrade.rs) must lead to the same shape.
-- Data tables are not here: they are made from the mapping of their sources
-- (src/store/data_table.rs).
--
-- All times are ISO 8601 text in UTC with milliseconds, 2026-11-15T23:41:53.000Z,
-- so that they sort as text. Secrets are nowhere: definitions keep the
-- placeholder (${env:…}), never the value.

-- One row: counts the changes of what is configured, by whomever (the triggers
-- below). A running Hermes reads this one row to notice that another process,
-- or any SQLite client, changed something.
CREATE TABLE generation (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    value INTEGER NOT NULL
);
INSERT INTO generation VALUES (1, 0);

-- What to fetch: a row a source. Written by the receiver (sources.d, hermes
-- add, update, pause, resume, delete).
CREATE TABLE source_definitions (
    name       TEXT PRIMARY KEY,
    -- The document as YAML, without its comments; one that is made from a client as it is
    -- written, not filled in. The worker reads it as a run starts.
    definition TEXT NOT NULL,
    -- The data table that its rows go to.
    table_name TEXT NOT NULL,
    -- As written: daily, hourly, interval:15m or five-field cron, whose time
    -- zone is in the definition. NULL: a deployment names the source, or it is daily.
    schedule   TEXT,
    -- active, paused, or removed: its file is gone, its rows are still here.
    status     TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'removed')),
    -- The file in sources.d that defines it. NULL: hermes add, or SQL.
    origin     TEXT,
    -- Of the definition, filled in, hexadecimal: tells a change from a mere rewrite. Empty: SQL wrote it.
    hash       TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    -- Why it cannot run. NULL: it can. Written by the scheduler as it loads the row.
    error      TEXT
);

-- When to run which sources. A source with a schedule of its own has no row
-- here: it is a deployment of one, by the same name.
CREATE TABLE deployments (
    name                   TEXT PRIMARY KEY,
    -- Of the job key. NULL: the name.
    prefix                 TEXT UNIQUE,
    schedule               TEXT NOT NULL,
    -- IANA name; for cron.
    timezone               TEXT NOT NULL DEFAULT 'UTC',
    -- Hours: fetch what was measured so long ago.
    temporal_offset        INTEGER NOT NULL DEFAULT 0,
    handler                TEXT NOT NULL DEFAULT 'default',
    is_active              INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    -- Missed slots: latest runs the latest for all of them, each runs one after the other.
    catch_up               TEXT NOT NULL DEFAULT 'latest' CHECK (catch_up IN ('latest', 'each')),
    -- The first run: now, or wait for the first slot to come.
    startup                TEXT NOT NULL DEFAULT 'now' CHECK (startup IN ('now', 'wait')),
    created_at             TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    -- The newest slot for which jobs were claimed. NULL: none yet. Written by the scheduler.
    last_deployed_datetime TEXT,
    -- The file in sources.d that defines it. NULL: hermes add, or SQL.
    origin                 TEXT,
    -- Why it cannot run. NULL: it can. Written by the scheduler.
    error                  TEXT
);

-- Many to many; no foreign key to the source, which may come later.
CREATE TABLE deployment_sources (
    deployment  TEXT NOT NULL REFERENCES deployments (name) ON DELETE CASCADE ON UPDATE CASCADE,
    source_name TEXT NOT NULL,
    PRIMARY KEY (deployment, source_name)
) WITHOUT ROWID;

-- Named queues. `default` has no row unless a document changes its size.
CREATE TABLE handlers (
    name     TEXT PRIMARY KEY,
    -- Jobs that may wait; running ones are not counted.
    capacity INTEGER NOT NULL DEFAULT 8 CHECK (capacity BETWEEN 1 AND 1024),
    -- Threads.
    workers  INTEGER NOT NULL DEFAULT 1 CHECK (workers BETWEEN 1 AND 64),
    origin   TEXT
);

-- Templates: what sources of one API have in common. A definition that names
-- one (client, with) is filled in as it is read, by the scheduler and the worker.
CREATE TABLE clients (
    name       TEXT PRIMARY KEY,
    -- The document as YAML, ${with.…} and other placeholders kept.
    definition TEXT NOT NULL,
    -- The file in sources.d that defines it. NULL: hermes add, or SQL.
    origin     TEXT
);

-- What the sources of a domain share. The document as YAML, placeholders kept.
CREATE TABLE providers (
    domain     TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    origin     TEXT
);

-- Failures since the last success: at most one row a source, none while all is
-- well. Written by the worker, in the transaction that ends the run.
CREATE TABLE retries (
    source_name   TEXT PRIMARY KEY REFERENCES source_definitions (name) ON DELETE CASCADE ON UPDATE CASCADE,
    -- Failures in this period, at least 1.
    retry_count   INTEGER NOT NULL,
    -- The first failure after a success or a reset.
    period_start  TEXT NOT NULL,
    next_retry_at TEXT NOT NULL
);

-- The jobs: queue, audit log and idempotency key at once. One row is one
-- source at one slot; a retry is another run of the same row. Kept: the newest
-- 100 of a source, its newest success, and whatever is not over.
CREATE TABLE fetchlogs (
    id                 INTEGER PRIMARY KEY,
    -- YYYY-MM-DD/prefix/prefix-YYYYMMDDHHMM of the slot; whoever inserts it first has the job.
    key                TEXT NOT NULL UNIQUE,
    source_name        TEXT NOT NULL,
    deployment         TEXT NOT NULL,
    handler            TEXT NOT NULL,
    -- queued -> running -> completed | failed | interrupted | cancelled | discarded.
    -- failed and interrupted go back to queued for the next attempt.
    status             TEXT NOT NULL DEFAULT 'queued' CHECK (status IN
        ('queued', 'running', 'completed', 'failed', 'interrupted', 'cancelled', 'discarded')),
    -- From 1.
    attempt            INTEGER NOT NULL DEFAULT 1,
    -- The slot.
    scheduled_datetime TEXT NOT NULL,
    queued_datetime    TEXT NOT NULL,
    -- Of the latest run, as are the counts below. NULL: none has begun.
    started_datetime   TEXT,
    -- NULL: not over.
    completed_datetime TEXT,
    -- A queued job that must wait, for a rate window or its slot. NULL: it need not.
    not_before         TEXT,
    -- What it fetches, where its request says ${window.from} and ${window.to}: from where
    -- the last completed window of the source and deployment ended, to the slot less the offset.
    window_from        TEXT,
    window_to          TEXT,
    -- Where a run stopped for a rate window, as JSON: the next run goes on there. NULL: at the first page.
    resume             TEXT,
    -- 1: its last run found this machine offline, which counts as nothing; it waits for the network.
    is_offline         INTEGER NOT NULL DEFAULT 0,
    -- 1: a person asked for it (hermes run): it runs though its source is paused.
    is_asked           INTEGER NOT NULL DEFAULT 0,
    pages              INTEGER NOT NULL DEFAULT 0,
    -- Records in the answers, duplicates included.
    records            INTEGER NOT NULL DEFAULT 0,
    -- Of these, the new rows.
    inserted           INTEGER NOT NULL DEFAULT 0,
    -- Of the answers, after decompression.
    bytes              INTEGER NOT NULL DEFAULT 0,
    -- Of the latest run, monotonic. NULL: not over.
    duration_ms        INTEGER,
    -- What went wrong, or a warning. NULL: nothing to say.
    message            TEXT,
    -- Records in all pages of the latest run, as the answer says (totalPath). NULL: it does not.
    total              INTEGER
);
-- Newest first of one source: its logs, its last success, what to prune.
CREATE INDEX fetchlogs_of_source ON fetchlogs (source_name, id);
-- What is under way: small, whatever the history.
CREATE INDEX fetchlogs_open ON fetchlogs (scheduled_datetime) WHERE status IN ('queued', 'running');

-- The newest value of the `incremental` field that a completed run of a source
-- has seen: ${since}. A run that fails leaves it, so that no record is passed over.
CREATE TABLE incremental_state (
    source_name TEXT NOT NULL REFERENCES source_definitions (name) ON DELETE CASCADE ON UPDATE CASCADE,
    -- The target.
    field       TEXT NOT NULL,
    -- Of the type that the field has.
    value       NOT NULL,
    PRIMARY KEY (source_name, field)
) WITHOUT ROWID;

-- What the last completed run of a source was answered, where that was one answer (not several pages). The next
-- run asks whether it has changed (304: it has not), and does not read the same bytes again. No row: nothing is
-- known, all of it is fetched and read; `hermes reset` makes it so. Written by the worker with the end of a run.
CREATE TABLE last_answers (
    source_name   TEXT PRIMARY KEY REFERENCES source_definitions (name) ON DELETE CASCADE ON UPDATE CASCADE,
    -- Hash of the request (secrets left out) and of how the answer is read: of another one, nothing is known.
    request       TEXT NOT NULL,
    -- Sent back as If-None-Match and If-Modified-Since. NULL: the site sends none.
    etag          TEXT,
    last_modified TEXT,
    -- Hash of its bytes.
    body          TEXT NOT NULL,
    -- How many it had.
    records       INTEGER NOT NULL
) WITHOUT ROWID;

-- The time that completed jobs of a source cover, as intervals that neither
-- touch nor overlap: what lies between two of them is a gap. Written with the
-- success of a job; longer-lived than its row in fetchlogs.
CREATE TABLE covered_windows (
    source_name TEXT NOT NULL REFERENCES source_definitions (name) ON DELETE CASCADE ON UPDATE CASCADE,
    window_from TEXT NOT NULL,
    window_to   TEXT NOT NULL,
    PRIMARY KEY (source_name, window_from)
) WITHOUT ROWID;

-- Requests counted per domain and window. Written by the worker before each
-- request that a provider limits, so that no restart forgets one.
CREATE TABLE rate_limiter_state (
    domain         TEXT NOT NULL,
    -- Length of the window.
    period_seconds INTEGER NOT NULL,
    window_start   TEXT NOT NULL,
    request_count  INTEGER NOT NULL,
    PRIMARY KEY (domain, period_seconds)
) WITHOUT ROWID;

-- What was last read from sources.d. Written by the receiver.
CREATE TABLE source_files (
    file  TEXT PRIMARY KEY,
    -- Of its bytes, hexadecimal.
    hash  TEXT NOT NULL,
    -- The problems of a bad file, a line each; what it defined before goes on. NULL: it is good.
    error TEXT
);

-- Every change of what is configured moves the generation on. Columns that
-- Hermes itself writes as it runs (error, last_deployed_datetime) do not.
CREATE TRIGGER source_definitions_added AFTER INSERT ON source_definitions
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER source_definitions_changed
AFTER UPDATE OF name, definition, table_name, schedule, status ON source_definitions
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER source_definitions_gone AFTER DELETE ON source_definitions
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployments_added AFTER INSERT ON deployments
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployments_changed
AFTER UPDATE OF name, prefix, schedule, timezone, temporal_offset, handler, is_active, catch_up, startup
ON deployments
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployments_gone AFTER DELETE ON deployments
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployment_sources_added AFTER INSERT ON deployment_sources
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployment_sources_changed AFTER UPDATE ON deployment_sources
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER deployment_sources_gone AFTER DELETE ON deployment_sources
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER handlers_added AFTER INSERT ON handlers
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER handlers_changed AFTER UPDATE ON handlers
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER handlers_gone AFTER DELETE ON handlers
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER clients_added AFTER INSERT ON clients
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER clients_changed AFTER UPDATE ON clients
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER clients_gone AFTER DELETE ON clients
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER providers_added AFTER INSERT ON providers
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER providers_changed AFTER UPDATE ON providers
BEGIN UPDATE generation SET value = value + 1; END;
CREATE TRIGGER providers_gone AFTER DELETE ON providers
BEGIN UPDATE generation SET value = value + 1; END;

-- For any SQLite client: jobs that are queued or running for over an hour.
CREATE VIEW stuck_jobs AS
SELECT key, source_name, deployment, handler, status, attempt, queued_datetime, started_datetime, message
FROM fetchlogs
WHERE status IN ('queued', 'running')
  AND queued_datetime < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour')
  AND coalesce(not_before, '') < strftime('%Y-%m-%dT%H:%M:%fZ');

-- For any SQLite client: every deployment, those of one source included, with
-- its last run and what became of its jobs in the last 24 hours. NULL: it never ran.
CREATE VIEW deployment_health AS
WITH known AS (
    SELECT name, schedule, is_active FROM deployments
    UNION ALL
    SELECT name, coalesce(schedule, 'daily'), status = 'active' FROM source_definitions
    WHERE status <> 'removed'
      AND (schedule IS NOT NULL OR name NOT IN (SELECT source_name FROM deployment_sources))
)
SELECT known.name AS deployment, known.schedule, known.is_active,
    max(started_datetime) AS last_run_at,
    count(*) FILTER (WHERE started_datetime > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')) AS runs_24h,
    count(*) FILTER (WHERE status = 'completed'
        AND completed_datetime > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')) AS completed_24h,
    count(*) FILTER (WHERE status IN ('failed', 'interrupted')
        AND completed_datetime > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')) AS errors_24h
FROM known LEFT JOIN fetchlogs ON fetchlogs.deployment = known.name
GROUP BY known.name;

-- For any SQLite client: active sources without a success for 26 hours, which
-- is more than a daily schedule needs. NULL: it never succeeded.
CREATE VIEW stale_sources AS
SELECT name, table_name, schedule, last_success_at, last_error FROM (
    SELECT name, table_name, schedule, created_at,
        (SELECT max(completed_datetime) FROM fetchlogs
         WHERE source_name = name AND status = 'completed') AS last_success_at,
        (SELECT message FROM fetchlogs
         WHERE source_name = name AND status IN ('failed', 'interrupted')
         ORDER BY id DESC LIMIT 1) AS last_error
    FROM source_definitions WHERE status = 'active'
)
WHERE coalesce(last_success_at, created_at) < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-26 hours');
