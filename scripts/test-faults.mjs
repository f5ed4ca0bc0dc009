// `npm run test:faults`: plants faults in the code that decides, one at a time, and runs the nearest tests that import it. A test
// has to fail for each of them. test/faults.txt says which did: the command fails if a fault lives that died there before.
//
//   npm run test:faults                     all faults, two at a time; takes about an hour on a quiet machine
//   npm run test:faults -- --only TEXT      those whose line in test/faults.txt contains the text, such as a path or `lives`
//   npm run test:faults -- --update         also writes test/faults.txt
//   npm run test:faults -- --list           runs nothing
//
// The fault is in the source file and in its module of the build, which servers in the process of the tests load. It is not in the
// bundle that other processes and the thread of the database load: what only their tests would find lives here.
//
// Stryker is not used: its runner for vitest runs tests in threads of one process, where they cannot set the umask or the directory.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { transformSync } from "rolldown/utils";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));
const BASELINE = join(root, "test", "faults.txt");
/** What decides: rules, the store of runs, the way of a delivery to its run, reconciling, and roles. */
const DECIDING =
  /^src\/(.*\/rules\/.*|store\/runs\/.*|ingress\/.*|reconcile\/.*|runs\/start\/(?:automation-run|event-checkout)|runs\/caller|principals\/principal|api\/http\/authorize)\.ts$/;
const COUNT = 200;
const AT_ONCE = 2;
/** How many test files are run for a fault at most: the nearest, by imports. */
const MAX_TEST_FILES = 5;
/** A fault can have made a loop that does not end. */
const MAX_RUN_MS = 10 * 60_000;

const SWAPPED = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: ["swap && and ||", "||"],
  [ts.SyntaxKind.BarBarToken]: ["swap && and ||", "&&"],
  [ts.SyntaxKind.LessThanToken]: ["move a boundary", "<="],
  [ts.SyntaxKind.LessThanEqualsToken]: ["move a boundary", "<"],
  [ts.SyntaxKind.GreaterThanToken]: ["move a boundary", ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ["move a boundary", ">"],
};

/** What the build would have made of a file with a fault. */
const scratch = mkdtempSync(join(tmpdir(), "millrace-faults-"));
/** The tests that are running: each process leads a group of its own, which ends with this one. */
const running = new Set();
process.on("exit", () => {
  for (const { pid } of running) process.kill(-pid, "SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const { values: asked } = parseArgs({
  options: { only: { type: "string" }, update: { type: "boolean" }, list: { type: "boolean" } },
});

const files = [...filesBelow("src"), ...filesBelow("test")];
const users = usersOf(files);
const withServers = new Set(allUsersOf("test/given/server.ts").keys());
const baseline = readBaseline();
/** How many faults have the same kind and text so far. */
const equal = new Map();
const faults = files
  .filter((path) => DECIDING.test(path))
  .flatMap(faultsIn)
  // Those that were planted before stay, and others take the places of those whose code is gone.
  .sort((a, b) => baseline.has(b.id) - baseline.has(a.id) || (a.id < b.id ? -1 : 1))
  .slice(0, COUNT)
  .map((fault) => ({ ...fault, ...(baseline.get(fault.id) ?? { outcome: "unrun", by: undefined }) }));
const chosen = faults.filter((fault) => asked.only === undefined || lineOf(fault).includes(asked.only));
if (asked.list) for (const fault of chosen) console.log(lineOf(fault));
else await runAll(chosen);

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** The files that import each file when they run. */
function usersOf(paths) {
  const users = new Map();
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, specifier] of text.matchAll(
      /^(?:import|export)\s+(?!type\s)[^;]*?from\s+"(\.[^"]+)";/gms,
    )) {
      const to = join(dirname(path), specifier);
      users.set(to, [...(users.get(to) ?? []), path]);
    }
  }
  return users;
}

/** The files that import a file, directly or not, with the number of imports between them. */
function allUsersOf(path) {
  const distances = new Map([[path, 0]]);
  const open = [path];
  for (let file = open.shift(); file !== undefined; file = open.shift()) {
    for (const user of users.get(file) ?? []) {
      if (!distances.has(user)) open.push(user) && distances.set(user, distances.get(file) + 1);
    }
  }
  return distances;
}

