import { EXPECTED_IMAGE, isImageReference, shownImage } from "../image-reference.ts";
import { type FileRule, problemAt } from "../tree.ts";
import type { WrittenRunner } from "../written.ts";

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
