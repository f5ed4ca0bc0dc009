import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { Switcher } from "../../parts/switcher.tsx";
import { Conversation } from "./conversation.tsx";
import { FollowUp } from "./follow-up.tsx";
import styles from "./run-work.module.css";
import { Transcript } from "./transcript/transcript.tsx";

const VIEWS = [
  { value: "conversation", label: "Conversation" },
  { value: "transcript", label: "Transcript" },
] as const;

/** How a run came to its result: what was said and what its agent wrote, beside each other where there is room. */
export function RunWork({ run }: { run: Models["RunItem"] }) {
  const [view, setView] = useState<string>("conversation");
  return (
    <div className={styles.work}>
      <div className={styles.views}>
        <Switcher label="View" value={view} onChange={setView} options={VIEWS} />
      </div>
      <div className={view === "conversation" ? styles.chosen : styles.other}>
        <Conversation run={run} />
        {run.state !== "BLOCKED" && <FollowUp run={run} />}
      </div>
      <div className={view === "transcript" ? styles.chosen : styles.other}>
        <Transcript run={run} />
      </div>
    </div>
  );
}
