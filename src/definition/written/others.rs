//! Providers, deployments and handlers as they are written.

use super::*;

written! {
    Provider [kind, domain] {
        /// What the document is.
        kind: String,
        /// Of the sources that it is for, subdomains included: `api.example.org`, without https://, port and path.
        domain: String => { "pattern": DOMAIN, "maxLength": 253 },
        /// Requests that are allowed, as many limits as there are.
        limits: Vec<Given<RequestLimit>>,
        /// With `period`, the short form of one limit.
        limit: i64 => { "minimum": 1, "maximum": 4_294_967_295_u64 },
        /// With `limit`, the short form of one limit.
        period: Span => { "examples": ["1m"] },
        /// Requests at once to this domain.
        concurrency: i64 => { "minimum": 1, "maximum": 64 },
        /// How requests say who asks. Write no secret here but a placeholder: `${env:NAME}` or `${file:PATH}`.
        auth: Auth,
    } => {
        "dependencies": {
            "limit": ["period"],
            "period": ["limit"],
            "limits": { "not": { "anyOf": [{ "required": ["limit"] }, { "required": ["period"] }] } }
        }
    }

    RequestLimit [requests, per] {
        /// How many requests.
        requests: i64 => { "minimum": 1, "maximum": 4_294_967_295_u64 },
        /// In which time.
        per: Span => { "examples": ["1m", "1h", "1d"] },
    }

    Auth {
        /// A header with a key.
        header: NamedSecret => { "nullable": false },
        /// A query parameter with a key.
        query: NamedSecret => { "nullable": false },
        /// A token, sent as `Authorization: Bearer …`.
        bearer: String => { "pattern": TEMPLATE, "minLength": 1, "nullable": false },
        /// A user and a password.
        basic: Basic => { "nullable": false },
        /// Tokens by OAuth 2 client credentials.
        oauth2: OAuth2 => { "nullable": false },
    } => { "minProperties": 1, "maxProperties": 1 }

    NamedSecret [name, value] {
        /// Of the header or parameter.
        name: String => { "minLength": 1 },
        /// The secret, as a placeholder.
        value: String => { "pattern": TEMPLATE, "minLength": 1 },
    }

    Basic [user, password] {
        /// The user.
        user: String => { "pattern": TEMPLATE, "minLength": 1 },
        /// The password, as a placeholder; it may be empty.
        password: String => { "pattern": TEMPLATE },
    }

    OAuth2 [token_url, client_id, client_secret] {
        /// Where tokens are asked for.
        token_url: String => { "allOf": [{ "pattern": WEB_URL }, { "pattern": TEMPLATE }] },
        /// The client's name there.
        client_id: String => { "pattern": TEMPLATE, "minLength": 1 },
        /// Its secret, as a placeholder.
        client_secret: String => { "pattern": TEMPLATE, "minLength": 1 },
        /// What is asked for.
        scope: String => { "minLength": 1 },
    }

    Deployment [kind, name, schedule] {
        /// What the document is.
        kind: String,
        /// The deployment's name.
        name: String => { "pattern": NAME },
        /// When its sources run: daily, hourly, interval:15m, or cron of five fields.
        schedule: String => { "pattern": SCHEDULE, "examples": SCHEDULES },
        /// Of cron, such as Europe/Berlin.
        timezone: String => { "minLength": 1, "default": "UTC" },
        /// Hours: fetch what was measured so long ago, for publishers that are late.
        temporal_offset: i64 => { "minimum": -87_600, "maximum": 87_600, "default": 0 },
        /// The queue that its jobs wait in.
        handler: String => { "pattern": NAME, "default": "default" },
        /// Of its job keys, which no other has; the deployment's name where absent.
        prefix: String => { "pattern": NAME },
        /// The names of its sources.
        sources: Vec<Given<String>> => { "items": { "type": "string", "pattern": NAME }, "uniqueItems": true },
        /// Whether it runs.
        active: bool => { "default": true },
        /// Missed slots are one run for the latest of them, or each a run of its own.
        catch_up: String => { "enum": ["latest", "each"], "default": "latest" },
        /// A new deployment runs at once, or waits for its first slot to come.
        startup: String => { "enum": ["now", "wait"], "default": "now" },
    }

    Handler [kind, name] {
        /// What the document is.
        kind: String,
        /// What sources and deployments call it.
        name: String => { "pattern": NAME },
        /// A queue of this process.
        ring: Ring,
    }

    Ring {
        /// Jobs that may wait.
        capacity: i64 => { "minimum": 1, "maximum": 1024, "default": 8 },
        /// Threads that fetch.
        workers: i64 => { "minimum": 1, "maximum": 64, "default": 1 },
    }
}
