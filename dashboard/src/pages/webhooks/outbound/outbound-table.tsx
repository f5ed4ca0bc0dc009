import { Link } from "wouter";
import type { Models } from "../../../api/client.ts";
import { useMay } from "../../../frame/use-role.ts";
import { Chip } from "../../../parts/chip.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { AttemptNotes } from "../../../parts/sending/attempt-notes.tsx";
import { SendTest } from "../../../parts/sending/send-test.tsx";
import { DataTable, main, muted, right, wide } from "../../../parts/tables/data-table.tsx";
import { OUTBOUND_STATES } from "./outbound-states.ts";
import { outboundPath, type Place } from "./place.ts";
import { useTest } from "./use-test.ts";

type Outbound = Models["Outbound"];

const COLUMNS = [
  { title: "State" },
  { title: "Outbound webhook" },
  { title: "Events", isWide: true },
  { title: "Waiting", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

/** Outbound webhooks of one place: how their receivers are doing, and what waits. */
export function OutboundTable({ place, outbound }: { place: Place; outbound: readonly Outbound[] }) {
  return (
    <DataTable label="Outbound webhooks" columns={COLUMNS}>
      {outbound.map((each) => (
        <OutboundRow key={each.name} place={place} outbound={each} />
      ))}
    </DataTable>
  );
}

function OutboundRow({ place, outbound }: { place: Place; outbound: Outbound }) {
  const { name, origin, events, enabled, state, waiting, next_attempt_at, last_error } = outbound;
  const mayOperate = useMay("operator");
  const test = useTest(place, name);
  const { tone, word } = OUTBOUND_STATES[state];
  return (
    <tr>
      <td>
        <Chip tone={tone}>{word}</Chip>
      </td>
      <td className={main}>
        <Link href={outboundPath(place, name)}>{name}</Link>
        <div className={muted}>{origin}</div>
        <AttemptNotes lastError={state === "ready" ? null : last_error} nextAttemptAt={next_attempt_at} />
        {test.error && <ProblemNotice error={test.error} />}
      </td>
      <td className={`${wide} ${muted}`}>{events.join(", ")}</td>
      <td className={`${wide} ${right} ${muted}`}>{waiting}</td>
      <td className={right}>{mayOperate && enabled && <SendTest name={name} test={test} />}</td>
    </tr>
  );
}
