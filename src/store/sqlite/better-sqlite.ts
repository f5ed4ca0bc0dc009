// Own file: scripts/static-requires.mjs replaces it in bundles.
import { createRequire } from "node:module";

/**
 * better-sqlite3 has its addon prebuilt in the package from version 13 on, for Node 22 and later; on Node 20 that version crashes.
 * Version 12 is compiled for the Node that runs it (docs/decisions/035-node-versions.md). scripts/sqlite-addon.cjs prepares the
 * same one, and the bundles resolve the two names below when they are built.
 */
const FIRST_NODE_OF_13 = 22;
const PREBUILT = /^(?:linux|darwin|win32)-(?:x64|arm64)$/;

const require = createRequire(import.meta.url);

/** The driver of SQLite for this Node. */
export const BetterSqlite = (
  Number.parseInt(process.versions.node, 10) >= FIRST_NODE_OF_13 &&
  PREBUILT.test(`${process.platform}-${process.arch}`)
    ? require("better-sqlite3-13")
    : require("better-sqlite3")
) as typeof import("better-sqlite3");
