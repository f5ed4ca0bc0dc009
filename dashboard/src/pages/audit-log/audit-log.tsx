import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useSearchParams } from "wouter";
import { itemsOf } from "../../api/pages.ts";
import { auditLogQuery } from "../../api/queries.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { AuditFilterBar } from "./audit-filter-bar.tsx";
import { auditQueryOf } from "./audit-filters.ts";
import { AuditRow } from "./audit-row.tsx";

const COLUMNS = [
  { title: "Status" },
  { title: "Action" },
  { title: "Actor" },
  { title: "Address", isWide: true },
  { title: "Time", isRight: true },
];

/** Who has changed what, or tried to. Filters stand in the address. */
export function AuditLog() {
  const [search] = useSearchParams();
  const query = useInfiniteQuery(auditLogQuery(useMemo(() => auditQueryOf(search), [search])));
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const records = itemsOf(data);
  const isSearching = data !== undefined && records.length === 0 && hasNextPage && !error;
  // A page examines a part of the log, and can be empty although more follow.
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, fetchNextPage]);
  return (
    <Page
      title="Audit log"
      lead="Requests from the last 90 days that made or attempted changes. Request bodies are not recorded."
    >
      <AuditFilterBar />
      {error && <ProblemNotice error={error} onRetry={() => void query.refetch()} />}
      <Section title="Requests" isFlush>
        {(isPending || isSearching) && <Skeleton rows={8} />}
        {data && records.length === 0 && !hasNextPage && (
          <EmptyState title="No requests match these filters">Broaden the filters, or clear them.</EmptyState>
        )}
        {records.length > 0 && (
          <DataTable label="Audit log" columns={COLUMNS}>
            {records.map((record) => (
              <AuditRow key={record.id} record={record} />
            ))}
          </DataTable>
        )}
        {records.length > 0 && <LoadMore query={query} />}
      </Section>
    </Page>
  );
}
