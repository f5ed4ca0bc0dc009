import { posix } from "node:path";
import type { Severity } from "../definitions/problem.ts";
import type { Annotation, CheckResult } from "../forge/repository-forge.ts";
import { planMarkdown } from "../plans/plan-markdown.ts";
import { isChanged, type PlanReport } from "../plans/plan-report.ts";
import { summaryOf, verdict } from "../plans/plan-text.ts";
import type { TrafficAwarePlan } from "../plans/planner.ts";
import { pluralize } from "../pluralize.ts";

const LEVELS = { error: "failure", warning: "warning", notice: "notice" } as const;

/**
 * What a plan means for a pull request. Pure.
 * @param folder of the definition in the repository, `.` for its root
 */
export function checkResultOf({ report, isUntouched }: TrafficAwarePlan, folder: string): CheckResult {
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
export function failedCheck(title: string, message: string): CheckResult {
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
