import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import styles from "./explanation.module.css";

/** What a delivery did with the run that is named next. */
const WORDS: Readonly<Record<Models["Disposition"]["kind"], string>> = {
  started: "The delivery started run",
  waiting: "The delivery started a run that waits:",
  joined: "The delivery joined run",
  continued: "The delivery continued run",
  replaced: "The delivery replaced earlier runs with run",
};

/** What a delivery did for an automation when it came, and why. */
export function Disposition({ of }: { of: Models["Disposition"] }) {
  const { kind, run_id, reason, replaced_run_ids: replaced } = of;
  return (
    <div className={styles.reason}>
      <p>
        {WORDS[kind]} <RunLink id={run_id} />
      </p>
      {replaced.map((id) => (
        <p key={id}>
          Replaced: <RunLink id={id} />
        </p>
      ))}
      <p className={styles.off}>{reason}</p>
    </div>
  );
}

function RunLink({ id }: { id: string }) {
  return <Link href={`/runs/${id}`}>{id}</Link>;
}
