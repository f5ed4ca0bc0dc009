import { posix } from "node:path";
import { strayFile } from "../loading/tree-path.ts";
import type { Problem } from "../problem.ts";
import { problemAt, type TreeRule, type WrittenFile, type WrittenTree } from "../tree.ts";
import type { WrittenAutomation } from "../written.ts";

/** Where the file is that an automation names: next to it, or in a folder there. @returns nothing for a path that leads out */
function schemaPath({ path, data }: WrittenFile<WrittenAutomation>): string | undefined {
  const named = data.millrace?.output ?? "";
  const isInside =
    named.endsWith(".json") &&
    !/[\\:]/.test(named) &&
    named.split("/").every((step) => step !== "" && step !== "." && step !== "..");
  return isInside ? posix.join(posix.dirname(path), named) : undefined;
}

/** The schema that an automation names, in a tree without errors. */
export function outputSchemaOf(
  automation: WrittenFile<WrittenAutomation>,
  { outputSchemas }: Pick<WrittenTree, "outputSchemas">,
): Record<string, unknown> | undefined {
  if (automation.data.millrace?.output === undefined) return undefined;
  const path = schemaPath(automation);
  const read = outputSchemas.find((each) => each.path === path)?.read();
  return read && "schema" in read ? read.schema : undefined;
}

/** The schemas that automations name are there, and are such. */
export const outputSchemasAreValid: TreeRule = (tree) => {
  const known = new Map(tree.outputSchemas.map((file) => [file.path, file]));
  const reported = new Set<string>();
  return tree.automations.flatMap((automation): Problem[] => {
    const named = automation.data.millrace?.output;
    if (named === undefined) return [];
    const at = ["millrace", "output"];
    const path = schemaPath(automation);
    if (path === undefined) {
      const message = `output: "${named}" is not a file next to this one: expected a relative path such as schema.json, without . and .. in it`;
      return [problemAt(automation, at, "FF_INVALID_VALUE", message)];
    }
    const file = known.get(path);
    if (!file) return [problemAt(automation, at, "FF_INVALID_REFERENCE", `output: there is no file ${path}`)];
    const read = file.read();
    if ("schema" in read || reported.has(path)) return [];
    reported.add(path);
    return read.problems;
  });
};

/** Anyone who has put a file there meant it to have an effect. */
export const outputSchemasAreNamed: TreeRule = (tree) => {
  if (tree.outputSchemas.length === 0) return [];
  const named = new Set(tree.automations.map(schemaPath));
  const present = new Set(tree.present.map(({ path }) => path));
  return tree.outputSchemas
    .filter(({ path }) => !named.has(path))
    .map(({ path }) => strayFile(path, (meant) => present.has(meant)));
};
