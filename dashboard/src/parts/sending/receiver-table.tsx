import type { ReactNode } from "react";
import { Link } from "wouter";
import { Button } from "../button.tsx";
import { Chip, type Tone } from "../chip.tsx";
import { ProblemNotice } from "../problem-notice.tsx";
import { DataTable, main, muted, right, wide } from "../tables/data-table.tsx";
import { AttemptNotes } from "./attempt-notes.tsx";

interface ReceiverTableProps {
  label: string;
  /** The heading of the column with their names. */
  what: string;
  /** Rows of the component below. */
  children: ReactNode;
}

/** Those that something is sent to, each with its state, and a button that sends a test. */
export function ReceiverTable({ label, what, children }: ReceiverTableProps) {
  const columns = [
    { title: "State" },
    { title: what },
    { title: "Events", isWide: true },
    { title: "Waiting", isWide: true, isRight: true },
    { title: "Actions", isRight: true },
  ];
  return (
    <DataTable label={label} columns={columns}>
      {children}
    </DataTable>
  );
}

interface ReceiverRowProps {
  state: { tone: Tone; word: string };
  name: string;
  /** Where the page about it is, if there is one. */
  href?: string;
  /** What kind it is, and where. */
  about: ReactNode;
  lastError: string | null;
  nextAttemptAt: string | null;
  events: readonly string[];
  waiting: number;
  test: { isPending: boolean; run: () => void; error: Error | null };
  mayTest: boolean;
}

export function ReceiverRow({ state, name, href, about, events, waiting, test, ...props }: ReceiverRowProps) {
  const { lastError, nextAttemptAt, mayTest } = props;
  return (
    <tr>
      <td>
        <Chip tone={state.tone}>{state.word}</Chip>
      </td>
      <td className={main}>
        {href === undefined ? name : <Link href={href}>{name}</Link>}
        <div className={muted}>{about}</div>
        <AttemptNotes lastError={lastError} nextAttemptAt={nextAttemptAt} />
        {test.error && <ProblemNotice error={test.error} />}
      </td>
      <td className={`${wide} ${muted}`}>{events.join(", ")}</td>
      <td className={`${wide} ${right} ${muted}`}>{waiting}</td>
      <td className={right}>{mayTest && <SendTest name={name} test={test} />}</td>
    </tr>
  );
}

interface SendTestProps {
  /** What it is sent to. */
  name: string;
  test: { isPending: boolean; run: () => void };
}

/** Sends a test to one of a list. */
function SendTest({ name, test }: SendTestProps) {
  return (
    <Button isSmall isPending={test.isPending} onPress={() => test.run()} aria-label={`Send test to ${name}`}>
      {test.isPending ? "Sending…" : "Send test"}
    </Button>
  );
}
