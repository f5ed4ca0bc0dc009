import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { conversationQuery } from "../../api/run-queries.ts";
import { Section } from "../../parts/page.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { type Message, MessageList } from "../../parts/runs/message-list.tsx";
import { Switcher } from "../../parts/switcher.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
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

/** What was said in a run, oldest first. What stands at the top of the page, the open question and the answer, is not repeated. */
function Conversation({ run }: { run: Models["RunItem"] }) {
  const query = useQuery(conversationQuery(run.run_id));
  return (
    <Section title="Conversation">
      <Loaded query={query}>
        {(messages) => <MessageList messages={messages} above={shownAbove(run, messages)} />}
      </Loaded>
    </Section>
  );
}

/** The message that the top of the page shows already. */
function shownAbove(run: Models["RunItem"], messages: readonly Message[]): Message | undefined {
  if (run.state === "BLOCKED") return messages.findLast(({ kind }) => kind === "question");
  if (!hasEnded(run.state)) return undefined;
  return messages.findLast(
    ({ role, kind, text }) => role === "agent" && kind === "answer" && text === run.answer,
  );
}
