import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { itemsOf } from "../../api/pages.ts";
import { auditLogQuery } from "../../api/queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { DataTable, main, muted, right, wide } from "../../parts/data-table.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";

const COLUMNS = [
  { title: "Status" },
  { title: "Action" },
  { title: "Actor" },
  { title: "Address", isWide: true },
  { title: "Time", isRight: true },
];

/** Who has changed what, or tried to. */
export function AuditLog() {
  const query = useInfiniteQuery(auditLogQuery);
  const records = itemsOf(query.data);
  return (
    <Page
      title="Audit log"
      lead="Requests from the last 90 days that made or attempted changes. Request bodies are not recorded."
    >
      {query.error && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <Section title="Requests" isFlush>
        {query.isPending && <Skeleton rows={8} />}
        {query.data && (
          <DataTable label="Audit log" columns={COLUMNS}>
            {records.map(
              ({ id, at, principal, run_id, action, subject, status, address, trace_id, repeats }) => (
                <tr key={id}>
                  <td>
                    <Chip tone={status < 400 ? "green" : "red"}>{status}</Chip>
                  </td>
                  <td className={main}>
                    {action} {subject && <code>{subject}</code>}
                    {repeats && (
                      <div className={muted}>
                        and {counted(repeats, "more request")} like this within a minute
                      </div>
                    )}
                    {trace_id && <div className={muted}>trace ID {trace_id}</div>}
                  </td>
                  <td>
                    {principal.display_name ?? principal.uid}
                    {run_id && (
                      <div className={muted}>
                        the agent of run <Link href={`/runs/${run_id}`}>{run_id.slice(0, 8)}</Link>
                      </div>
                    )}
                  </td>
                  <td className={`${wide} ${muted}`}>{address}</td>
                  <td className={`${right} ${muted}`}>
                    <RelativeTime at={at} />
                  </td>
                </tr>
              ),
            )}
          </DataTable>
        )}
        <LoadMore query={query} />
      </Section>
    </Page>
  );
}
