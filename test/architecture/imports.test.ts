import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));

/** The rooms of the house from left to right: each imports from those before it. Rooms on one line know nothing of each other. */
const ORDER = [
  ["errors", "time"],
  ["concurrency"],
  ["changes"],
  ["platform"],
  ["network"],
  ["config"],
  ["edge", "git", "forge", "outbound"],
  ["principals", "secrets"],
  ["definitions"],
  ["insight"],
  ["reconcile"],
  ["runs"],
  ["executor", "workers", "oidc"],
  ["ingress"],
  ["plans"],
  ["feedback"],
  ["messages"],
  ["client"],
  ["api"],
  ["store"],
  ["sources"],
  ["admin"],
  ["server", "executor/worker"],
  ["cli"],
];

/** Files that belong to no room: what every room may use, and the programs. */
const LEFT_END = ["id.ts", "log.ts", "pluralize.ts"];
const PROGRAMS = ["agent-main.ts", "binary-main.ts", "main.ts"];

/** Where the parts are put together: these rooms alone know the store, and commands alone know them. */
const COMPOSITION = ["sources", "admin", "server", "executor/worker"];

/** Rooms up to this one hold nothing but functions and classes of their own. */
const PURE = ORDER.findIndex((rooms) => rooms.includes("config"));

/** A package has one home. */
const HOMES: Record<string, string[]> = {
  "simple-git": ["git/"],
  "@octokit/core": ["forge/github/"],
  "@octokit/auth-app": ["forge/github/"],
  "@octokit/request-error": ["forge/github/"],
  undici: ["platform/"],
  chokidar: ["git/"],
  yaml: ["definitions/"],
  "gray-matter": ["definitions/loading/"],
  croner: ["definitions/"],
  ajv: ["definitions/loading/"],
  "ajv-formats": ["definitions/loading/"],
  "better-sqlite3": ["store/sqlite/"],
  pg: ["store/postgres/"],
  "pg-copy-streams": ["store/postgres/"],
  express: ["api/"],
  helmet: ["api/"],
  "@modelcontextprotocol/sdk": ["api/mcp/"],
  cookie: ["api/http/"],
  "prom-client": ["api/admin/"],
  "range-parser": ["api/runs/"],
  "proxy-addr": ["edge/"],
  "@peculiar/x509": ["executor/network/proxy/run-authority.ts"],
  "reflect-metadata": ["executor/network/proxy/run-authority.ts"],
  "ipaddr.js": ["edge/", "network/", "outbound/"],
  nodemailer: ["messages/"],
  standardwebhooks: ["messages/"],
  pino: ["log.ts"],
  tar: ["admin/backup/"],
  marked: ["api/http/", "definitions/filters/mentions.ts"],
  "mime-types": ["runs/rules/artifact.ts"],
  jose: ["oidc/"],
  "smol-toml": ["executor/"],
  commander: ["agent-main.ts", "cli/"],
  shlex: ["config/"],
  "fastest-levenshtein": ["config/", "definitions/"],
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
/** The program of a worker puts an executor together, as `server/` does, and has a place of its own in the order. */
const WORKER = "executor/worker";
const room = (path: string) => (path.startsWith(`${WORKER}/`) ? WORKER : (path.split("/")[0] ?? path));
/** The left end comes before all rooms, and the programs after them. */
const rank = (path: string) => {
  if (LEFT_END.includes(path)) return -1;
  return PROGRAMS.includes(path) ? ORDER.length : ORDER.findIndex((rooms) => rooms.includes(room(path)));
};

test("there are imports to check", () => {
  expect(imports.length).toBeGreaterThan(200);
});

test("imports run from left to right and never back", () => {
  const wrong = local.filter(({ from, to }) => room(from) !== room(to) && rank(to) >= rank(from));
  expect(wrong).toEqual([]);
});

/** From each node those that it points at, to the groups of nodes that reach each other: the largest first. */
function knots(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const to of next.get(node) ?? []) if (!seen.has(to) && seen.add(to)) open.push(to);
    }
    return seen;
  };
  const reached = new Map([...next.keys()].map((node) => [node, reach(node)]));
  const groups = [...reached]
    .filter(([node, all]) => all.has(node))
    .map(([node, all]) => [...all].filter((other) => reached.get(other)?.has(node)).sort());
  const different = new Map(groups.map((group) => [group.join(" "), group])).values();
  return [...different].sort((a, b) => b.length - a.length);
}

/** Folders next to each other in the same folder of `src/`, of which one imports the other. */
function betweenSiblings(imports: readonly Import[]): [from: string, to: string][] {
  return imports.flatMap(({ from, to }): [string, string][] => {
    const [a, b] = [dirname(from).split("/"), dirname(to).split("/")];
    const apart = a.findIndex((name, index) => name !== b[index]);
    const areBothBelow = apart > 0 && b.length > apart;
    return areBothBelow ? [[a.slice(0, apart + 1).join("/"), b.slice(0, apart + 1).join("/")]] : [];
  });
}

const atRunTime = local.filter(({ typeOnly }) => !typeOnly);

test("no files import each other in a circle at run time", () => {
  expect(knots(atRunTime.map(({ from, to }) => [from, to]))).toEqual([]);
});

/** Remove a line as soon as one of the two no longer imports the other. Never add one. */
const KNOWN_PAIRS: string[] = [];

test("no folders next to each other import each other at run time, except for the known pairs", () => {
  const edges = betweenSiblings(atRunTime);
  const known = new Set(edges.map((edge) => edge.join(" ")));
  const pairs = edges.filter(([from, to]) => from < to && known.has(`${to} ${from}`));
  expect([...new Set(pairs.map((pair) => pair.join(" ")))].sort()).toEqual(KNOWN_PAIRS);
});

