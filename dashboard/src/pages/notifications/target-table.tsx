import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay, useMayForServer } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { AttemptNotes } from "../../parts/sending/attempt-notes.tsx";
import { SendTest } from "../../parts/sending/send-test.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { EVENT_WORDS } from "./notification-filters.ts";

type Target = Models["NotificationTarget"];

const COLUMNS = [
  { title: "State" },
  { title: "Target" },
  { title: "Events", isWide: true },
  { title: "Waiting", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

const STATES: Readonly<Record<Target["state"], { tone: Tone; word: string }>> = {
  ready: { tone: "green", word: "Ready" },
  failing: { tone: "red", word: "Failing" },
  stopped: { tone: "amber", word: "Stopped" },
};

/** Where notifications go, each with a button that sends a test there. */
export function TargetTable({ targets }: { targets: readonly Target[] }) {
  return (
    <DataTable label="Targets" columns={COLUMNS}>
      {targets.map((target) => (
        <TargetRow key={target.id} target={target} />
      ))}
    </DataTable>
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
  const { tone, word } = STATES[state];
  return (
    <tr>
      <td>
        <Chip tone={tone}>{word}</Chip>
      </td>
      <td className={main}>
        {name}
        <div className={muted}>
          {kind} · {address}
          {factory !== null && ` · factory ${factory}`}
        </div>
        {state === "failing" && <AttemptNotes lastError={last_error} nextAttemptAt={next_attempt_at} />}
        {test.error && <ProblemNotice error={test.error} />}
      </td>
      <td className={`${wide} ${muted}`}>{events.map((event) => EVENT_WORDS[event]).join(", ")}</td>
      <td className={`${wide} ${right} ${muted}`}>{waiting}</td>
      <td className={right}>
        {(factory === null ? mayForServer : mayOperate) && <SendTest name={name} test={test} />}
      </td>
    </tr>
  );
}
