import type { Models } from "../../api/client.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Changes } from "../../parts/changes.tsx";
import { Chip } from "../../parts/chip.tsx";
import { counted } from "../../parts/counted.ts";
import { ProblemList } from "../../parts/problem-list.tsx";
import { RevisionMark } from "../../parts/revision-mark.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./revisions.module.css";

interface RevisionItemProps {
  revision: Models["Revision"];
  factory: Models["Factory"];
  /** Whether it is the attempt by which the factory is as it is: the same revision may have been applied before. */
  isInForce: boolean;
  /** Where its problems are listed already. */
  listedIn?: string;
  onRollBack: () => void;
}

/** One attempt to bring a revision into force: what it changed, or why it could not. */
export function RevisionItem(props: RevisionItemProps) {
  const { revision: item, factory, isInForce, listedIn, onRollBack } = props;
  const mayOperate = useMay("operator");
  const { revision, author, message, outcome, changes, problems, asked_by, is_in_force, at } = item;
  const errors = problems.filter(({ severity }) => severity === "error");
  const shown = listedIn === undefined ? errors : [];
  const lesser = problems.filter(({ severity }) => severity !== "error");
  const summary = [countText(changes), lesserText(lesser.length)].filter((text) => text !== "").join(", ");
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        <Chip tone={outcome === "failed" ? "red" : isInForce ? "green" : "grey"}>
          {outcome === "failed" ? "failed" : isInForce ? "active" : "applied"}
        </Chip>
        <RevisionMark source={factory.source} revision={revision} />
        <span className={styles.message}>{message?.split("\n")[0] ?? reasonText(asked_by.reason)}</span>
        <span className={styles.by}>
          {author ?? asked_by.principal?.display_name} <RelativeTime at={at} />
        </span>
        {mayOperate && outcome === "applied" && !is_in_force && (
          <Button isSmall onPress={onRollBack} aria-label={`Roll back to ${revision.slice(0, 10)}`}>
            Roll back
          </Button>
        )}
      </div>
      {summary !== "" && (
        <details>
          <summary className={styles.by}>{summary}</summary>
          <div className={styles.folded}>
            <Changes changes={changes} />
            {listedIn === undefined && (
              <ProblemList problems={lesser} factory={factory} revision={revision} />
            )}
          </div>
        </details>
      )}
      {listedIn !== undefined && errors.length > 0 && (
        <p className={styles.by}>
          {counted(errors.length, "error")}, {listedIn}.
        </p>
      )}
      {shown.length > 0 && <ProblemList problems={shown} factory={factory} revision={revision} />}
    </li>
  );
}

const REASONS: Readonly<Record<NonNullable<Models["AskedBy"]["reason"]>, string>> = {
  poll: "found by polling",
  change: "after a change in the folder",
  hook: "after a push",
  secret: "after a secret was set",
  start: "at server start",
  resume: "after a resume",
  sync: "by a manual sync",
  rollback: "by a rollback",
  edit: "edited in millrace",
};

function reasonText(reason: Models["AskedBy"]["reason"]): string {
  return reason === null ? "" : REASONS[reason];
}

function lesserText(count: number): string {
  return count === 0 ? "" : counted(count, "warning");
}

/** "2 created, 1 deleted" */
export function countText(changes: readonly { action: string }[]): string {
  const words = { create: "created", update: "updated", delete: "deleted" };
  return Object.entries(words)
    .map(([action, word]) => ({ word, count: changes.filter((change) => change.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(", ");
}