/** Remove a folder as soon as it no longer belongs to the knot. Never add one. */
const KNOWN_KNOTS: string[][] = [];

test("no folders next to each other import each other in a circle, types included, except for the known knots", () => {
  const found = knots(betweenSiblings(local)).map((folders) => folders.join(" "));
  expect(found.sort()).toEqual(KNOWN_KNOTS.map((folders) => folders.join(" ")).sort());
});

test("no more than five files import each other in a circle, types included", () => {
  const large = knots(local.map(({ from, to }) => [from, to])).filter((files) => files.length > 5);
  expect(large).toEqual([]);
});

test("the client imports no other folder, so that a browser can load it", () => {
  const inClient = imports.filter(({ from }) => room(from) === "client");
  expect(inClient.filter(({ to }) => room(to) !== "client")).toEqual([]);
});

test("every folder has its place in the order, and no other file is next to the folders", () => {
  const places = readdirSync(SRC).filter((name) => !LEFT_END.includes(name) && !PROGRAMS.includes(name));
  expect([...places, WORKER].sort()).toEqual(ORDER.flat().sort());
});

test("the store takes types from the house, and of values only the left end and the rules that are pure", () => {
  const isPure = (path: string) => LEFT_END.includes(path) || rank(path) <= PURE || path.includes("/rules/");
  const wrong = local.filter(
    ({ from, to, typeOnly }) => room(from) === "store" && room(to) !== "store" && !typeOnly && !isPure(to),
  );
  expect(wrong).toEqual([]);
});

test("the store is imported where the parts are put together, and nowhere else", () => {
  const users = local.filter(({ from, to }) => room(to) === "store" && room(from) !== "store");
  expect([...new Set(users.map(({ from }) => room(from)))].sort()).toEqual([...COMPOSITION].sort());
});

/** What the executor needs of the runs at run time besides `turn/` and `rules/`. Never add a file. */
const KNOWN_OF_RUNS = ["runs/agents/skills.ts", "runs/output/artifact-folder.ts"];

test("what executes turns knows neither the store nor who is in the server: it has an assignment and a door", () => {
  const isExecutor = (path: string) => room(path) === "executor";
  const ofServer = ["store", "reconcile", "api", "server", "principals"];
  const isOfServer = (path: string) => ofServer.includes(room(path)) || path === "secrets/vault.ts";
  const files = sourceFiles().filter((file) => isExecutor(relative(SRC, file)));
  expect(files.length).toBeGreaterThan(50);
  const stores = files.filter((file) =>
    /^import[^;]*\b\w+Store\b[^;]* from /m.test(readFileSync(file, "utf8")),
  );
  // A sweep of ended runs is the server's, beside the folders that it clears.
  expect(stores.map((file) => relative(SRC, file))).toEqual(["executor/workspace/remove-ended.ts"]);
  expect(local.filter(({ from, to }) => isExecutor(from) && isOfServer(to))).toEqual([]);
  const ofRuns = atRunTime.filter(({ from, to }) => isExecutor(from) && room(to) === "runs");
  const others = ofRuns.map(({ to }) => to).filter((to) => !/^runs\/(turn|rules)\//.test(to));
  expect([...new Set(others)].sort()).toEqual(KNOWN_OF_RUNS);
});

test("forges are handed out for a factory alone", () => {
  const making = sourceFiles().filter((file) => /\bcreateForges\b/.test(readFileSync(file, "utf8")));
  // What a definition names is held against a settings file without a server there.
  const offline = "cli/factories/validate.ts";
  expect(making.map((file) => relative(SRC, file)).sort()).toEqual([
    offline,
    "forge/forge.ts",
    "sources/settings-forges.ts",
  ]);
});

test("the parts that are put together are imported by commands alone", () => {
  const users = local.filter(
    ({ from, to }) => COMPOSITION.includes(room(to)) && !COMPOSITION.includes(room(from)),
  );
  expect([...new Set(users.map(({ from }) => room(from)))]).toEqual(["cli"]);
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

test("imports in the middle of a function are checked too", () => {
  expect(local).toContainEqual({
    from: "cli/server/serve.ts",
    to: "server/start-server.ts",
    typeOnly: false,
  });
});

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;

test("a file of more than 500 lines is split", () => {
  const generated = ["client/api-types.ts"];
  const long = sourceFiles()
    .map((file) => ({ file: relative(SRC, file), lines: linesOf(file) }))
    .filter(({ file, lines }) => lines > 500 && !generated.includes(file));
  expect(long).toEqual([]);
});

test("a file of tests of more than 500 lines is split", () => {
  const folder = join(SRC, "..", "test");
  const long = sourceFiles(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file: relative(folder, file), lines: linesOf(file) }))
    .filter(({ lines }) => lines > 500);
  expect(long).toEqual([]);
});

/** A file of fewer lines belongs into its one user next to it, unless a comment `// Own file: REASON` says why not. */
const SMALL_FILE_LINES = 60;

test("a small file with one user, next to it, gives the reason for being a file", () => {
  const users = new Map<string, Set<string>>();
  for (const { from, to } of local) users.set(to, (users.get(to) ?? new Set()).add(from));
  const hasOneNextToIt = (path: string) => {
    const [user, ...others] = users.get(path) ?? [];
    return user !== undefined && others.length === 0 && dirname(user) === dirname(path);
  };
  const small = sourceFiles().filter(
    (file) => linesOf(file) < SMALL_FILE_LINES && hasOneNextToIt(relative(SRC, file)),
  );
  const withReason = sourceFiles().filter((file) => /^\/\/ Own file: \S/m.test(readFileSync(file, "utf8")));
  // Nor has any other file such a comment: its reason would be out of date.
  expect(withReason).toEqual(small);
});
