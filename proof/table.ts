import { cpus } from "node:os";
import type { Figures } from "./given/part.ts";

const COLUMNS = [
  ["part", "faults", "requests", "202", "duplicates", "refused", "runs", "cut off"],
  ["lost", "doubled", "stuck", "broken"],
].flat();
const MAX_SENTENCES = 20;

/** The figures of all parts as one table in Markdown, with what it takes to repeat them. */
export function tableOf(
  all: readonly Figures[],
  { seed, minutes }: { seed: number; minutes: number },
): string {
  const rows = all.map((figures) => [figures.part, ...numbersOf(figures)]);
  const sums = all.reduce<number[]>(
    (sum, figures) => numbersOf(figures).map((n, i) => n + (sum[i] ?? 0)),
    [],
  );
  const lines = [
    COLUMNS,
    COLUMNS.map((_, index) => (index === 0 ? "---" : "---:")),
    ...rows,
    ["all", ...sums],
  ];
  const [cpu] = cpus();
  return [
    `${minutes} minutes, seed ${seed}; ${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpu?.model.trim()}, Node ${process.versions.node}`,
    "",
    ...lines.map((cells) => `| ${cells.map((cell) => cell.toLocaleString("en")).join(" | ")} |`),
    "",
    ...all.filter(({ note }) => note).map(({ part, note }) => `- ${part}: ${note}`),
    ...all.flatMap(sentencesOf),
    "",
    `Again: npm run proof -- --minutes ${minutes} --seed ${seed}`,
  ].join("\n");
}

function numbersOf(figures: Figures): number[] {
  const { faults, requests, taken, duplicates, refused, runs, cutOff, lost, doubled, stuck, broken } =
    figures;
  const wrong = [lost, doubled, stuck, broken].map((sentences) => sentences.length);
  return [faults, requests, taken, duplicates, refused, runs, cutOff, ...wrong];
}

/** Everything that must not be, a few sentences of each kind. */
function sentencesOf({ part, lost, doubled, stuck, broken }: Figures): string[] {
  return Object.entries({ lost, doubled, stuck, broken }).flatMap(([kind, sentences]) => {
    const more = sentences.length > MAX_SENTENCES ? [`and ${sentences.length - MAX_SENTENCES} more`] : [];
    return [...sentences.slice(0, MAX_SENTENCES), ...more].map(
      (sentence) => `  ${kind} (${part}): ${sentence}`,
    );
  });
}
