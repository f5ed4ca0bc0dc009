import type { Models } from "../../../api/client.ts";
import { useMay } from "../../../frame/use-role.ts";
import { ReceiverRow, ReceiverTable } from "../../../parts/sending/receiver-table.tsx";
import { OUTBOUND_STATES } from "./outbound-states.ts";
import { outboundPath, type Place } from "./place.ts";
import { useTest } from "./use-test.ts";

type Outbound = Models["Outbound"];

/** Outbound webhooks of one place: how their receivers are doing, and what waits. */
export function OutboundTable({ place, outbound }: { place: Place; outbound: readonly Outbound[] }) {
  return (
    <ReceiverTable label="Outbound webhooks" what="Outbound webhook">
      {outbound.map((each) => (
        <OutboundRow key={each.name} place={place} outbound={each} />
      ))}
    </ReceiverTable>
  );
}

function OutboundRow({ place, outbound }: { place: Place; outbound: Outbound }) {
  const { name, origin, events, enabled, state, waiting, next_attempt_at, last_error } = outbound;
  const mayOperate = useMay("operator");
  const test = useTest(place, name);
  return (
    <ReceiverRow
      state={OUTBOUND_STATES[state]}
      name={name}
      href={outboundPath(place, name)}
      about={origin}
      lastError={state === "ready" ? null : last_error}
      nextAttemptAt={next_attempt_at}
      events={events}
      waiting={waiting}
      test={test}
      mayTest={mayOperate && enabled}
    />
  );
}
