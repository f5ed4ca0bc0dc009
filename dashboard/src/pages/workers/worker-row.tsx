import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayForServer } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { ActionCell } from "../../parts/tables/cells.tsx";
import { main, muted, right, wide } from "../../parts/tables/data-table.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";

type Worker = Models["Worker"];

const STATES: Readonly<Record<Worker["state"], { tone: Tone; word: string }>> = {
  connected: { tone: "green", word: "Connected" },
  draining: { tone: "amber", word: "Draining" },
  offline: { tone: "grey", word: "Offline" },
};

interface WorkerRowProps {
  worker: Worker;
  onDrain: () => void;
  onEndDrain: () => void;
  onRevoke: () => void;
}

/** One worker: how it stands, what it may execute, and how much it does. */
export function WorkerRow({ worker, onDrain, onEndDrain, onRevoke }: WorkerRowProps) {
  const { name, state, labels, version, platform, prefix, processes, last_seen_at } = worker;
  const { factories: known } = useFactory();
  const mayDrain = useMayForServer("operator");
  const mayRevoke = useMayForServer("admin");
  const { tone, word } = STATES[state];
  const reached = worker.factories?.map((uid) => known.find((factory) => factory.uid === uid)?.name ?? uid);
  const machine = [version, platform && `${platform.os}/${platform.arch}`].filter((part) => part != null);
  return (
    <tr>
      <td>
        <Chip tone={tone}>{word}</Chip>
      </td>
      <td className={main}>
        {name}
        <div className={muted}>
          <code>{prefix}…</code>
          {reached && ` · only ${reached.join(", ")}`}
          {processes.length > 1 && ` · ${counted(processes.length, "process", "processes")}`}
        </div>
        {labels.length > 0 && <div className={muted}>Labels: {labels.join(", ")}</div>}
        {worker.draining_since !== null && (
          <div className={muted}>
            Drained <RelativeTime at={worker.draining_since} />
          </div>
        )}
        <WorkerRuns runs={worker.runs} />
      </td>
      <td className={`${wide} ${muted}`}>{machine.length === 0 ? "-" : machine.join(" · ")}</td>
      <td className={`${right} ${muted}`}>
        {state === "offline" ? "-" : `${worker.executing} of ${worker.concurrency}`}
      </td>
      <td className={`${wide} ${right} ${muted}`}>
        {last_seen_at ? <RelativeTime at={last_seen_at} /> : "never"}
      </td>
      <ActionCell>
        {mayDrain && (
          <Button
            isSmall
            onPress={worker.draining_since === null ? onDrain : onEndDrain}
            aria-label={`${worker.draining_since === null ? "Drain" : "End drain of"} ${name}`}
          >
            {worker.draining_since === null ? "Drain" : "End drain"}
          </Button>
        )}
        {mayRevoke && (
          <Button isSmall kind="danger" onPress={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )}
      </ActionCell>
    </tr>
  );
}

/** A row stays as high as a few lines. */
const SHOWN_RUNS = 5;

/** The runs that a worker executes. */
function WorkerRuns({ runs }: Pick<Worker, "runs">) {
  if (runs.length === 0) return null;
  const more = runs.length - SHOWN_RUNS;
  return (
    <div className={muted}>
      Runs:{" "}
      {runs.slice(0, SHOWN_RUNS).map(({ run_id, title }, index) => (
        <span key={run_id}>
          {index > 0 && ", "}
          <Link href={`/runs/${run_id}`}>{title || run_id}</Link>
        </span>
      ))}
      {more > 0 && `, and ${counted(more, "other run")}`}
    </div>
  );
}
