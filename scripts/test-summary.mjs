// A reporter of vitest that ends what a run prints: how the time was spent, and the ten test files that took longest; then the
// tests that were skipped, which is a failure, because what the tests need has been installed; and last the tests that failed, so
// that the end of a long log says why. With TEST_PROFILE=1, it prints all files and folders in place of the ten. In the folder that
// FAILED_TESTS names, it writes down the files that failed, for run-tests.cjs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const COUNT = 10;
const MAX_REASON_CHARACTERS = 2_000;
/** Tests of SQLite are skipped where the database is PostgreSQL, and run in the other project. */
const WITHOUT_SQLITE = "postgres";

export default class TestSummary {
  onTestRunEnd(files, errors, reason) {
    if (files.length > 1) printTimes(files);
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    const wrongly = skipped.filter((test) => test.project.name !== WITHOUT_SQLITE);
    nameSkipped(wrongly);
    nameFailed(files, errors);
    const folder = process.env.FAILED_TESTS;
    if (folder) writeFailed(folder, files, wrongly.length > 0 || errors.length > 0);
    if (reason === "passed" && !process.exitCode) {
      const left = skipped.length > 0 ? ` ${skipped.length} tests of SQLite do not concern PostgreSQL.` : "";
      console.error(`\u2022 All ${tests.length - skipped.length} tests passed.${left}`);
    }
  }
}

/** In milliseconds, of one file. The files of a process share what they import, so the first one that needs it pays for it. */
function timesOf(file) {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
    file.diagnostic();
  const { start = 0, work = 0 } = file.meta().spent ?? {};
  return {
    "set-up": environmentSetupDuration + prepareDuration + setupDuration,
    import: collectDuration,
    start: Math.min(start, duration),
    // Of the process of the tests, in all of its threads. The programs that it waits for work too.
    work: Math.min(work, Math.max(0, duration - start)),
    wait: Math.max(0, duration - start - work),
  };
}

const KINDS = ["set-up", "import", "start", "wait", "work"];

function printTimes(files) {
  const rows = files.map((file) => ({
    name: [file.project.name, file.relativeModuleId].filter(Boolean).join("  "),
    folder: file.relativeModuleId.split("/").slice(0, 2).join("/"),
    times: timesOf(file),
  }));
  const isProfile = process.env.TEST_PROFILE === "1";
  if (isProfile)
    printTable(
      "All folders",
      bySum(rows, ({ folder }) => folder),
    );
  const byFile = bySum(rows, ({ name }) => name);
  printTable(isProfile ? "All files" : "The slowest files", isProfile ? byFile : byFile.slice(0, COUNT));
  printTable(
    "All together",
    bySum(rows, () => "all files"),
  );
}

/** The times of each group together, the longest first. */
function bySum(rows, groupOf) {
  const groups = new Map();
  for (const row of rows) {
    const sum = groups.get(groupOf(row)) ?? Object.fromEntries(KINDS.map((kind) => [kind, 0]));
    for (const kind of KINDS) sum[kind] += row.times[kind];
    groups.set(groupOf(row), sum);
  }
  const named = [...groups].map(([name, times]) => ({ name, times, total: totalOf(times) }));
  return named.sort((a, b) => b.total - a.total);
}

function totalOf(times) {
  return KINDS.reduce((total, kind) => total + times[kind], 0);
}

function printTable(title, rows) {
  const cell = (milliseconds) => (milliseconds / 1_000).toFixed(1).padStart(8);
  const lines = rows.map(
    ({ name, times, total }) => `${cell(total)}${KINDS.map((kind) => cell(times[kind])).join("")}  ${name}`,
  );
  const head = ["seconds", ...KINDS].map((kind) => kind.padStart(8)).join("");
  process.stdout.write(`\n ${title}:\n${head}\n${lines.join("\n")}\n`);
}

function nameSkipped(skipped) {
  if (skipped.length === 0) return;
  process.exitCode = 1;
  const names = skipped.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`);
  console.error(`\nThese tests were skipped, but every test must run:\n${names.join("\n")}\n`);
}

function nameFailed(files, errors) {
  const texts = [
    ...files.flatMap(failuresIn),
    ...(errors.length > 0 ? [textOf("outside of the tests", errors)] : []),
  ];
  if (texts.length > 0) console.error(`\nThese tests failed:\n${texts.join("\n")}\n`);
}

/** A file fails by itself where it, or a hook of it, throws. */
function failuresIn(file) {
  const path = file.relativeModuleId;
  const tests = [...file.children.allTests()].filter((test) => test.result().state === "failed");
  const own = suiteErrors(file);
  return [
    ...tests.map((test) => textOf(`${path} > ${test.fullName}`, test.result().errors)),
    ...(own.length > 0 ? [textOf(path, own)] : []),
  ];
}

function textOf(name, errors) {
  return `  ${name}\n${errors.map(reasonOf).join("\n")}`;
}

/** What is no failure of a file would not pass when a file is run once more. */
function writeFailed(folder, files, hasOthers) {
  const failed = files
    .map((file) => ({ file: file.relativeModuleId, text: failuresIn(file).join("\n") }))
    .filter(({ text }) => text !== "");
  writeFileSync(join(folder, "files.json"), JSON.stringify(failed));
  if (hasOthers) writeFileSync(join(folder, "others"), "");
}

function suiteErrors(file) {
  return [file, ...file.children.allSuites()].flatMap((suite) => suite.errors());
}

function reasonOf({ message = "", diff = "" }) {
  const text = `${message}\n${diff}`.slice(0, MAX_REASON_CHARACTERS).trim();
  return text.replace(/^/gm, "    ");
}
