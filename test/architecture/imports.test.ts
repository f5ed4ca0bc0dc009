import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));

/** The folders of the house from left to right; those on one line know nothing of each other. */
const ORDER = [
  [
    "error.ts",
    "log.ts",
    "counted.ts",
    "in-shell.ts",
    "record-tag.ts",
    "id.ts",
    "inherited-files.ts",
    "instant.ts",
    "maintenance.ts",
    "marked-processes.ts",
    "private-folder.ts",
    "problem-details.ts",
    "program-files.ts",
    "program-parts.ts",
    "proxies.ts",
    "proxy-sockets.ts",
    "shared-work.ts",
    "work-thread.ts",
    "config",
  ],
  ["git", "forge"],
  ["definitions"],
  ["principals", "secrets"],
  ["reconcile"],
  ["runs"],
  ["ingress"],
  ["feedback"],
  ["api"],
  ["client"],
  ["dashboard", "cli"],
];

/** Where the parts are put together; only the commands that serve, or stand in for a server, know it, and it alone knows the store. */
const COMPOSITION = [
  "controller.ts",
  "chores.ts",
  "backup",
  "doctor",
  "open-kept.ts",
  "open-mill.ts",
  "local-keys.ts",
  "access-log.ts",
  "check-trusted-proxies.ts",
  "listen-for-proxy.ts",
  "untrusted-proxy.ts",
  "addresses.ts",
  "sources.ts",
  "managed-sources.ts",
  "factory-making.ts",
  "forges.ts",
  "code-hosts.ts",
  "scope-outside-secrets.ts",
  "listen.ts",
  "listen-for-all.ts",
  "volumes.ts",
  "served-mirrors.ts",
  "passed-sockets.ts",
  "end-without-data.ts",
  "watch-data-folder.ts",
];

/** A package has one home. */
const HOMES: Record<string, string[]> = {
  "simple-git": ["git/"],
  "@octokit/core": ["forge/github/"],
  "@octokit/auth-app": ["forge/github/credential.ts"],
  "@octokit/request-error": ["forge/github/explain-failure.ts"],
  undici: ["forge/outgoing-fetch.ts"],
  chokidar: ["git/watch.ts"],
  yaml: ["definitions/parse.ts", "definitions/places.ts", "definitions/webhook-text.ts"],
  "gray-matter": ["definitions/parse.ts"],
  croner: ["definitions/cron.ts"],
  ajv: ["definitions/validate.ts", "definitions/explain-violation.ts", "definitions/unique-items.ts"],
  "ajv-formats": ["definitions/validate.ts"],
  "better-sqlite3": ["store/sqlite.ts"],
  express: ["api/"],
  helmet: ["api/"],
  cookie: ["api/session-cookie.ts"],
  "prom-client": ["api/metrics.ts"],
  "range-parser": ["api/send-transcript.ts"],
  "proxy-addr": ["ingress/client-address.ts"],
  "ipaddr.js": ["ingress/client-address.ts"],
  pino: ["log.ts"],
  tar: ["backup/"],
  marked: ["api/error-pages.ts"],
  "mime-types": ["runs/artifact-files.ts"],
  "smol-toml": ["runs/harness/harness-files.ts", "runs/sandbox/version-managers.ts"],
  commander: ["cli/"],
  shlex: ["config/values.ts"],
  "fastest-levenshtein": [
    "config/setting-notices.ts",
    "definitions/explain-violation.ts",
    "definitions/near-miss.ts",
  ],
};

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function sourceFiles(folder = SRC): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

const imports: Import[] = sourceFiles().flatMap((file) => {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)";|^import\s+"([^"]+)";|\bimport\(\s*"([^"]+)"\s*\)/gms,
  );
  return [...statements].map((match): Import => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? "";
    const to = specifier.startsWith(".") ? relative(SRC, join(dirname(file), specifier)) : specifier;
    return { from: relative(SRC, file), to, typeOnly: match[1] !== undefined };
  });
});

