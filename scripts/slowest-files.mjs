// A reporter of vitest: names the ten test files that took longest, their tests and hooks together.
const COUNT = 10;

export default class SlowestFiles {
  #files = [];

  onTestModuleEnd(file) {
    const name = [file.project.name, file.relativeModuleId].filter(Boolean).join("  ");
    this.#files.push({ name, seconds: file.diagnostic().duration / 1_000 });
  }

  onTestRunEnd() {
    const slowest = this.#files.sort((a, b) => b.seconds - a.seconds).slice(0, COUNT);
    if (slowest.length < 2) return;
    const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(`\n The slowest files:\n${lines.join("\n")}\n`);
  }
}
