// node scripts/changed-texts.mjs FROM [TO]: every text for users that differs between two commits, the old one and what took its place.

import { execFileSync } from "node:child_process";
import { distance } from "fastest-levenshtein";
import { textsOf } from "./user-texts.mjs";

const [from, to = "HEAD"] = process.argv.slice(2);
if (from === undefined) {
  console.error("Name the commit to compare with: node scripts/changed-texts.mjs FROM [TO]");
  process.exit(2);
}
/** The share of characters that may differ in two texts of which one took the place of the other. */
const MAX_APART = 0.65;

let count = 0;
for (const { before, after } of changedFiles()) {
  const pairs = pairUp(textsAt(from, before), textsAt(to, after));
  if (pairs.length === 0) continue;
  console.log(`\n## ${after}\n`);
  for (const [old, fresh] of pairs) console.log(`- ${old ?? "(new)"}\n  → ${fresh ?? "(removed)"}`);
  count += pairs.length;
}
console.log(`\n${count} texts`);

function git(...args) {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Files in both commits, also under another name. */
function changedFiles() {
  const lines = git("diff", "--name-status", "-M", from, to).trim().split("\n");
  return lines
    .map((line) => line.split("\t"))
    .filter(([status]) => /^[MR]/.test(status))
    .filter(([, path]) =>
      /^(src|dashboard\/src|schemas|docs|scripts|examples|deploy)\/|^[A-Z]+\.md$/.test(path),
    )
    .map(([, before, after = before]) => ({ before, after }));
}

function textsAt(commit, path) {
  const texts = textsOf(path, git("show", `${commit}:${path}`));
  return texts.map(({ text }) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
}

/** What is only on one side: each old text with the new one that is most like it, the most alike of all pairs first. */
function pairUp(before, after) {
  const removed = without(before, after);
  const added = without(after, before);
  const likest = removed
    .flatMap((old, from) =>
      added.map((text, to) => ({ from, to, apart: distance(old, text) / Math.max(old.length, text.length) })),
    )
    .filter(({ apart }) => apart <= MAX_APART)
    .sort((one, other) => one.apart - other.apart);
  const [newOf, taken] = [new Map(), new Set()];
  for (const { from, to } of likest) {
    if (newOf.has(from) || taken.has(to)) continue;
    newOf.set(from, to);
    taken.add(to);
  }
  return [
    ...removed.map((old, index) => [old, added[newOf.get(index)]]),
    ...added.filter((_, index) => !taken.has(index)).map((text) => [undefined, text]),
  ];
}

function without(texts, others) {
  const left = [...others];
  return texts.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
