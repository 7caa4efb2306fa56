-- As they were in version 2; never changes again.

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
