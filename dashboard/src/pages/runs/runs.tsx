import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { itemsOf } from "../../api/pages.ts";
import { runsQuery } from "../../api/queries.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { runQueryOf } from "./run-filters.ts";
import { StartRun } from "./start-run.tsx";
import { VirtualRunTable } from "./virtual-run-table.tsx";

/** Every run that the key reaches, the newest first, live. */
export function Runs() {
  const [search] = useSearchParams();
  const filters = useMemo(() => runQueryOf(search), [search]);
  const query = useInfiniteQuery(runsQuery(filters));
  const runs = itemsOf(query.data);
  const mayOperate = useMay("operator");
  const [isStarting, setStarting] = useState(false);
  return (
    <Page
      title="Runs"
      lead="Agent executions, newest first."
      actions={
        mayOperate && (
          <Button kind="main" onPress={() => setStarting(true)}>
            Start run
          </Button>
        )
      }
    >
      <FilterBar />
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <Section title={countText(runs.length, query.hasNextPage)} isFlush>
        {query.isPending && <Skeleton rows={8} />}
        {runs.length > 0 && <VirtualRunTable runs={runs} query={query} />}
        {query.data && runs.length === 0 && <NoRuns isFiltered={search.size > 0} />}
      </Section>
      {isStarting && <StartRun onClose={() => setStarting(false)} />}
    </Page>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <EmptyState title="No runs match these filters">Broaden the filters, or clear them.</EmptyState>;
  return (
    <EmptyState title="No runs yet" command='millrace runs create --prompt "Say hello."'>
      A run starts when a delivery passes the filter of an automation, when a schedule is due, or manually:
    </EmptyState>
  );
}

function countText(loaded: number, hasMore: boolean): string {
  if (loaded === 0) return "Runs";
  return hasMore ? `${loaded.toLocaleString()} or more runs` : counted(loaded, "run");
}
