import { changeInWords, type FieldChange } from "../definitions/changes/field-changes.ts";
import { placeOf } from "../definitions/problem.ts";
import { isChanged, type PlanReport } from "./plan-report.ts";
import { comparison, nameOf, summaryOf, trafficHeadline, verdict } from "./plan-text.ts";

/** Longer lists are cut and counted: a host shows 64 KB of a summary, and nobody reads more. */
const MAX_LISTED = 100;
/** The values of so many resources are told, and so many of each. */
const MAX_WITH_VALUES = 30;
const MAX_VALUES = 5;
const MAX_TEXT = 300;

/** A plan for a pull request or the summary of a job. Whatever comes from the files is shown and never rendered. */
export function planMarkdown(report: PlanReport): string {
  const { factory, revision, changes, summary, warnings, problems, traffic } = report;
  const changed = changes.filter(({ action }) => action !== "unchanged");
  const errors = problems.filter(({ severity }) => severity !== "notice");
  return sections([
    `## Plan for ${code(factory)}${revision === null ? "" : ` at ${code(revision.slice(0, 12))}`}`,
    `**${verdict(report)}** ${changes.length > 0 ? `${summaryOf(summary)}.` : ""}`.trim(),
    list(
      "Problems",
      errors.map(
        (problem) =>
          `**${problem.severity}** ${code(placeOf(problem))} ${code(problem.code)}: ${text(problem.message)}`,
      ),
    ),
    list(
      "Warnings",
      warnings.map(
        ({ code: name, path, line, blocking, message }) =>
          `${blocking ? "**blocks** " : ""}${code(`${path}:${line}`)} ${code(name)}: ${text(message)}`,
      ),
    ),
    list(
      "Changes",
      changed.map(({ action, kind, name, fields, values, path }, index) => {
        const what = name === "" ? kind : `${kind} ${code(name)}`;
        const differing = fields.length > 0 ? `: ${fields.map(code).join(", ")}` : "";
        const line = `**${action}** ${what}${nameOf({ kind, name }) === path ? "" : ` (${code(path)})`}${differing}`;
        return [line, ...values.slice(0, index < MAX_WITH_VALUES ? MAX_VALUES : 0).map(valueLine)].join("\n");
      }),
    ),
    traffic ? trafficSection(traffic) : "",
  ]);
}

function valueLine(value: FieldChange): string {
  return `  - ${code(value.field)}: ${code(changeInWords(value))}`;
}

function trafficSection(traffic: NonNullable<PlanReport["traffic"]>): string {
  const changed = traffic.automations.filter(isChanged);
  return sections([
    "### Traffic",
    text(trafficHeadline(traffic, changed.length)),
    items(
      changed.map((automation) => {
        const { name, starts, stops } = automation;
        const examples = [
          ...(starts.length > 0 ? [`would start: ${starts.map(code).join(", ")}`] : []),
          ...(stops.length > 0 ? [`would no longer start: ${stops.map(code).join(", ")}`] : []),
        ];
        return [
          `${code(name)}: **${comparison(automation)}**`,
          ...examples.map((line) => `  - ${line}`),
        ].join("\n");
      }),
    ),
  ]);
}

function list(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `### ${title}\n\n${items(entries)}`;
}

function items(entries: readonly string[]): string {
  const more = entries.length - MAX_LISTED;
  const shown = entries.slice(0, MAX_LISTED).map((entry) => `- ${entry}`);
  return [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A name or a path as a span of code, whatever is in it: its fence is longer than any run of backticks inside. */
function code(value: string): string {
  const shown = oneLine(value);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = shown.startsWith("`") || shown.endsWith("`") || shown === "" ? " " : "";
  return fence + padding + shown + padding + fence;
}

/** A sentence that may quote a file: nothing in it is markup, a link, HTML or a mention of somebody. */
function text(value: string): string {
  return oneLine(value)
    .replace(/[\\`*_{}[\]<>()#+!|~&$-]/g, "\\$&")
    .replaceAll("@", "@\u200b");
}

function oneLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const shown = value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}
