import { posix } from "node:path";
import type { Severity } from "../definitions/problem.ts";
import {
  type Annotation,
  type CheckResult,
  checkReference,
  ForgeError,
  type PullRequest,
  type RepositoryForge,
} from "../forge/repository-forge.ts";
import { SourceError } from "../git/revision.ts";
import { planMarkdown } from "../plans/plan-markdown.ts";
import { isChanged, type PlanReport } from "../plans/plan-report.ts";
import { summaryOf, verdict } from "../plans/plan-text.ts";
import type { Planner, TrafficAwarePlan } from "../plans/planner.ts";
import { pluralize } from "../pluralize.ts";
import type { Factory } from "../reconcile/running-factory.ts";

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

const LEVELS = { error: "failure", warning: "warning", notice: "notice" } as const;

/**
 * What a plan means for a pull request. Pure.
 * @param folder of the definition in the repository, `.` for its root
 */
function checkResultOf({ report, isUntouched }: TrafficAwarePlan, folder: string): CheckResult {
  // Whoever requires the check has to get one for every pull request, and is not answerable for what is there already.
  if (isUntouched) return untouched(folder);
  return {
    conclusion: report.applicable ? "success" : "failure",
    title: titleOf(report),
    summary: planMarkdown(report),
    annotations: annotationsOf(report, folder),
  };
}

/** A pull request that cannot be planned, and why. */
function failedCheck(title: string, message: string): CheckResult {
  return { conclusion: "failure", title, summary: message, annotations: [] };
}

/** Where a file of a definition is in the repository. */
export function pathInRepository(folder: string, path: string): string {
  return posix.join(folder, path);
}

function untouched(folder: string): CheckResult {
  const title = folder === "." ? "No changes" : `No changes in ${folder}`;
  return { conclusion: "neutral", title, summary: `${title}, so there is nothing to plan.`, annotations: [] };
}

function titleOf(report: PlanReport): string {
  const { changes, summary, traffic, warnings } = report;
  if (!report.applicable) return verdict(report);
  const changed = traffic?.automations.filter(isChanged).length ?? 0;
  return [
    changes.some(({ action }) => action !== "unchanged") ? `${summaryOf(summary)}.` : verdict(report),
    ...(warnings.length > 0 ? [`${pluralize(warnings.length, "warning")}.`] : []),
    ...(changed > 0 ? [`Different runs for ${pluralize(changed, "automation")}.`] : []),
  ].join(" ");
}

/** What stands in the way first: there is an end to how many are shown. */
function annotationsOf({ problems, warnings }: PlanReport, folder: string): Annotation[] {
  const severityOf = (blocking: boolean): Severity => (blocking ? "error" : "warning");
  const found = [
    ...problems,
    ...warnings.map(({ blocking, ...warning }) => ({ ...warning, severity: severityOf(blocking) })),
  ];
  const ranked = Object.keys(LEVELS);
  return found
    .sort((a, b) => ranked.indexOf(a.severity) - ranked.indexOf(b.severity))
    .map(({ severity, code, path, line, column, message }) => {
      return {
        path: pathInRepository(folder, path),
        line,
        column,
        level: LEVELS[severity],
        title: code,
        message,
      };
    });
}