/** The test files that most likely find a fault in a file: in its folder, with words of its name, and with few imports between them. */
function testsOf(path) {
  const distances = allUsersOf(path);
  const words = new Set(wordsOf(path));
  const near = (test) => {
    const ownWords = wordsOf(test).filter((word) => words.has(word));
    const distance = distances.get(test) ?? Number.POSITIVE_INFINITY;
    return 3 * ownWords.length + sharedFolders(test, path) + 4 / distance - (withServers.has(test) ? 1 : 0);
  };
  const tests = files.filter(
    (file) => /\.(test|system)\.ts$/.test(file) && (distances.has(file) || withServers.has(file)),
  );
  return tests
    .map((test) => [near(test), test])
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_TEST_FILES)
    .map(([, test]) => test);
}

/** The words of a file's name, without the s of their plurals. */
function wordsOf(path) {
  const words = basename(path).split(".")[0]?.split("-") ?? [];
  return words.map((word) => word.replace(/s$/, "")).filter((word) => word !== "rule");
}

function sharedFolders(test, path) {
  const [a, b] = [test.split("/").slice(1), path.split("/").slice(1)];
  return a.findIndex((name, index) => name !== b[index]);
}

/**
 * Every fault that can be planted in a file. It keeps its id while its statement stays the same, also where the statement moves to
 * another file.
 */
