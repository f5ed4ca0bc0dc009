import { useQuery } from "@tanstack/react-query";
import type { Models } from "../../api/client.ts";
import { conversationQuery } from "../../api/run-queries.ts";
import { Chip } from "../../parts/chip.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { ScrollText } from "../../parts/scroll-text.tsx";
import styles from "./conversation.module.css";

type Message = Models["RunMessage"];

/** Longer texts scroll by themselves, so that the next message stays in reach. In characters. */
const LONG = 2_000;

/** What was said in a run, oldest first. The open question is last, with the box for its answer below it. */
export function Conversation({ run }: { run: Models["RunItem"] }) {
  const query = useQuery(conversationQuery(run.run_id));
  return (
    <Section title="Conversation">
      <Loaded query={query}>
        {(messages) => {
          const open = run.state === "BLOCKED" && messages.findLast(({ kind }) => kind === "question");
          return (
            <ol className={styles.messages}>
              {messages.map((message) => (
                <li key={message.id} className={message === open ? styles.open : styles[message.role]}>
                  <MessageHead message={message} isOpen={message === open} />
                  <MessageText message={message} />
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
    </Section>
  );
}

function MessageHead({ message, isOpen }: { message: Message; isOpen: boolean }) {
  const { author, kind, turn, time, state } = message;
  return (
    <div className={styles.head}>
      <strong>{isOpen ? "Question from the agent" : author.name}</strong>
      {!isOpen && <span>{KINDS[kind]}</span>}
      {turn > 1 && <span>turn {turn}</span>}
      <RelativeTime at={time} />
      {state !== "given" && <Chip tone="grey">{STATES[state]}</Chip>}
    </div>
  );
}

function MessageText({ message: { text, kind } }: { message: Message }) {
  if (text.length > LONG) return <ScrollText label={`${KINDS[kind]} text`} text={text} />;
  return <p className={styles.text}>{text}</p>;
}

const KINDS: Readonly<Record<Message["kind"], string>> = {
  prompt: "Prompt",
  message: "Message",
  question: "Question",
  answer: "Answer",
  report: "Report",
};

const STATES = { waiting: "Waiting for the agent", withdrawn: "Withdrawn" } as const;
