import type { Loaded } from "../loading/loaded.ts";
import type { Problem } from "../problem.ts";
import { levels, missing, type Named, whereWritten } from "./reference-rules.ts";
import { grantedTo } from "./secret-rules.ts";
import type { ServerRule } from "./server-rule.ts";

const SOURCE = "workerEnvironment";

/**
 * A warning, where it is written first, for a factory whose agents take their key from the environment of the server and may not:
 * their runs fail.
 * @param needed what millrace.yaml has to say for them to have it; nothing where they may
 */
export function serverKeyIsForTheFactory(loaded: Loaded, needed: string | undefined): Problem[] {
  if (needed === undefined) return [];
  const named = levels(loaded).flatMap((level): Named[] => {
    if (level.of.execution.harness.auth?.source !== SOURCE) return [];
    const isIt = (value: unknown) => (value === SOURCE ? [] : undefined);
    return [{ name: SOURCE, written: whereWritten(level, ["harness", "auth", "source"], isIt, loaded) }];
  });
  const says = () =>
    "this factory may not use the model key in the server's environment, so runs that need it fail: add " +
    `${needed} to millrace.yaml, or specify a secret: auth: { source: managedSecret, secretName: NAME }`;
  return missing(named, () => false, loaded, says);
}

/** Whoever writes a definition must not say where the key in the environment of the server or of a worker is sent. */
export const serverKeyGoesWhereTheServerSays: ServerRule = ({ loaded, state, problem }) => {
  const redirecting = levels(loaded).flatMap((level) => {
    const { type, auth } = level.of.execution.harness;
    if (auth?.source !== SOURCE) return [];
    return grantedTo(level, loaded).filter(({ name }) => state.redirectsKey(type, name));
  });
  const byPlace = new Map(redirecting.map((named) => [JSON.stringify(named), named]));
  // What is in force goes on for whatever else it does: its runs that need the key fail.
  const severity = state.isActive ? "warning" : "error";
  return [...byPlace.values()].map(({ name, written: { path, at } }) => {
    const message =
      `the secret "${name}" would determine where the model key in the environment of the server or worker is sent (auth: { source: ${SOURCE} }): ` +
      `remove it, or specify a secret: auth: { source: managedSecret, secretName: NAME }`;
    return problem(path, at, "FF_SECRET_REDIRECTS_KEY", message, severity);
  });
};
