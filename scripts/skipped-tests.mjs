// A reporter of vitest: fails when a test was skipped, because what the tests need has been installed. Tests of SQLite are skipped
// where the database is PostgreSQL, and run in the other project.
const WITHOUT_SQLITE = "postgres";

export default class SkippedTests {
  onTestRunEnd(files, _, reason) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    const unexpected = skipped.filter((test) => test.project.name !== WITHOUT_SQLITE);
    if (unexpected.length > 0) {
      process.exitCode = 1;
      const names = unexpected.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`);
      console.error(`\nThese tests were skipped, but every test must run:\n${names.join("\n")}\n`);
    } else if (reason === "passed") {
      const left = skipped.length > 0 ? ` ${skipped.length} tests of SQLite do not concern PostgreSQL.` : "";
      console.error(`\u2022 All ${tests.length - skipped.length} tests passed.${left}`);
    }
  }
}
