import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../api/client.ts";
import { useSettled } from "../parts/filters/use-settled.ts";
import type { Mark } from "./code-view.ts";
import type { Draft } from "./drafts.ts";

/** Something that is to be said of a file. */
export interface Finding extends Mark {
  path: string;
}

export interface Check {
  /** What saving would change; nothing until it is known. */
  plan: Models["Plan"] | undefined;
  findings: readonly Finding[];
  /** Whether what is shown is of an earlier text. */
  isChecking: boolean;
  error: unknown;
}

const NOTHING: readonly Finding[] = [];

/** Has the server check what is being written, with the rest of the definition around it. Nothing is saved by it. */
export function useCheck(factory: string, files: readonly Draft[]): Check {
  const changes = files.map(({ path, content }) => ({ path, content }));
  const asked = JSON.stringify(changes);
  const settled = useSettled(asked);
  const { data, error, isFetching } = useQuery({
    queryKey: ["check", factory, settled],
    queryFn: ({ signal }) => checkNow(factory, JSON.parse(settled), signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    plan: data?.plan,
    findings: data?.findings ?? NOTHING,
    isChecking: isFetching || asked !== settled,
    error,
  };
}

async function checkNow(factory: string, changes: Models["PlannedFile"][], signal: AbortSignal) {
  const plan = await millrace.factories.plan(factory, { changes, traffic: false }, { signal });
  const warnings = plan.warnings.map((warning) => ({
    ...warning,
    severity: warning.blocking ? ("error" as const) : ("warning" as const),
  }));
  return { plan, findings: [...plan.problems, ...warnings] };
}
