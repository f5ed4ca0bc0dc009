/**
 * The page that `npm run bench` writes.
 * @param results each benchmark: its title, what it tells, what it printed, and how it ended (`met`, `missed`, `failed`, `left out`)
 */
export function performancePage(results, { date, machine, load, commit, isSmall }) {
  const measured = results.filter(({ outcome }) => outcome === "met" || outcome === "missed");
  const rest = results.filter((result) => !measured.includes(result));
  const parts = [
    "# Performance",
    `<!-- Written by \`npm run bench\`. -->`,
    `Measured on ${date} on ${machine}, at commit ${commit}; the load of the machine was ${load} before. Figures are medians where there are samples, ratios are taken within one run on one machine, and every benchmark prints its goals beside what it found.`,
    isSmall
      ? "**Made with tiny counts, to see that the benchmarks work: no figure on this page means anything.**"
      : "",
    summaryOf(results),
    ...measured.map(sectionOf),
    "## Not measured",
    [
      ...rest.map(({ title, reason }) => `- ${title}: ${reason}`),
      ...NEVER_MEASURED.map((text) => `- ${text}`),
    ].join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** What no benchmark here looks at, so that nobody takes silence for an answer. */
const NEVER_MEASURED = [
  "A real network, TLS and a proxy in front: senders and server are on one machine, and share its processors.",
  "Real models: agents in the benchmarks are `true`, `sleep` and small scripts.",
  "Other disks, file systems and operating systems than that of this machine, and machines with more processors.",
  "Several servers, and PostgreSQL, which millrace does not have.",
  "A power failure: crashes of the process are (`npm run proof`), of the machine are not.",
];

function summaryOf(results) {
  const rows = results.map(({ title, command, outcome }) => `| ${title} | \`${command}\` | ${outcome} |`);
  return ["| what | command | goals |", "|---|---|---|", ...rows].join("\n");
}

function sectionOf({ title, about, output }) {
  return [`## ${title}`, about, `\`\`\`text\n${withoutDate(output)}\n\`\`\``].join("\n\n");
}

/** The page has date and machine once; escape codes of colours and empty lines at the ends are of no use. */
function withoutDate(output) {
  return output
    .split("\n")
    .filter((line) => !/^\d{4}-\d\d-\d\d, /.test(line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