const local = imports.filter(({ to }) => to.endsWith(".ts"));
const room = (path: string) => path.split("/")[0] ?? path;
const rank = (path: string) => ORDER.findIndex((rooms) => rooms.includes(room(path)));

test("there is something to look at", () => {
  expect(imports.length).toBeGreaterThan(200);
});

test("imports run from left to right and never back", () => {
  const wrong = local.filter(({ from, to }) => {
    const [left, right] = [rank(to), rank(from)];
    if (left < 0 || right < 0) return false;
    return room(from) !== room(to) && left >= right;
  });
  // Files at the left end know each other: an error is an error everywhere.
  expect(wrong.filter(({ from, to }) => !(rank(from) === 0 && rank(to) === 0))).toEqual([]);
});

test("the client stands by itself, so that a browser can have it", () => {
  const inClient = imports.filter(({ from }) => room(from) === "client");
  expect(inClient.filter(({ to }) => room(to) !== "client")).toEqual([]);
});

test("every folder has its place in the order", () => {
  const known = [...ORDER.flat(), ...COMPOSITION, "main.ts", "binary-main.ts", "store"];
  expect([...new Set(local.map(({ from }) => room(from)))].filter((name) => !known.includes(name))).toEqual(
    [],
  );
});

/** Pure rules of runs that have to be applied inside a transaction, to what it finds. */
const RULES_OF_MOVES = ["runs/state.ts", "runs/follow-up.ts", "runs/pause.ts"];
/** Pure, and needed in the transaction that decides whether a secret is still what somebody has seen. */
const RULES_OF_SCOPES = ["secrets/scope.ts"];

test("the store takes only types from the house, the left end, the rules by which runs move, and those of scopes", () => {
  const wrong = local.filter(
    ({ from, to, typeOnly }) =>
      room(from) === "store" &&
      room(to) !== "store" &&
      !typeOnly &&
      rank(to) !== 0 &&
      !RULES_OF_MOVES.includes(to) &&
      !RULES_OF_SCOPES.includes(to),
  );
  expect(wrong).toEqual([]);
});

test("the store is imported by the composition root alone", () => {
  const users = local
    .filter(({ from, to }) => room(to) === "store" && room(from) !== "store")
    .map(({ from }) => from);
  expect([...new Set(users.map(room))].sort()).toEqual([
    "backup",
    "doctor",
    "local-keys.ts",
    "open-kept.ts",
    "open-mill.ts",
    "sources.ts",
  ]);
});

test("the composition root is imported by commands alone", () => {
  const users = local.filter(
    ({ from, to }) => COMPOSITION.includes(room(to)) && !COMPOSITION.includes(room(from)),
  );
  expect([...new Set(users.map(({ from }) => from))].every((from) => room(from) === "cli")).toBe(true);
});

test.each(Object.entries(HOMES))("%s has one home", (name, homes) => {
  const users = imports.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => from);
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((from) => !homes.some((home) => from === home || from.startsWith(home)))).toEqual([]);
});

test("every package that is imported has a home", () => {
  const packages = imports.map(({ to }) => to).filter((to) => !to.endsWith(".ts") && !to.startsWith("node:"));
  const names = packages.map((to) =>
    to.startsWith("@") ? to.split("/").slice(0, 2).join("/") : (to.split("/")[0] ?? to),
  );
  expect([...new Set(names)].filter((name) => !(name in HOMES))).toEqual([]);
});

test("imports in the middle of a function are looked at too", () => {
  expect(local).toContainEqual({ from: "cli/serve.ts", to: "controller.ts", typeOnly: false });
});

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;

test("a file of more than 250 lines is split", () => {
  const generated = ["client/api-types.ts"];
  const long = sourceFiles()
    .map((file) => ({ file: relative(SRC, file), lines: linesOf(file) }))
    .filter(({ file, lines }) => lines > 250 && !generated.includes(file));
  expect(long).toEqual([]);
});

test("a file of tests of more than 300 lines is split", () => {
  const folder = join(SRC, "..", "test");
  const long = sourceFiles(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file: relative(folder, file), lines: linesOf(file) }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});
