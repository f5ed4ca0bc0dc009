import type { Models } from "../../client/typed-paths.ts";
import { waitingOf } from "../../runs/rules/waiting.ts";
import type { Run } from "../../runs/run.ts";
import { type Caller, visibleTo } from "../http/authorize.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Why a queued run waits; nothing for any other run. Who reaches some factories only is not told how many runs the others have.
 */
export async function runWaiting(
  run: Run,
  caller: Caller,
  { queue, factories }: Pick<RunDeps, "queue" | "factories">,
): Promise<Models["RunWaiting"] | undefined> {
  const within = visibleTo(caller).visibleTo ?? null;
  const wait = run.state === "QUEUED" ? await queue.whyWaiting(run.id, within) : undefined;
  if (!wait) return undefined;
  const factory = run.factoryUid === null ? undefined : factories.find(run.factoryUid);
  return waitingOf(wait, {
    factory: factory?.record.name ?? run.factoryUid ?? "",
    automation: run.config.name ?? run.title,
    isBound: within !== null,
  });
}
