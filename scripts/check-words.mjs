// `npm run check` runs this: texts that users see are in the plain words of scripts/plain-words.mjs, as are the comments and the new
// names on the lines that a change touches, and the code has none of the names that were replaced.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changedLines } from "./changed-lines.mjs";
import { PLAIN_COMMENTS, PLAIN_NAMES, PLAIN_WORDS } from "./plain-words.mjs";
import { commentsOf, textsOf } from "./user-texts.mjs";

/** The tables of proofs and tests are read by developers. */
const LEFT_OUT = [
  /^scripts\/plain-words\.mjs$/,
  // Released ones are never edited.
  /^src\/store\/schema\/steps/,
  /^(test|proof|bench)\//,
  /^dashboard\/(vite|tsconfig)/,
];
const READ = /\.(ts|tsx|mjs|cjs|md|html)$|^schemas\/.*\.json$/;
const CODE = /\.(ts|tsx|mjs|cjs)$/;
/** This list itself, and what states the names of other programs. */
const WITH_OTHER_NAMES = /^(scripts\/plain-words\.mjs|src\/store\/schema\/steps.*)$/;

const root = process.cwd();
const asked = process.argv.slice(2);
const listed = filesOf(asked);
const faults = [
  ...listed.filter((path) => READ.test(path) && !LEFT_OUT.some((out) => out.test(path))).flatMap(faultsOf),
  ...listed.filter((path) => CODE.test(path) && !WITH_OTHER_NAMES.test(path)).flatMap(namesOf),
  ...faultsOfChange(),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(
    `${faults.length} phrases or names are not plain English. The lists are in scripts/plain-words.mjs.`,
  );
  process.exitCode = 1;
}

function filesOf(paths) {
  return execFileSync("git", ["ls-files", "--", ...paths], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(root, path)));
}

function faultsOf(path) {
  return wordsIn(path, textsOf(path, readFileSync(join(root, path), "utf8")), PLAIN_WORDS);
}

function faultsOfChange() {
  const changed = changedLines(root, asked.length > 0 ? asked : ["."]);
  return [...changed]
    .filter(([path]) => CODE.test(path) && !WITH_OTHER_NAMES.test(path))
    .flatMap(([path, lines]) => {
      const comments = commentsOf(path, readFileSync(join(root, path), "utf8"));
      return wordsIn(
        path,
        comments.filter(({ line }) => lines.has(line)),
        PLAIN_COMMENTS,
      );
    });
}

function wordsIn(path, texts, words) {
  return texts.flatMap(({ line, text }) =>
    words.flatMap(({ phrase, plain }) => {
      const found = new RegExp(phrase, `${phrase.flags}i`).exec(text);
      return found ? [`${path}:${line}: "${around(text, found)}": write ${plain}`] : [];
    }),
  );
}

function namesOf(path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((text, index) =>
    PLAIN_NAMES.flatMap(({ name, plain }) => {
      const found = name.exec(text);
      return found ? [`${path}:${index + 1}: ${found[0]}: name it ${plain}`] : [];
    }),
  );
}

function around(text, { index, 0: match }) {
  return text
    .slice(Math.max(0, index - 25), index + match.length + 25)
    .replaceAll(/\s+/g, " ")
    .trim();
}
