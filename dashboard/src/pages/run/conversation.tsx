import { useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { conversationQuery } from "../../api/run-queries.ts";
import { Section } from "../../parts/page.tsx";
import { hasEnded } from "../../parts/runs/has-ended.ts";
import { type Message, MessageList } from "../../parts/runs/message-list.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";

/** What was said in a run, oldest first. What stands at the top of the page, the open question and the answer, is not repeated. */
export function Conversation({ run }: { run: Models["RunItem"] }) {
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
