import { readFile } from "node:fs/promises";
import type { ConfigSources } from "../config/load-config.ts";
import { parseYaml } from "../definitions/parse.ts";
import { formatProblem } from "../definitions/problem.ts";
import { validate } from "../definitions/validate.ts";
import { errorMessage, MillraceError } from "../error.ts";

/**
 * Reads millrace.yaml and holds it against its schema.
 * @throws MillraceError `invalid_request` with every problem and its place
 */
export async function readSettingsFile(path: string): Promise<NonNullable<ConfigSources["file"]>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new MillraceError(
      "invalid_request",
      `The settings file ${path} cannot be read: ${errorMessage(error)}.`,
    );
  }
  const parsed = parseYaml(path, text);
  const problems = "file" in parsed ? validate("millrace", parsed.file) : parsed.problems;
  if ("file" in parsed && problems.length === 0) return { path, content: parsed.file.data };
  const shown = problems.map((problem) => formatProblem(problem, text)).join("\n\n");
  throw new MillraceError("invalid_request", `The settings file ${path} is not valid:\n\n${shown}`);
}
