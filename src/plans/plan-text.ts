import { changeInWords } from "../definitions/changes/field-changes.ts";
import { formatProblem, placeOf } from "../definitions/problem.ts";
import { usdText } from "../insight/usd-text.ts";
import { pluralize } from "../pluralize.ts";
import {
  type AutomationTraffic,
  isChanged,
  type PlannedChange,
  type PlanReport,
  type RunCost,
  type Traffic,
} from "./plan-report.ts";

const SIGNS = { create: "+", update: "~", delete: "-", unchanged: " " } as const;

/**
 * A plan for a terminal:
 *
 *     Plan for acme at 3f2a9c1d0b7e:
 *
 *       ~ automation report (triggers)
 *           triggers[0].payload.branch: "main" -> "release"
 *       - webhook ci
 *
 *     0 to create, 1 to update, 1 to delete, 4 unchanged.
 */
export function planText(report: PlanReport): string {
  const { problems, warnings, traffic } = report;
  const shown = problems.filter(({ severity }) => severity !== "notice");
  const sections = [
    headline(report),
    ...shown.map((problem) => formatProblem(problem)),
    ...changeLines(report),
    ...warnings.map(
      (warning) =>
        `${warning.blocking ? "blocks" : "warning"} ${warning.code} ${placeOf(warning)}\n  ${warning.message}`,
    ),
    ...(traffic ? [trafficText(traffic)] : []),
    verdict(report),
  ];
  return sections.join("\n\n");
}

function headline({ factory, revision }: PlanReport): string {
  return `Plan for ${factory}${revision === null ? "" : ` at ${revision.slice(0, 12)}`}:`;
}

/** What a resource is called: of a factory there is one, and a skill is known by its path. */
export function nameOf({ kind, name }: Pick<PlannedChange, "kind" | "name">): string {
  return name === "" ? kind : `${kind} ${name}`;
}

function changeLines({ changes, summary }: PlanReport): string[] {
  if (changes.length === 0) return [];
  const lines = changes
    .filter(({ action }) => action !== "unchanged")
    .flatMap((change) => {
      const fields = change.fields.length > 0 ? ` (${change.fields.join(", ")})` : "";
      const values = change.values.map((value) => `      ${value.field}: ${changeInWords(value)}`);
      return [`  ${SIGNS[change.action]} ${nameOf(change)}${fields}`, ...values];
    });
  return [...(lines.length > 0 ? [lines.join("\n")] : []), `${summaryOf(summary)}.`];
}

/** `1 to create, 0 to update, 2 to delete, 4 unchanged` */
export function summaryOf({ create, update, delete: gone, unchanged }: PlanReport["summary"]): string {
  return `${create} to create, ${update} to update, ${gone} to delete, ${unchanged} unchanged`;
}

function trafficText(traffic: Traffic): string {
  const changed = traffic.automations.filter(isChanged);
  const lines = changed.flatMap((automation) => [
    `  ${automation.name}: ${comparison(automation)}`,
    ...examples("would start", automation.starts),
    ...examples("would no longer start", automation.stops),
  ]);
  return [trafficHeadline(traffic, changed.length), ...lines].join("\n");
}

function examples(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`    ${what}, for example: ${ids.join(", ")}`];
}

/** @param changed how many automations would have started another number of runs */
export function trafficHeadline({ since, deliveries, complete }: Traffic, changed: number): string {
  const which = complete ? "" : "newest ";
  const looked = `Replayed against the ${which}${deliveries} deliveries since ${since}`;
  return changed === 0
    ? `${looked}: every automation would have started the same runs.`
    : `${looked}, this definition would have started different runs:`;
}

/** `47 runs instead of 6: 41 more runs a week, about $12 (median of the automation's last 50 runs)` */
export function comparison({ before, after, grouped, cost }: AutomationTraffic): string {
  const runs = pluralize(after, "run");
  const costs = cost && before !== after ? `: ${weeklyCost(after - before, cost)}` : "";
  if (grouped) {
    const continued = grouped.continued > 0 ? `, ${grouped.continued} continued` : "";
    return `${pluralize(grouped.deliveries, "delivery", "deliveries")} → ${runs} (was ${before})${continued}${costs}`;
  }
  if (before === after) return `${runs} as before, but for different deliveries`;
  return `${runs} instead of ${before}${costs}`;
}

const CENT = 0.01;

/** @param change how many runs more or fewer a week */
function weeklyCost(change: number, { median, runs }: RunCost): string {
  const count = Math.abs(change);
  const [more, less] = change > 0 ? ["more", ""] : ["fewer", " less"];
  const of = runs === 1 ? "as its last run" : `median of the automation's last ${runs} runs`;
  const usd = count * median;
  const money = usd > 0 && usd < CENT ? "less than $0.01" : `about ${usdText(usd)}${less}`;
  return `${count} ${more} ${count === 1 ? "run" : "runs"} a week, ${money} (${of})`;
}

/** The last word on a plan, for people. */
export function verdict({ applicable, summary, problems, warnings }: PlanReport): string {
  if (applicable) {
    const changes = summary.create + summary.update + summary.delete;
    return changes === 0 ? "Nothing would change." : "It can be applied.";
  }
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const blocking = warnings.filter((warning) => warning.blocking).length;
  return `It cannot be applied: ${errors + blocking === 1 ? "1 problem blocks" : `${errors + blocking} problems block`} it.`;
}
