import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../../api/client.ts";
import { useMay } from "../../../frame/use-role.ts";
import { Chip } from "../../../parts/chip.tsx";
import { factoryPath } from "../../../parts/factory-path.ts";
import { Section } from "../../../parts/page.tsx";
import { ProblemNotice } from "../../../parts/problem-notice.tsx";
import { AttemptNotes } from "../../../parts/sending/attempt-notes.tsx";
import { SendTest } from "../../../parts/sending/send-test.tsx";
import { DataTable, main, muted, right, wide } from "../../../parts/tables/data-table.tsx";
import { outboundListQuery } from "./outbound-queries.ts";
import { OUTBOUND_STATES } from "./outbound-states.ts";
import { useTest } from "./use-test.ts";

type Outbound = Models["Outbound"];

const COLUMNS = [
  { title: "State" },
  { title: "Outbound webhook" },
  { title: "Events", isWide: true },
  { title: "Waiting", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

/** Where events of a factory are posted to; nothing while there is no such place. */
export function OutboundList({ factory }: { factory: string }) {
  const { data = [], error } = useQuery(outboundListQuery(factory));
  if (error) return <ProblemNotice error={error} />;
  if (data.length === 0) return null;
  return (
    <Section title="Outbound webhooks" isFlush>
      <DataTable label="Outbound webhooks" columns={COLUMNS}>
        {data.map((outbound) => (
          <OutboundRow key={outbound.name} factory={factory} outbound={outbound} />
        ))}
      </DataTable>
    </Section>
  );
}

function OutboundRow({ factory, outbound }: { factory: string; outbound: Outbound }) {
  const { name, origin, events, enabled, state, waiting, next_attempt_at, last_error } = outbound;
  const mayOperate = useMay("operator");
  const test = useTest(factory, name);
  const { tone, word } = OUTBOUND_STATES[state];
  return (
    <tr>
      <td>
        <Chip tone={tone}>{word}</Chip>
      </td>
      <td className={main}>
        <Link href={factoryPath(factory, "outbound", name)}>{name}</Link>
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
