import type { AutomationExplanation, Check } from "./explain.ts";

/**
 * Orders automations by how close each one is to a start by the delivery: those that would start first, then by the
 * trigger that came closest. One that selects another webhook comes after all that select this one.
 */
export function closestFirst(
  automations: readonly AutomationExplanation[],
): readonly AutomationExplanation[] {
  const ranked = automations.map((automation) => ({ automation, rank: rankOf(automation) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ automation }) => automation);
}

/** The checks of the trigger that came closest; nothing where no delivery can fire any. */
function closestTrigger({ triggers }: Pick<AutomationExplanation, "triggers">): readonly Check[] | undefined {
  return [...triggers].sort((a, b) => compare(distanceOf(a), distanceOf(b)))[0];
}

/** Why an automation does not start a run, in a sentence; nothing where it does. */
export function whyNot(automation: AutomationExplanation): string | undefined {
  if (automation.wouldTrigger) return undefined;
  const checks = closestTrigger(automation);
  if (!checks) return "It has no trigger that reacts to deliveries.";
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return "It is disabled; otherwise it would start a run.";
  const disabled = automation.enabled ? "" : "It is disabled. ";
  const [first] = failed;
  const more = failed.length > 1 ? `, and ${failed.length - 1} more` : "";
  return `${disabled}${checks.length - failed.length} of ${checks.length} conditions are met. Not met: ${textOf(first as Check)}${more}.`;
}

function textOf({ check, field, reason }: Check): string {
  return `${field ?? check} (${reason})`;
}

/** The smaller, the closer: compared number by number. */
type Rank = readonly number[];

function rankOf(automation: AutomationExplanation): Rank {
  const closest = closestTrigger(automation);
  if (!closest) return [2];
  return [automation.wouldTrigger ? 0 : 1, ...distanceOf(closest)];
}

function distanceOf(checks: readonly Check[]): Rank {
  const failed = checks.filter(({ passed }) => !passed);
  const isElsewhere = failed.some(({ check }) => check === "webhook");
  return [isElsewhere ? 1 : 0, failed.length, -checks.length];
}

function compare(a: Rank, b: Rank): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}
