import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { subjectLink } from "./subject-link.ts";

/** One call: how it was answered, what it did to what, and who called. */
export function AuditRow({ record }: { record: Models["AuditRecord"] }) {
  const { at, principal, run_id, action, subject, status, address, trace_id, repeats } = record;
  return (
    <tr>
      <td>
        <Chip tone={status < 400 ? "green" : "red"}>{status}</Chip>
      </td>
      <td className={main}>
        {action} {subject && <Subject action={action} subject={subject} />}
        {repeats && (
          <div className={muted}>and {counted(repeats, "more request")} like this within a minute</div>
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
  );
}

function Subject({ action, subject }: { action: string; subject: string }) {
  const href = subjectLink(action, subject);
  const text = <code>{subject}</code>;
  return href === undefined ? text : <Link href={href}>{text}</Link>;
}
