import { EXPECTED_IMAGE, isImageReference, shownImage } from "../image-reference.ts";
import type { Loaded } from "../loading/loaded.ts";
import type { Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule } from "../tree.ts";
import { isThisServer, labelsOf, workerHostProblem } from "../worker-host.ts";
import type { WrittenRunner } from "../written.ts";
import { executions } from "./agent-rules.ts";
import { levels, missing, type Named, whereWritten } from "./reference-rules.ts";

/** The machines that macOS runners come as: processors and GiB of memory. */
const MAC_SHAPES: readonly (readonly [number, number])[] = [
  [4, 7],
  [6, 14],
  [8, 14],
  [12, 28],
  [12, 56],
];

export const runnerShapeFitsItsPlatform: FileRule<WrittenRunner> = (runner) => {
  const shape = runner.data.instanceShape;
  if (!shape) return [];
  if (runner.data.platform?.os === "macos") {
    if (MAC_SHAPES.some(([vcpus, memory]) => vcpus === shape.vcpus && memory === shape.memoryGb)) return [];
    const known = MAC_SHAPES.map(([vcpus, memory]) => `${vcpus}/${memory}`).join(", ");
    const message = `expected one of the macOS sizes (vcpus/memoryGb): ${known}`;
    return [problemAt(runner, ["instanceShape"], "FF_INVALID_VALUE", message)];
  }
  return (["vcpus", "memoryGb"] as const)
    .filter((key) => !Number.isInteger(Math.log2(shape[key])))
    .map((key) =>
      problemAt(
        runner,
        ["instanceShape", key],
        "FF_INVALID_VALUE",
        `${key}: expected a power of two, found ${shape[key]}`,
      ),
    );
};

export const platformBlocksFitTheSystem: FileRule<WrittenRunner> = (runner) => {
  const platform = runner.data.platform;
  if (!platform) return [];
  const os = platform.os ?? "linux";
  const stranger = os === "linux" ? "mac" : "linux";
  const problems = platform[stranger]
    ? [
        problemAt(
          runner,
          ["platform", stranger],
          "FF_INVALID_VALUE",
          `a runner on ${os} does not support a ${stranger} block`,
        ),
      ]
    : [];
  if (os === "macos" && platform.arch === "x86_64") {
    problems.push(
      problemAt(runner, ["platform", "arch"], "FF_INVALID_VALUE", "macOS runners are aarch64 only"),
    );
  }
  return problems;
};

export const imageIsAReference: FileRule<WrittenRunner> = (runner) => {
  const image = runner.data.platform?.linux?.dockerImage;
  if (image === undefined || isImageReference(image)) return [];
  const message = `dockerImage: ${EXPECTED_IMAGE}, found ${shownImage(image)}`;
  return [problemAt(runner, ["platform", "linux", "dockerImage"], "FF_INVALID_VALUE", message)];
};

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
