import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { BENCHMARKS, benchmarkFile, commandOf, notMeasured } from "../../bench/given/benchmarks.mjs";
// @ts-expect-error a script without types
import { measuredWith } from "../../bench/given/measured-with.mjs";
// @ts-expect-error a script without types
import { performancePage, readPerformancePage } from "../../bench/given/performance-page.mjs";

const about = { isSmall: false };
const one = {
  title: "Ingress",
  about: "How fast.",
  command: "npm run bench:ingress",
  measured: "on 2026-11-22 on 2 x a processor, at commit abc1234",
};

test("the page of figures has what was measured, with goals that were missed, and what was not", () => {
  const page: string = performancePage(
    [
      {
        ...one,
        output: "\nIngress\n2026-11-22, 2 x a processor\n\nratio 0.9 (goal 1) MISSED\n",
        outcome: "missed",
      },
      {
        ...one,
        title: "Runs",
        command: "npm run bench:runs",
        outcome: "failed",
        reason: "it ended with 7",
        output: "x",
      },
    ],
    { ...about, missingPeers: ["Node-RED 4"] },
  );
  expect(page).toContain("| Ingress | `npm run bench:ingress` | missed |");
  expect(page).toContain(
    "## Ingress\n\nHow fast.\n\nMeasured on 2026-11-22 on 2 x a processor, at commit abc1234.\n\n```text\nIngress\n\nratio 0.9 (goal 1) MISSED\n```",
  );
  expect(page).toMatch(
    /## Not measured\n\n- Runs: it ended with 7\.\n- Node-RED 4: it is not installed here, or the ingress was not measured\.\n- A real network/,
  );
  expect(page).not.toContain("tiny counts");
});

test("what a page has of benchmarks that are not run again can be read from it", () => {
  const results = [
    { ...one, output: "ratio 0.9 (goal 1) MISSED", outcome: "missed" },
    { ...one, title: "Runs, sandbox none", output: "a\n\nb", outcome: "met" },
    { ...one, title: "Run API", output: "c", outcome: "above the floor" },
    { ...one, title: "Start", output: "x", outcome: "failed", reason: "it ended with 7" },
  ];
  const { measured } = one;
  expect(readPerformancePage(performancePage(results, about))).toEqual(
    new Map([
      ["Ingress", { measured, output: "ratio 0.9 (goal 1) MISSED", outcome: "missed" }],
      ["Runs, sandbox none", { measured, output: "a\n\nb", outcome: "met" }],
      ["Run API", { measured, output: "c", outcome: "above the floor" }],
    ]),
  );
});

test("a page of tiny counts says that it means nothing", () => {
  const page = performancePage([{ ...one, output: "x", outcome: "met" }], { ...about, isSmall: true });
  expect(page).toContain("no figure on this page means anything");
});

test("the page of the documentation is written as a run of the benchmarks would write it", () => {
  const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
  const before = readPerformancePage(page);
  const results = BENCHMARKS.map((benchmark: { title: string }) => ({
    ...notMeasured(benchmark),
    ...before.get(benchmark.title),
  }));
  expect(performancePage(results, about)).toBe(page);
});

test("what a benchmark was measured with is a sentence or two", () => {
  const told = measuredWith({ date: "2026-11-22", commit: "abc1234", load: 0.46, yardstickMs: 39.6 });
  expect(told).toMatch(
    /^on 2026-11-22 with Node [\d.]+ on a machine with \d+ x .+ and \d+ GiB of memory, at commit abc1234\. The load average was 0\.5, and the yardstick was 40 ms$/,
  );
  expect(measuredWith({ date: "2026-11-22", commit: "abc1234", load: 0.46 })).toMatch(
    /\. The load average was 0\.5$/,
  );
});

test("every benchmark that there is has its place on the page", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const own = Object.keys(scripts).filter((name) => name.startsWith("bench:") && name !== "bench:more");
  const more = readdirSync(new URL("../../bench/more/", import.meta.url)).map((file) =>
    file.replace(/\.mjs$/, ""),
  );
  // It looks at one million files, and has no goal on the page.
  const others = more.filter((name) => name !== "many-files").map((name) => `bench:more -- ${name}`);
  const measured = BENCHMARKS.map((benchmark: { name: string }) => commandOf({ name: benchmark.name }));
  expect([...new Set(measured)].sort()).toEqual([...own, ...others].map((name) => `npm run ${name}`).sort());
  for (const benchmark of BENCHMARKS) expect(existsSync(benchmarkFile(benchmark))).toBe(true);
});
