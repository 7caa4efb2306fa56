#!/usr/bin/env node
// A peer for the benchmark: Node-RED, with the flow that one would draw, from an HTTP request to SQLite.
// Only its runtime: no editor, no web server. It ends with the flow.
//
//     benches/with_node_red.js URL DB        needs what `benches/run --help` says
const fs = require("fs");
const path = require("path");

const [url, db] = process.argv.slice(2);
const home = path.join(__dirname, "../target/bench/node-red");
const RED = require(require.resolve("node-red", { paths: [home] }));

const SCHEMA = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS items (source_name TEXT NOT NULL, created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE, title TEXT, date TEXT, author TEXT, tickers TEXT, content TEXT, url TEXT,
    sentiment REAL)`;

const NEXT = `
    const page = (msg.page || 0) + 1;
    return { page, url: env.get("url") + "&limit=100&page=" + page };`;

// To the first output with records, to the second without. What is no page throws, and the flow catches it.
const ROWS = `
    if (msg.statusCode !== 200) throw new Error("HTTP " + msg.statusCode);
    const articles = msg.payload.data;
    if (articles.length === 0) return [null, msg];
    msg.params = {
        $now: new Date().toISOString(),
        $rows: JSON.stringify(articles.map(a => [a.id, a.title, a.date, a.author.name,
            JSON.stringify(a.tickers), a.content, a.url, a.sentiment])),
    };
    return [msg, null];`;

// A page is one message, one statement and so one transaction: the least CPU of what the node can do. For 100,000
// new records this took 6.0 s, a batch of quoted statements 6.9, one INSERT with a parameter a value 9.6.
const INSERT = `INSERT OR IGNORE INTO items SELECT 'bench', $now,
    value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each($rows)`;

const FLOW = [
    { id: "pull", type: "tab", env: [{ name: "url", type: "str", value: url }] },
    { id: "db", type: "sqlitedb", db, mode: "RWC" },
    node("start", "inject", [["schema"]], { once: true, props: [{ p: "topic", v: SCHEMA, vt: "str" }] }),
    node("schema", "sqlite", [["next"]], { mydb: "db", sqlquery: "batch" }),
    node("next", "function", [["get"]], { func: NEXT }),
    node("get", "http request", [["rows"]], { method: "GET", ret: "obj", persist: true, senderr: true }),
    node("rows", "function", [["insert"], ["done"]], { func: ROWS }),
    node("insert", "sqlite", [["next"]], { mydb: "db", sqlquery: "prepared", sql: INSERT }),
    node("done", "function", [[]], { func: 'global.get("end")()' }),
    node("trouble", "catch", [["failed"]], {}),
    node("failed", "function", [[]], { func: 'global.get("end")(msg.error.message)' }),
];

function node(id, type, wires, more) {
    return { id, type, z: "pull", outputs: wires.length, wires, ...more };
}

// Whatever ends before the flow does is a failure.
process.exitCode = 1;

// The process ends by itself once the database is closed: what closing it costs is part of the cost.
function end(trouble) {
    if (trouble) console.error(trouble);
    else process.exitCode = 0;
    return RED.stop();
}

// Everything that it keeps stays beside the database; nothing is reported to anyone.
const userDir = db + ".node-red";
fs.mkdirSync(userDir, { recursive: true });
fs.writeFileSync(path.join(userDir, "flows.json"), JSON.stringify(FLOW));
RED.init({
    userDir,
    flowFile: "flows.json",
    credentialSecret: false,
    httpAdminRoot: false,
    httpNodeRoot: false,
    telemetry: { enabled: false, updateNotification: false },
    logging: { stderr: { level: "error", handler: () => ({ msg }) => console.error(msg) } },
    functionGlobalContext: { end },
});
// A flow with a node that is not installed would wait for it.
RED.events.on("runtime-event", ({ payload }) => payload?.error && end(payload.error));
RED.start().catch(end);
