import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Models, millrace } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../frame/use-role.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { DataTable, main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import { useAction } from "../../parts/use-action.ts";

type Outbound = Models["Outbound"];

const MAX_OUTBOUND = 100;
/** No event tells that something was sent. */
const LOOK_EVERY_MS = 10_000;

const COLUMNS = [
  { title: "State" },
  { title: "Outbound webhook" },
  { title: "Events", isWide: true },
  { title: "Waiting", isWide: true, isRight: true },
  { title: "Actions", isRight: true },
];

const STATES: Readonly<Record<Outbound["state"], { tone: Tone; word: string }>> = {
  ready: { tone: "green", word: "Ready" },
  failing: { tone: "red", word: "Failing" },
  open: { tone: "red", word: "Waiting" },
  stopped: { tone: "amber", word: "Stopped" },
  disabled: { tone: "grey", word: "Disabled" },
};

const outboundQuery = (factory: string) =>
  queryOptions({
    queryKey: ["outbound", factory],
    queryFn: () => millrace.outbound.list(factory, { limit: MAX_OUTBOUND }).toArray(),
    refetchInterval: LOOK_EVERY_MS,
  });

/** Where events of a factory are posted to; nothing while there is no such place. */
export function OutboundList({ factory }: { factory: string }) {
  const { data = [], error } = useQuery(outboundQuery(factory));
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
  const test = useAction({
    send: () => millrace.outbound.test(factory, name),
    onDone: (sent) =>
      announce(
        sent.state === "sent"
          ? `Sent a test event to ${name}.`
          : `The test event was not accepted: ${sent.last_error}.`,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["outbound", factory] }),
  });
  const { tone, word } = STATES[state];
  return (
    <tr>
      <td>
        <Chip tone={tone}>{word}</Chip>
      </td>
      <td className={main}>
        {name}
        <div className={muted}>{origin}</div>
        {state !== "ready" && last_error !== null && <div className={muted}>Last error: {last_error}</div>}
        {next_attempt_at !== null && (
          <div className={muted}>
            Next attempt <RelativeTime at={next_attempt_at} />
          </div>
        )}
        {test.error && <ProblemNotice error={test.error} />}
      </td>
      <td className={`${wide} ${muted}`}>{events.join(", ")}</td>
      <td className={`${wide} ${right} ${muted}`}>{waiting}</td>
      <td className={right}>
        {mayOperate && enabled && (
          <Button
            isSmall
            isPending={test.isPending}
            onPress={() => test.run()}
            aria-label={`Send test to ${name}`}
          >
            {test.isPending ? "Sending…" : "Send test"}
          </Button>
        )}
      </td>
    </tr>
  );
}
