/** What every figure was measured with stands beside it: a page can be of several days. */
const INTRODUCTION =
  "If a result lists samples, the figure is their median. Ratios compare figures from the same run of a benchmark on the same machine. Every benchmark prints its goals next to its results. The yardstick is the time that a fixed piece of work took: the longer it took, the slower the machine was. The speed of a shared machine can vary over time.";

/** How a benchmark ended that missed a goal and kept the bound below it. */
export const ABOVE_THE_FLOOR = "above the floor";
const MEASURED = ["met", ABOVE_THE_FLOOR, "missed"];

/**
 * The page that `npm run bench` writes.
 * @param results each benchmark: its title, what it tells, what it printed, when and on what (`measured`), and how it ended
 *   (`met`, `above the floor`, `missed`, `failed`, `left out`)
 */
export function performancePage(results, { isSmall, missingPeers = [] }) {
  const measured = results.filter(isMeasured);
  const rest = results.filter((result) => !isMeasured(result));
  const parts = [
    "# Performance",
    `<!-- Written by \`npm run bench\`. -->`,
    INTRODUCTION,
    isSmall
      ? "**The benchmarks were run with tiny counts to check whether they work, so no figure on this page means anything.**"
      : "",
    summaryOf(results),
    ...measured.map(sectionOf),
    "## Not measured",
    [
      ...rest.map(({ title, reason }) => `${title}: ${reason}.`),
      ...missingPeers.map((name) => `${name}: it is not installed here, or the ingress was not measured.`),
      ...NEVER_MEASURED,
    ]
      .map((text) => `- ${text}`)
      .join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** What a page that was written before has of each benchmark, by its title. */
export function readPerformancePage(page) {
  const rows = [...page.matchAll(/^\| (.+?) \| `.+?` \| (.+?) \|$/gm)].map(([, ...row]) => row);
  const outcomes = new Map(rows);
  const sections = page.matchAll(/^## (.+)\n\n.+\n\nMeasured (.+)\.\n\n```text\n([\s\S]*?)\n```$/gm);
  return new Map(
    [...sections].map(([, title, measured, output]) => [
      title,
      { measured, output, outcome: outcomes.get(title) },
    ]),
  );
}

function isMeasured({ outcome }) {
  return MEASURED.includes(outcome);
}

/** What no benchmark here looks at, so that nobody takes silence for an answer. */
const NEVER_MEASURED = [
  "A real network, TLS and a proxy in front of the server: the senders and the server run on one machine and share its processors.",
  "Real models: the agents in the benchmarks are `true`, `sleep` and small scripts.",
  "Disks, file systems and operating systems other than those of this machine, and machines with more processors.",
  "Power failures: `npm run proof` tests what happens when the process crashes, but not when the machine crashes.",
];

function summaryOf(results) {
  const rows = results.map(({ title, command, outcome }) => `| ${title} | \`${command}\` | ${outcome} |`);
  return ["| benchmark | command | goals |", "|---|---|---|", ...rows].join("\n");
}

function sectionOf({ title, about, measured, output }) {
  const text = `\`\`\`text\n${withoutDate(output)}\n\`\`\``;
  return [`## ${title}`, about, `Measured ${measured}.`, text].join("\n\n");
}

/** The section has date and machine already; escape codes of colours and empty lines at the ends are of no use. */
function withoutDate(output) {
  return output
    .split("\n")
    .filter((line) => !/^\d{4}-\d\d-\d\d, /.test(line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
