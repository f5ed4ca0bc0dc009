import type { Loaded } from "../definitions/load.ts";
import type { Change } from "../definitions/plan.ts";
import type { Problem } from "../definitions/problem.ts";

/** They stand in commands, in paths of the API and in the names of secrets. */
const NAME = /^[A-Za-z0-9_-]+$/;

/** New webhooks and automations have plain names; those that are in force keep the names that they have. */
export function newNamesArePlain(changes: readonly Change[], { locate }: Pick<Loaded, "locate">): Problem[] {
  return changes
    .filter(({ kind, action }) => action === "create" && (kind === "webhook" || kind === "automation"))
    .filter(({ name }) => !NAME.test(name))
    .map(({ kind, name, path }): Problem => {
      const message =
        `${JSON.stringify(name)} cannot name a new ${kind}: use letters, digits, - and _ only, ` +
        `so give its ${kind === "webhook" ? "file" : "file or folder"} another name`;
      return { code: "FF_INVALID_VALUE", message, path, ...locate(path, []), severity: "error" };
    });
}