function faultsIn(path) {
  const content = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
  const found = [];
  const plant = (kind, node, [start, end], text) => {
    const about = content.slice(node.getStart(), node.getEnd()).replaceAll(/\s+/g, " ");
    const key = [kind, about].join("\0");
    const ordinal = equal.get(key) ?? 0;
    equal.set(key, ordinal + 1);
    const id = createHash("sha256").update(`${key}\0${ordinal}`).digest("hex").slice(0, 10);
    found.push({ id, kind, path, about: about.slice(0, 90), start, end, text });
  };
  const visit = (node) => {
    for (const [kind, place, text] of changesTo(node)) plant(kind, node, place, text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function* changesTo(node) {
  const range = (of) => [of.getStart(), of.getEnd()];
  const condition =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined;
  if (condition) yield ["negate a condition", range(condition), `!(${condition.getText()})`];
  if (ts.isExpressionStatement(node)) yield ["drop a statement", range(node), ";"];
  if (ts.isBinaryExpression(node) && SWAPPED[node.operatorToken.kind]) {
    const [kind, text] = SWAPPED[node.operatorToken.kind];
    yield [kind, range(node.operatorToken), text];
  }
  if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body) && node.body.statements.length > 1) {
    const start = node.body.getStart() + 1;
    yield ["return early", [start, start], " return undefined as never;"];
  }
}

async function runAll(waiting) {
  const open = [...waiting];
  await Promise.all(Array.from({ length: AT_ONCE }, () => runOneAfterTheOther(open)));
  await checkKillers(waiting);
  const worse = waiting.filter(
    ({ id, outcome }) => outcome === "lives" && baseline.get(id)?.outcome === "died",
  );
  const died = waiting.filter(({ outcome }) => outcome === "died");
  console.log(`${died.length} of ${waiting.length} faults died.`);
  const gone = [...baseline.keys()].filter((id) => !faults.some((fault) => fault.id === id)).length;
  if (gone > 0) console.log(`${gone} faults of test/faults.txt are gone with their code.`);
  if (asked.update) writeBaseline();
  if (worse.length === 0) return;
  console.error(`These faults died before, and live now:\n${worse.map(lineOf).join("\n")}`);
  process.exitCode = 1;
}

async function runOneAfterTheOther(open) {
  for (let fault = open.shift(); fault; fault = open.shift()) {
    const nearest = testsOf(fault.path);
    // What found it before finds it again, most likely.
    const first = nearest.includes(fault.by) ? [fault.by] : [];
    const tests = [...new Set([...first, ...nearest])].slice(0, MAX_TEST_FILES);
    const { failed, hasEnded } =
      tests.length > 0 ? await runTests(tests, fault) : { failed: [], hasEnded: true };
    const hasDied = failed.length > 0 || !hasEnded;
    Object.assign(fault, { outcome: hasDied ? "died" : "lives", by: hasEnded ? failed[0] : "time limit" });
    console.log(lineOf(fault));
    if (asked.update) writeBaseline();
  }
}

/** A test that also fails without a fault has found none. */
async function checkKillers(waiting) {
  const killers = new Set(waiting.map(({ by }) => by).filter((by) => by?.endsWith(".ts")));
  if (killers.size === 0) return;
  const { failed } = await runTests([...killers]);
  for (const fault of waiting) {
    if (failed.includes(fault.by)) Object.assign(fault, { outcome: "unrun", by: undefined });
  }
  if (failed.length === 0) return;
  console.error(`These test files fail without a fault:\n${failed.join("\n")}`);
  process.exitCode = 1;
}

/** What plants a fault in the source file, and in what the build has made of it. */
function planted(fault) {
  const { id, path, start, end, text } = fault;
  const content = readFileSync(join(root, path), "utf8");
  const options = {
    target: "es2023",
    typescript: { rewriteImportExtensions: "rewrite", onlyRemoveTypeImports: true },
  };
  const source = join(scratch, `${id}.mjs`);
  writeFileSync(
    source,
    transformSync(path, content.slice(0, start) + text + content.slice(end), options).code,
  );
  const module = pathToFileURL(join(root, "dist", relative("src", path).replace(/\.ts$/, ".js"))).href;
  return { PLANTED_FAULT: JSON.stringify(fault), PLANTED_IN_BUILD: JSON.stringify({ module, source }) };
}

/** @returns the test files that failed, as far as they were run, and whether the tests came to an end */
function runTests(tests, fault) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", "vitest.faults.config.ts", "--reporter=json", ...tests];
  const child = spawn(process.execPath, args, {
    cwd: root,
    // What they start ends with them where they have no more time.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(fault ? planted(fault) : {}) },
  });
  running.add(child);
  let printed = "";
  let errors = "";
  child.stdout.on("data", (data) => (printed += data));
  child.stderr.on("data", (data) => (errors += data));
  let hasEnded = true;
  const limit = setTimeout(
    () => {
      hasEnded = false;
      process.kill(-child.pid, "SIGKILL");
    },
    fault ? MAX_RUN_MS : 6 * MAX_RUN_MS,
  );
  return new Promise((resolve, reject) =>
    child.on("close", (code) => {
      clearTimeout(limit);
      running.delete(child);
      if (!hasEnded) return resolve({ failed: [], hasEnded });
      const report = /^\{"numTotalTestSuites".*$/m.exec(printed)?.[0];
      if (!report)
        return reject(new Error(`vitest ended with ${code}, without a report:\n${printed}\n${errors}`));
      const failed = JSON.parse(report).testResults.filter(({ status }) => status === "failed");
      // What throws outside of a test fails no file.
      const names = failed.map(({ name }) => relative(root, name));
      resolve({ failed: names.length > 0 || code === 0 ? names : [tests[0]], hasEnded });
    }),
  );
}

function lineOf({ id, outcome, path, kind, about, by }) {
  return `${outcome.padEnd(5)}  ${id}  ${path}  ${kind}: ${about}${by ? `  <- ${by}` : ""}`;
}

/** Outcomes by the ids of faults. */
function readBaseline() {
  if (!existsSync(BASELINE)) return new Map();
  const lines = readFileSync(BASELINE, "utf8").split("\n");
  const found = lines.map((line) => /^(died|lives|unrun) +([0-9a-f]{10}) .*?(?: {2}<- (.*))?$/.exec(line));
  return new Map(found.filter(Boolean).map(([, outcome, id, by]) => [id, { outcome, by }]));
}

function writeBaseline() {
  const count = (outcome) => faults.filter((fault) => fault.outcome === outcome).length;
  const lines = [
    "# Faults that were planted by `npm run test:faults -- --update`, and the test files that found them.",
    `# died: ${count("died")}, lives: ${count("lives")}, unrun: ${count("unrun")}`,
    ...[...faults].sort((a, b) => (a.path + a.id < b.path + b.id ? -1 : 1)).map(lineOf),
  ];
  writeFileSync(BASELINE, `${lines.join("\n")}\n`);
}
