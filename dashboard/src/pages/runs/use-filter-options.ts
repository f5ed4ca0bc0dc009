import { useQueries, useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import {
  agentsQuery,
  automationsQuery,
  environmentsQuery,
  schedulesQuery,
  whoamiQuery,
} from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { SOURCE_WORDS } from "../../parts/runs/run-origin.ts";
import { RUN_WORDS } from "../../parts/tones.ts";
import type { FilterOptions } from "./filter-words.ts";
import { PERIODS, STATES } from "./run-filters.ts";

const ARTIFACT_TYPES = ["PULL_REQUEST", "PLAN", "FILE", "SCREENSHOT", "EXTERNAL_REFERENCE"];

/**
 * What there is to choose from. Names of automations and the like are asked for when a filter has one of them, or its menu
 * is opened.
 * @param isNeeded whether a filter's options are needed
 */
export function useFilterOptions(
  isNeeded: (filter: string) => boolean,
  runs: readonly Models["RunItem"][],
): FilterOptions {
  const { factories } = useFactory();
  const automations = useQueries({
    queries: factories.map(({ uid }) => ({ ...automationsQuery(uid), enabled: isNeeded("automation_id") })),
  });
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: isNeeded("executor") });
  const { data: schedules = [] } = useQuery({ ...schedulesQuery, enabled: isNeeded("schedule_id") });
  const { data: environments = [] } = useQuery({
    ...environmentsQuery,
    enabled: isNeeded("environment_id"),
    retry: false,
  });
  const { data: me } = useQuery(whoamiQuery);
  const nameOf = (uid: string | undefined) =>
    factories.length > 1 ? factories.find((factory) => factory.uid === uid)?.name : undefined;
  const creators = new Map(
    [...(me ? [me.principal] : []), ...runs.map(({ creator }) => creator)].map((each) => [
      each.uid ?? "",
      each.display_name ?? each.uid ?? "",
    ]),
  );
  return {
    state: STATES.map((value) => ({ value, label: RUN_WORDS[value] })),
    source: Object.entries(SOURCE_WORDS).map(([value, label]) => ({ value, label })),
    factory_uid: factories.map(({ uid, name }) => ({ value: uid, label: name })),
    period: PERIODS,
    automation_id: factories.flatMap(({ uid: factory }, index) =>
      (automations[index]?.data ?? []).map(({ uid, name }) => ({
        value: uid,
        label: name,
        detail: nameOf(factory),
      })),
    ),
    executor: agents.map(({ uid, name, factory_uid }) => ({
      value: uid,
      label: name,
      detail: nameOf(factory_uid),
    })),
    schedule_id: schedules.map(({ id, name, cron_schedule }) => ({
      value: id,
      label: name || cron_schedule,
      detail: cron_schedule,
    })),
    environment_id: [
      { value: "empty-environment", label: "None" },
      ...environments.map(({ uid, config }) => ({ value: uid, label: config.name })),
    ],
    creator: [...creators].map(([value, label]) => ({ value, label })),
    artifact_type: ARTIFACT_TYPES.map((value) => ({ value, label: value })),
    factory_only: [{ value: "true", label: "Yes" }],
  };
}
