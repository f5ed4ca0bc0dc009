// `node scripts/slice-github-description.mjs`: takes the operations that millrace asks GitHub for out of GitHub's published
// OpenAPI description, which as a whole is a package of 400 MB. What tests hold requests and answers against is the slice.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "@octokit/openapi";
const VERSION = "23.0.2";
const OPERATIONS = [
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/git/ref/{ref}",
  "GET /repos/{owner}/{repo}/installation",
  "GET /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}",
  "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
  "POST /app/installations/{installation_id}/access_tokens",
  "POST /repos/{owner}/{repo}/check-runs",
  "POST /repos/{owner}/{repo}/statuses/{sha}",
];
const PROSE = new Set([
  "description",
  "summary",
  "title",
  "example",
  "externalDocs",
  "x-github",
  "tags",
  "operationId",
]);
const target = fileURLToPath(new URL("../test/given/github-description.json", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "github-description-"));
try {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, `${PACKAGE}@${VERSION}`]);
  const installed = join(folder, "node_modules", PACKAGE);
  const whole = JSON.parse(readFileSync(join(installed, "generated", "api.github.com.json"), "utf8"));
  const license = readFileSync(join(installed, "LICENSE"), "utf8");
  writeFileSync(target, `${JSON.stringify(slice(whole, license))}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function slice({ openapi, info, paths, components }, license) {
  const sliced = {
    openapi,
    info: { ...info, "x-slice-of": `${PACKAGE} ${VERSION}`, "x-license": license },
    paths: {},
    components: {},
  };
  for (const operation of OPERATIONS) {
    const [method, path] = operation.split(" ");
    const described = paths[path][method.toLowerCase()];
    const used = withoutProse({ ...described, responses: successes(described.responses) });
    sliced.paths[path] = { ...sliced.paths[path], [method.toLowerCase()]: used };
    takeReferences(used);
  }
  return sliced;

  function takeReferences(node) {
    if (typeof node !== "object" || node === null) return;
    if (typeof node.$ref === "string") takeComponent(node.$ref.split("/").slice(2));
    for (const value of Object.values(node)) takeReferences(value);
  }

  function takeComponent([kind, name]) {
    sliced.components[kind] ??= {};
    if (name in sliced.components[kind]) return;
    sliced.components[kind][name] =
      kind === "examples" ? components[kind][name] : withoutProse(components[kind][name]);
    takeReferences(sliced.components[kind][name]);
  }
}

function successes(responses) {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith("2")));
}

/** What no request or answer is checked against. Of the examples, the stand-in for GitHub takes the first. */
function withoutProse(node, isMap = false) {
  if (Array.isArray(node)) return node.map((item) => withoutProse(item));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(([key]) => isMap || !PROSE.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (!isMap && key === "examples" && !Array.isArray(value))
        return [key, Object.fromEntries(Object.entries(value).slice(0, 1))];
      return [key, withoutProse(value, !isMap && key === "properties")];
    }),
  );
}
