import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useSearchParams } from "wouter";
import { itemsOf } from "../../api/pages.ts";
import { auditLogQuery } from "../../api/queries.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { InstantFilter } from "../../parts/filters/instant-filter.tsx";
import { TypedFilter } from "../../parts/filters/typed-filter.tsx";
import { Choice } from "../../parts/forms/field.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable } from "../../parts/tables/data-table.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { LoadMore } from "../../parts/tables/load-more.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { auditQueryOf } from "./audit-filters.ts";
import styles from "./audit-log.module.css";
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

/** The filters of the API; what is chosen stands in the address, to be sent to someone or come back to. */
export function AuditFilterBar() {
  const [search, setSearch] = useSearchParams();
  const { factories } = useFactory();
  const get = (name: string) => search.get(name) ?? "";
  const set = (name: string) => (value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <search aria-label="Filters">
      <div className={styles.fields}>
        <TypedFilter label="Actor" value={get("actor")} onChange={set("actor")} />
        <TypedFilter label="Action" value={get("action")} onChange={set("action")} />
        {factories.length > 1 && (
          <Choice
            label="Factory"
            value={get("factory")}
            onChange={set("factory")}
            options={[
              { value: "", label: "Any" },
              ...factories.map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
        <InstantFilter label="After" value={get("since")} onChange={set("since")} />
        <InstantFilter label="Before" value={get("until")} onChange={set("until")} />
        {search.size > 0 && (
          <Button kind="quiet" onPress={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  );
}
