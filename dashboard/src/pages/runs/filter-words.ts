import type { Models } from "../../api/models.ts";
import type { FilterOption } from "../../parts/filters/filter-option.ts";
import { exactTime } from "../../parts/time/time-text.ts";
import type { SetFilter } from "./run-filters.ts";

type Run = Models["RunItem"];

/** The values that a filter can have, by its name: with the names of things, and not their uids. */
export type FilterOptions = Readonly<Record<string, readonly FilterOption[]>>;

/** What a filter asks for, in words: names in place of uids, also of what is deleted as long as a run tells its name. */
export function filterText(
  { name, values }: SetFilter,
  options: FilterOptions,
  runs: readonly Run[],
): string {
  return values
    .map(
      (value) =>
        options[name]?.find((option) => option.value === value)?.label ??
        nameInRuns(name, value, runs) ??
        timeText(name, value) ??
        value,
    )
    .join(", ");
}

function nameInRuns(filter: string, value: string, runs: readonly Run[]): string | undefined {
  switch (filter) {
    case "automation_id":
      return runs.find(({ automation_id }) => automation_id === value)?.agent_config.name;
    case "executor":
      return runs.find(({ executor }) => executor.uid === value)?.executor.display_name;
    case "schedule_id":
      return runs.find(({ schedule }) => schedule?.schedule_id === value)?.schedule?.schedule_name;
    default:
      return undefined;
  }
}

function timeText(filter: string, value: string): string | undefined {
  const isTime = ["created_after", "created_before", "updated_after"].includes(filter);
  return isTime && !Number.isNaN(Date.parse(value)) ? exactTime(value) : undefined;
}
