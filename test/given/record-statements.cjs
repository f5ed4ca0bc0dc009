"use strict";
// Is loaded into each process of vitest and each of its threads: keeps what the store prepares there, one file for each statement.
const { subscribe } = require("node:diagnostics_channel");
const { createHash } = require("node:crypto");
const { writeFileSync } = require("node:fs");
const path = require("node:path");

const folder = process.env.MILLRACE_TESTS_STATEMENTS;
/** Between whoever asks and this file. */
const CONNECTION =
  /diagnostics_channel|record-statements|store\/(?:sqlite\/sqlite|postgres\/postgres-connection)\.[jt]s/;
/** What tests and proofs ask themselves, and what goes through whole tables by its nature: a step of the schema, a move to another database. */
const LEFT_OUT = /\/(?:test|proof)\/|\/store\/move\/|\/store\/schema\/|\/migrate-postgres\.[jt]s/;

const seen = new Set();
if (folder) subscribe("millrace:statement", keep);

/** @param {{ sql: string, database: string }} statement */
function keep({ sql, database }) {
  if (seen.has(sql)) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 15;
  const frames = new Error().stack.split("\n").slice(2);
  Error.stackTraceLimit = stackTraceLimit;
  const caller = frames.find((frame) => !CONNECTION.test(frame)) || "";
  if (LEFT_OUT.test(caller)) return;
  seen.add(sql);
  // Lists of values have many lengths.
  const short = sql.replace(/\$\d+(?:, ?\$\d+)+/g, "$1, $2");
  const name = createHash("sha256").update(short).digest("hex");
  try {
    writeFileSync(path.join(folder, `${database}-${name}`), sql, { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}
