import {
  type CheckResult,
  checkReference,
  ForgeError,
  type PullRequest,
  type RepositoryForge,
} from "../forge/repository-forge.ts";
import { SourceError } from "../git/revision.ts";
import type { Planner, TrafficAwarePlan } from "../plans/planner.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { checkResultOf, failedCheck } from "./check-result.ts";

export interface CheckDeps {
  forge: RepositoryForge;
  factory: Factory;
  planner: Planner;
}

/** A forge shows a pull request to its API before its git gives the head away, and a remote may be busy for a moment. */
const TRIES_BEFORE_FAILURE = 5;

/**
 * Plans a pull request and says so at its head. What is planned is the merge with the production branch as it is now: a
 * head that was branched off earlier lacks what came meanwhile, and would look as if it deleted that.
 * @param failures how often this has failed before
 * @returns the head that was checked; nothing when nobody needs to know of this pull request
 * @throws ForgeError when the forge cannot be asked or told, or is not done with the pull request yet
 */
export async function checkPullRequest(
  number: number,
  failures: number,
  deps: CheckDeps,
): Promise<string | undefined> {
  const { forge, factory } = deps;
  let pullRequest = await forge.findPullRequest(number);
  // A new head may come at any time. There is an end to it, since somebody has to push each of them.
  for (;;) {
    if (!concerns(pullRequest, factory)) return undefined;
    const { head } = pullRequest;
    const open = await forge.beginCheck({
      commit: head,
      title: "Planning the changes in this merge",
      reference: checkReference(number),
    });
    const planned = await planOf(number, failures, deps);
    pullRequest = await forge.findPullRequest(number);
    if (pullRequest.head !== head) {
      await open.conclude(superseded(pullRequest.head));
      continue;
    }
    await open.conclude(resultFor(head, planned, factory));
    return head;
  }
}

function concerns({ isOpen, base }: PullRequest, { record: { source } }: Factory): boolean {
  return isOpen && "branch" in source && base === source.branch;
}

/** A plan, or what is to be said where there is none. */
async function planOf(
  number: number,
  failures: number,
  { planner, factory }: CheckDeps,
): Promise<TrafficAwarePlan | CheckResult> {
  try {
    return await planner.plan(factory, { reference: { pullRequest: number } });
  } catch (error) {
    const { code, message } = error instanceof SourceError ? error : {};
    if (code === "GIT_CONFLICT")
      return failedCheck("The pull request conflicts with the branch", message ?? "");
    if (code === "GIT_PATH_MISSING") return failedCheck("No definition found", message ?? "");
    if (code === "GIT_REFUSED") return failedCheck("The plan failed", message ?? "");
    // The rest may pass, but whoever waits for the check has to hear of it.
    if (failures < TRIES_BEFORE_FAILURE) throw message ? new ForgeError("unavailable", message) : error;
    const why = message ?? "Internal server error; see the server's log.";
    return failedCheck("The plan failed", `${why}\n\nFix the problem, then re-run this check.`);
  }
}

function resultFor(
  head: string,
  planned: TrafficAwarePlan | CheckResult,
  { record: { source } }: Factory,
): CheckResult {
  if ("conclusion" in planned) return planned;
  const { revision } = planned.report;
  if (revision === head) return checkResultOf(planned, source.path);
  throw new ForgeError(
    "unavailable",
    `git still reports ${revision} as the head of the pull request, not ${head}.`,
  );
}

function superseded(head: string): CheckResult {
  const title = "A newer commit was pushed";
  return {
    conclusion: "cancelled",
    title,
    summary: `${title}: ${head} is checked instead.`,
    annotations: [],
  };
}
