import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { SCHEMA_VERSION } from "../../definitions/loading/validate.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { assetPath } from "../../platform/assets.ts";
import { print } from "../output.ts";

/** Where a definition keeps the schemas that its editor hints point to. Hidden folders are no part of a definition. */
const KEPT_SCHEMAS = `.schemas/${SCHEMA_VERSION}`;

/** Where `millrace serve` keeps its data unless it is told: keys among it. */
const IGNORED = ".millrace/";

export function initCommand(): Command {
  return new Command("init")
    .argument("[dir]", "destination folder; created if missing", ".")
    .description(
      "create a small working definition and a CI workflow that validates pull requests; never overwrites files",
    )
    .action(init);
}

async function init(dir: string): Promise<void> {
  const root = resolve(dir);
  const files = new Map([...(await starterFiles()), ...(await schemaFiles())]);
  refuseExisting(root, [...files.keys()]);
  try {
    for (const [path, content] of files) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      // What someone has put there since the look above stays.
      await writeFile(join(root, path), content, { flag: "wx" });
    }
  } catch (error) {
    throw new MillraceError("invalid_request", `Cannot write to ${dir}: ${errorMessage(error)}.`, {
      remedy: "Specify a folder that you have permission to write to.",
    });
  }
  const ignored = await ignoreDataFolder(root);
  for (const path of files.keys()) if (!path.startsWith(KEPT_SCHEMAS)) print(`wrote ${path}`);
  print(`wrote ${KEPT_SCHEMAS}/ (JSON schemas for the hints of editors)`);
  print(ignored);
  print(nextSteps(relative(process.cwd(), root) || "."));
}

/**
 * Keeps the data folder of a server that is started here out of commits. A `.gitignore` that is there stays as it is.
 * @returns what became of it
 */
async function ignoreDataFolder(root: string): Promise<string> {
  const path = join(root, ".gitignore");
  const existing = await readFile(path, "utf8").catch(() => undefined);
  if (existing === undefined) {
    await writeFile(path, `${IGNORED}\n`, { flag: "wx" });
    return "wrote .gitignore";
  }
  if (existing.split(/\r?\n/).some((line) => line.replace(/^\/|\/$/g, "") === ".millrace"))
    return `left .gitignore unchanged: it already ignores ${IGNORED}`;
  return `left .gitignore unchanged: add the line ${IGNORED} to it to ignore the data folder of a server started here`;
}

/** The example as it stands in a folder of its own: its hints point to the schemas beside it. */
async function starterFiles(): Promise<[string, string][]> {
  const example = assetPath("examples/starter");
  const paths = await readdir(example, { recursive: true, withFileTypes: true });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file): Promise<[string, string]> => {
      const text = await readFile(file, "utf8");
      const own = text.replaceAll(`../../schemas/${SCHEMA_VERSION}`, KEPT_SCHEMAS);
      return [relative(example, file).replaceAll("\\", "/"), own];
    }),
  );
}

async function schemaFiles(): Promise<[string, string][]> {
  const schemas = assetPath(`schemas/${SCHEMA_VERSION}`);
  const names = (await readdir(schemas)).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      return [`${KEPT_SCHEMAS}/${name}`, await readFile(join(schemas, name), "utf8")];
    }),
  );
}

function refuseExisting(root: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(root, path)));
  if (there.length === 0) return;
  const [first] = there;
  const more = there.length > 1 ? ` and ${there.length - 1} more` : "";
  throw new MillraceError("conflict", `${first}${more} would be overwritten, so nothing was written.`, {
    remedy: "Specify an empty folder: `millrace init DIR`.",
  });
}

function nextSteps(dir: string): string {
  return [
    "",
    "Next:",
    `  millrace validate ${dir}`,
    `  millrace serve ${dir}`,
    "  millrace secrets set CI_WEBHOOK_SECRET    (the secret that senders authenticate with)",
    "  millrace webhooks list                    (the URLs to send to)",
  ].join("\n");
}
