import type { ReactNode } from "react";
import { Chip } from "../chip.tsx";
import { Copyable } from "../text/copyable.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import styles from "./cells.module.css";
import { main, muted, right, roomy, wide } from "./data-table.tsx";

/** What a row is about, with what is said of it on lines of their own. It takes the room that the other cells leave. */
export function NameCell({
  name,
  notes = [],
}: {
  name: ReactNode;
  notes?: readonly (string | null | undefined)[];
}) {
  return (
    <td className={main}>
      {name}
      {notes.map(
        (note) =>
          note && (
            <div key={note} className={muted}>
              {note}
            </div>
          ),
      )}
    </td>
  );
}

/** Something that a phone has no room for. */
export function WideCell({ children }: { children: ReactNode }) {
  return <td className={`${wide} ${roomy} ${muted}`}>{children}</td>;
}

/** The uid of a thing, to be copied. */
export function UidCell({ uid }: { uid: string }) {
  return (
    <WideCell>
      <Copyable text={uid} what="the UID" />
    </WideCell>
  );
}

/** When something was or will be, at the right; a word instead where it has no time. */
export function TimeCell(props: { at: string | null | undefined; otherwise?: string; isWide?: boolean }) {
  const { at, otherwise = "never", isWide = false } = props;
  return (
    <td className={`${isWide ? wide : ""} ${right} ${muted}`}>{at ? <RelativeTime at={at} /> : otherwise}</td>
  );
}

/** What can be done with the thing of a row. */
export function ActionCell({ children }: { children: ReactNode }) {
  return (
    <td className={right}>
      <span className={styles.actions}>{children}</span>
    </td>
  );
}

/** Whether a thing is switched on. */
export function EnabledChip({ enabled, off = "Disabled" }: { enabled: boolean; off?: string }) {
  return <Chip tone={enabled ? "green" : "grey"}>{enabled ? "Enabled" : off}</Chip>;
}
