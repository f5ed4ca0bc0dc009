// `node scripts/release.mjs VERSION`: names what the changelog has as unreleased, commits and tags it, builds the binary from that
// commit, packs what the build has generated, and writes both checksums into the changelog with a second commit: the binary holds the
// id of the first. Nothing is pushed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const UNRELEASED = "## Unreleased\n";
const CHECKSUMS = "### Checksums\n";
/** The descriptions and pages that are not in git. */
const GENERATED = ["schemas/openapi.json", "schemas/v1alpha1.bundle.json", "docs/reference"];

/** The changelog with its unreleased section under the name of a version, and an empty one above it. */
export function withVersion(changelog, version, date) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is not a version such as 0.2.0.`);
  if (changelog.includes(`\n## ${version} `))
    throw new Error(`The changelog already has a section for ${version}.`);
  const [before, after] = changelog.split(UNRELEASED);
  if (after === undefined) throw new Error("The changelog has no Unreleased section.");
  if (/^\s*(?:## |$)/.test(after)) throw new Error("The Unreleased section of the changelog is empty.");
  return `${before}${UNRELEASED}\n## ${version} - ${date}\n${after}`;
}

/** The changelog with the SHA-256 of each file of a version at the end of its section. */
export function withChecksums(changelog, version, sums) {
  const start = changelog.indexOf(`\n## ${version} - `);
  if (start === -1) throw new Error(`The changelog has no section for ${version}.`);
  const next = changelog.indexOf("\n## ", start + 1);
  const end = next === -1 ? changelog.length : next;
  const lines = Object.entries(sums).map(([file, sum]) => `    ${sum}  ${file}`);
  const section = `${changelog.slice(start, end).trimEnd()}\n\n${CHECKSUMS}\n${lines.join("\n")}\n`;
  return changelog.slice(0, start) + section + changelog.slice(end);
}

function release(version) {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
  if (git("status", "--porcelain") !== "") throw new Error("There are uncommitted changes.");
  const edit = (change) => writeFileSync("CHANGELOG.md", change(readFileSync("CHANGELOG.md", "utf8")));
  edit((text) => withVersion(text, version, new Date().toISOString().slice(0, 10)));
  npm("version", version, "--no-git-tag-version", "--allow-same-version");
  git("commit", "--quiet", "--all", "--message", `Release ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `millrace ${version}`);
  npm("run", "build:binary");
  const file = `millrace-${version}-${process.platform}-${process.arch}`;
  copyFileSync("dist/millrace", `dist/${file}`);
  const [sum = ""] = readFileSync("dist/millrace.sha256", "utf8").split(" ");
  const reference = `millrace-${version}-reference.tgz`;
  execFileSync("tar", ["-czf", `dist/${reference}`, ...GENERATED]);
  const referenceSum = createHash("sha256")
    .update(readFileSync(`dist/${reference}`))
    .digest("hex");
  edit((text) => withChecksums(text, version, { [file]: sum, [reference]: referenceSum }));
  git("commit", "--quiet", "--all", "--message", `Add the checksums of ${version} to the changelog`);
  console.log(
    `dist/${file} and dist/${reference} are v${version}. To publish it: git push --follow-tags, and upload both files.`,
  );
}

function npm(...args) {
  execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) release(process.argv[2] ?? "");
