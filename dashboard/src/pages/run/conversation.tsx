import { useQuery } from "@tanstack/react-query";
import type { Run } from "../../api/models.ts";
import { conversationQuery } from "../../api/run-queries.ts";
import { Section } from "../../parts/page.tsx";
import { MessageList } from "../../parts/runs/message-list.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { FollowUp } from "./follow-up.tsx";

/** What was said in a run, oldest first, and the box for what is said next. */
export function Conversation({ run }: { run: Run }) {
  const query = useQuery(conversationQuery(run.run_id));
  return (
    <>
      <Section title="Conversation">
        <Loaded query={query}>{(messages) => <MessageList messages={messages} />}</Loaded>
      </Section>
      <FollowUp run={run} />
    </>
  );
}
