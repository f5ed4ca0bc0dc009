import { MillraceError } from "../errors/error.ts";
import { labelsProblem, sortedLabels } from "./rules/worker-standing.ts";
import type { ProcessFacts } from "./worker.ts";

const WORD = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
/** How many turns a process executes at once at most. */
export const MAX_TURNS = 1_000;
const MAX_SHAPE = 1_000_000;
const UID = /^[A-Za-z0-9-]{1,64}$/;

/**
 * What a process reports, once nothing in it is absurd: it is stored and shown, so a hostile worker must not choose its size.
 * @throws MillraceError `invalid_request`, which names the field
 */
export function checkedFacts(uid: string, facts: ProcessFacts): ProcessFacts {
  const { labels, version, platform, shape, sandbox, dataFolder, limitsNetwork, concurrency, executing } =
    facts;
  const labelling = labelsProblem(labels);
  if (labelling !== undefined) throw refusal("labels", labelling);
  requireForm(UID.test(uid), "process", "1 to 64 letters, digits and hyphens");
  requireForm(WORD.test(version), "version", "a version such as 1.2.3");
  requireForm(
    isWord(platform?.os) && isWord(platform?.arch),
    "platform",
    "an os and an arch of 1 to 64 characters",
  );
  requireForm(
    dataFolder === undefined || UID.test(dataFolder),
    "dataFolder",
    "1 to 64 letters, digits and hyphens",
  );
  requireForm(isWord(sandbox), "sandbox", "a word of 1 to 64 characters");
  requireForm(isSize(shape?.vcpus) && isSize(shape?.memoryGb), "shape", "positive numbers");
  requireForm(
    isTurns(concurrency) && concurrency > 0,
    "concurrency",
    `a whole number from 1 to ${MAX_TURNS}`,
  );
  requireForm(isTurns(executing), "executing", `a whole number from 0 to ${MAX_TURNS}`);
  return {
    labels: sortedLabels(labels),
    version,
    // What else was sent along is not stored.
    platform: platform && { os: platform.os, arch: platform.arch },
    shape: shape && { vcpus: shape.vcpus, memoryGb: shape.memoryGb },
    sandbox,
    ...(dataFolder === undefined ? {} : { dataFolder }),
    ...(limitsNetwork === true ? { limitsNetwork } : {}),
    concurrency,
    executing,
  };
}

const isWord = (text: string | null | undefined) => text == null || WORD.test(text);
const isSize = (size: number | undefined) => size === undefined || (size > 0 && size <= MAX_SHAPE);
const isTurns = (count: number) => Number.isInteger(count) && count >= 0 && count <= MAX_TURNS;

function requireForm(isRight: boolean, field: string, expected: string): void {
  if (!isRight) throw refusal(field, `A worker reported an unusable ${field}: expected ${expected}.`);
}

function refusal(field: string, message: string): MillraceError {
  return new MillraceError("invalid_request", message, { extra: { field } });
}
