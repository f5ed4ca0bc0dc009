import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay, useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import type { Tone } from "../../parts/chip.tsx";
import { ReceiverRow, ReceiverTable } from "../../parts/sending/receiver-table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { EVENT_WORDS } from "./notification-filters.ts";

type Target = Models["NotificationTarget"];

const STATES: Readonly<Record<Target["state"], { tone: Tone; word: string }>> = {
  ready: { tone: "green", word: "Ready" },
  failing: { tone: "red", word: "Failing" },
  stopped: { tone: "amber", word: "Stopped" },
};

/** Where notifications go, each with a button that sends a test there. */
export function TargetTable({ targets }: { targets: readonly Target[] }) {
  return (
    <ReceiverTable label="Targets" what="Target">
      {targets.map((target) => (
        <TargetRow key={target.id} target={target} />
      ))}
    </ReceiverTable>
  );
}

function TargetRow({ target }: { target: Target }) {
  const { id, name, kind, address, factory, events, state, waiting, next_attempt_at, last_error } = target;
  const mayOperate = useMay("operator");
  const mayForServer = useMayForServer("operator");
  const test = useAction({
    send: () => millrace.notifications.test(id),
    onDone: (sent) =>
      announce(
        sent.state === "sent" ? `Sent a test to ${name}.` : `The test was not sent: ${sent.last_error}.`,
      ),
    onSettled: () =>
      Promise.all(
        ["notification-targets", "notifications"].map((key) =>
          queryClient.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  const isFailing = state === "failing";
  return (
    <ReceiverRow
      state={STATES[state]}
      name={name}
      about={`${kind} · ${address}${factory === null ? "" : ` · factory ${factory}`}`}
      lastError={isFailing ? last_error : null}
      nextAttemptAt={isFailing ? next_attempt_at : null}
      events={events.map((event) => EVENT_WORDS[event])}
      waiting={waiting}
      test={test}
      mayTest={factory === null ? mayForServer : mayOperate}
    />
  );
}
