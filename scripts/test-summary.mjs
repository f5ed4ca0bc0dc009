// A reporter of vitest that ends what a run prints: the ten test files that took longest, their tests and hooks together; then the
// tests that were skipped, which is a failure, because what the tests need has been installed; and last the tests that failed, so
// that the end of a long log says why.
const COUNT = 10;
const MAX_REASON_CHARACTERS = 2_000;
/** Tests of SQLite are skipped where the database is PostgreSQL, and run in the other project. */
const WITHOUT_SQLITE = "postgres";

export default class TestSummary {
  onTestRunEnd(files, errors, reason) {
    nameSlowest(files);
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    nameSkipped(skipped.filter((test) => test.project.name !== WITHOUT_SQLITE));
    nameFailed(files, tests, errors);
    if (reason === "passed" && !process.exitCode) {
      const left = skipped.length > 0 ? ` ${skipped.length} tests of SQLite do not concern PostgreSQL.` : "";
      console.error(`\u2022 All ${tests.length - skipped.length} tests passed.${left}`);
    }
  }
}

function nameSlowest(files) {
  if (files.length < 2) return;
  const times = files.map((file) => ({
    name: [file.project.name, file.relativeModuleId].filter(Boolean).join("  "),
    seconds: file.diagnostic().duration / 1_000,
  }));
  const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, COUNT);
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
  process.stdout.write(`\n The slowest files:\n${lines.join("\n")}\n`);
}

function nameSkipped(skipped) {
  if (skipped.length === 0) return;
  process.exitCode = 1;
  const names = skipped.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`);
  console.error(`\nThese tests were skipped, but every test must run:\n${names.join("\n")}\n`);
}

/** A file fails by itself where it, or a hook of it, throws. */
function nameFailed(files, tests, errors) {
  const failures = [
    ...tests
      .filter((test) => test.result().state === "failed")
      .map((test) => [`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors]),
    ...files.map((file) => [file.relativeModuleId, suiteErrors(file)]).filter(([, own]) => own.length > 0),
    ...(errors.length > 0 ? [["outside of the tests", errors]] : []),
  ];
  if (failures.length === 0) return;
  const texts = failures.map(([name, own]) => `  ${name}\n${own.map(reasonOf).join("\n")}`);
  console.error(`\nThese tests failed:\n${texts.join("\n")}\n`);
}

function suiteErrors(file) {
  return [file, ...file.children.allSuites()].flatMap((suite) => suite.errors());
}

function reasonOf({ message = "", diff = "" }) {
  const text = `${message}\n${diff}`.slice(0, MAX_REASON_CHARACTERS).trim();
  return text.replace(/^/gm, "    ");
}
