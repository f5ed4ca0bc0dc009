import type { ServerRule } from "./server-rule.ts";

/** They stand in commands, in paths of the API and in the names of secrets. */
const NAME = /^[A-Za-z0-9_-]+$/;

/** New webhooks and automations have plain names; those that are in force keep the names that they have. */
export const newNamesArePlain: ServerRule = ({ state, problem }) =>
  state.changes
    .filter(({ kind, action }) => action === "create" && (kind === "webhook" || kind === "automation"))
    .filter(({ name }) => !NAME.test(name))
    .map(({ kind, name, path }) => {
      const message =
        `${JSON.stringify(name)} is not a valid name for a new ${kind}: use only letters, digits, - and _, ` +
        `and rename its ${kind === "webhook" ? "file" : "file or folder"}`;
      return problem(path, [], "FF_INVALID_VALUE", message);
    });
