import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { itemsOf } from "../../api/pages.ts";
import { runsQuery } from "../../api/queries.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersOf, runQueryOf } from "./run-filters.ts";
import { StartRun } from "./start-run.tsx";
import { useSelection } from "./use-selection.ts";
import { VirtualRunTable } from "./virtual-run-table.tsx";

/** Every run that the key reaches, the newest first, live. */
export function Runs() {
  const [search] = useSearchParams();
  const filters = useMemo(() => runQueryOf(search), [search]);
  const query = useInfiniteQuery(runsQuery(filters));
  const runs = itemsOf(query.data);
  const mayOperate = useMay("operator");
  const selection = useSelection(runs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected belongs to the filters it was selected under
  useEffect(() => selection.setAll([]), [filters]);
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
      <FilterBar runs={runs} />
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {selection.runs.length > 0 && (
        <BulkBar
          selection={selection}
          filters={filters}
          hasMore={query.hasNextPage || selection.runs.length < runs.length}
        />
      )}
      <Section title={countText(runs.length, query.hasNextPage)} isFlush>
        {query.isPending && <Skeleton rows={8} />}
        {runs.length > 0 && (
          <VirtualRunTable runs={runs} query={query} selection={mayOperate ? selection : undefined} />
        )}
        {query.data && runs.length === 0 && <NoRuns isFiltered={filtersOf(search).length > 0} />}
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
