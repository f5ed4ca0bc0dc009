import type { Models } from "../../api/client.ts";
import { Changes } from "../../parts/changes.tsx";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { ProblemList } from "../../parts/problem-list.tsx";
import { shortCostText } from "../../parts/runs/cost-text.ts";
import { countText } from "./revision-item.tsx";

interface PlanResultProps {
  plan: Models["Plan"];
  factory: Models["Factory"];
}

/** What a plan says: whether it can be applied, what would change, what is wrong, and which runs would start. */
export function PlanResult({ plan, factory }: PlanResultProps) {
  const { applicable, changes, warnings, problems, revision, traffic } = plan;
  const changing = changes.filter(({ action }) => action !== "unchanged");
  const shifts = traffic?.automations.filter(({ before, after }) => before !== after) ?? [];
  const warned = warnings.map(({ blocking, ...warning }) => ({
    ...warning,
    severity: blocking ? ("error" as const) : ("warning" as const),
  }));
  const isUnderSync = revision !== null && revision === factory.sync.attempted_revision;
  const known = isUnderSync ? new Set(factory.sync.problems.map(keyOf)) : new Set<string>();
  const listed = [...problems, ...warned].filter((problem) => !known.has(keyOf(problem)));
  return (
    <>
      <p>
        <Chip tone={applicable ? "green" : "red"}>{applicable ? "Can be applied" : "Cannot be applied"}</Chip>{" "}
        {countText(changing) || "Nothing would change."}
      </p>
      {changing.length > 0 && <Changes changes={changing} />}
      {listed.length > 0 && <ProblemList problems={listed} factory={factory} revision={revision} />}
      {listed.length < problems.length + warned.length && <p>It has the problems listed under Sync.</p>}
      {shifts.map((shift) => (
        <p key={shift.name}>
          In a replay of {traffic?.deliveries} stored deliveries, {shift.name} starts {shift.after} runs
          instead of {shift.before}.{costOf(shift)}
        </p>
      ))}
    </>
  );
}

/** What the change costs in a week, where it is known what a run costs. */
function costOf({ before, after, cost }: Models["AutomationTraffic"]): string {
  if (!cost) return "";
  const change = after - before;
  const more = change > 0 ? "more" : "fewer";
  const money = `about ${shortCostText(Math.abs(change) * cost.median)}${change > 0 ? "" : " less"}`;
  return ` That is ${counted(Math.abs(change), `${more} run`)} a week, ${money} (median of its last ${counted(cost.runs, "run")}).`;
}

function keyOf({ code, path, line, column, message }: Models["Problem"]): string {
  return JSON.stringify([code, path, line, column, message]);
}
