import type { Loaded } from "../loading/loaded.ts";
import type { Problem } from "../problem.ts";
import { problemAt, type TreeRule } from "../tree.ts";
import { isThisServer, labelsOf, workerHostProblem } from "../worker-host.ts";
import { executions } from "./agent-rules.ts";
import { levels, missing, type Named, whereWritten } from "./reference-rules.ts";

/** A worker that an operator has made, whether it is connected or not. */
export interface KnownWorker {
  name: string;
  /** Those that it was granted, or has reported. */
  labels: readonly string[];
}

/** A text that can be neither a name nor labels would keep runs waiting for ever. */
export const workerHostsAreWellFormed: TreeRule = (tree) =>
  executions(tree).flatMap(({ written, at, execution }) => {
    const message = workerHostProblem(execution.workerHost ?? "");
    return message === undefined
      ? []
      : [problemAt(written, [...at, "workerHost"], "FF_INVALID_VALUE", `workerHost: ${message}`)];
  });

/** A warning, where it is written first, for each host that is none of the workers: its runs wait for one. */
export function workerHostsAreKnown(loaded: Loaded, workers: readonly KnownWorker[]): Problem[] {
  const named = levels(loaded).flatMap((level): Named[] => {
    const { workerHost } = level.of.execution;
    if (workerHost === undefined || isThisServer(workerHost)) return [];
    const isIt = (value: unknown) => (value === workerHost ? [] : undefined);
    return [{ name: workerHost, written: whereWritten(level, ["workerHost"], isIt, loaded) }];
  });
  return missing(
    named,
    (host) => workers.some((worker) => isHost(worker, host)),
    loaded,
    (host) => {
      const labels = labelsOf(host);
      const who = labels
        ? `with ${labels.length === 1 ? "the label" : "the labels"} ${labels.join(", ")}`
        : `"${host}"`;
      return (
        `this server has never had a worker ${who} for this factory, so its runs wait until one is connected: ` +
        "run `millrace workers list` to see the workers, or `millrace workers create` to add one"
      );
    },
  );
}

function isHost({ name, labels }: KnownWorker, host: string): boolean {
  const wanted = labelsOf(host);
  return wanted ? wanted.every((label) => labels.includes(label)) : name === host;
}
