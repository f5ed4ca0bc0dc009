import type { Loaded } from "../loading/load.ts";
import type { Problem } from "../problem.ts";
import { levels, missing, type Named, whereWritten } from "./reference-rules.ts";

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
