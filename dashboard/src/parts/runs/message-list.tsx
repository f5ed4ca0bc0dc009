import type { ReactNode } from "react";
import type { Models } from "../../api/models.ts";
import { Chip } from "../chip.tsx";
import { Markdown } from "../text/markdown.tsx";
import { ScrollText } from "../text/scroll-text.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import styles from "./message-list.module.css";

export type Message = Models["RunMessage"];

/** Longer texts scroll by themselves, so that the next message stays in reach. In characters. */
const LONG = 2_000;

interface MessageListProps<Each extends Message> {
  messages: readonly Each[];
  /** The one that the page shows elsewhere. */
  above?: Each | undefined;
  /** What else is known of a message, after its author. */
  about?: (message: Each) => ReactNode;
}

/** What was said, oldest first. */
export function MessageList<Each extends Message>({ messages, above, about }: MessageListProps<Each>) {
  return (
    <ol className={styles.messages}>
      {messages.map((message) => (
        <li key={message.id} className={message === above ? styles.above : styles[message.role]}>
          <MessageHead message={message} about={about?.(message)} />
          {message === above ? (
            <p className={styles.hint}>Shown above.</p>
          ) : (
            <MessageText message={message} />
          )}
        </li>
      ))}
    </ol>
  );
}

function MessageHead({ message, about }: { message: Message; about: ReactNode }) {
  const { author, kind, turn, time, state } = message;
  return (
    <div className={styles.head}>
      <strong>{author.name}</strong>
      <span>{KINDS[kind]}</span>
      {turn > 1 && <span>turn {turn}</span>}
      {about}
      <RelativeTime at={time} />
      {state !== "given" && <Chip tone="grey">{STATES[state]}</Chip>}
    </div>
  );
}

/** An agent writes Markdown; what people and programs send is shown as they wrote it. */
function MessageText({ message: { text, kind, role, choices = [] } }: { message: Message }) {
  if (text.length > LONG) return <ScrollText label={`${KINDS[kind]} text`} text={text} />;
  if (role === "user") return <p className={styles.text}>{text}</p>;
  return (
    <>
      <Markdown text={text} />
      {choices.length > 0 && <p className={styles.hint}>Choices: {choices.join(" · ")}</p>}
    </>
  );
}

const KINDS: Readonly<Record<Message["kind"], string>> = {
  prompt: "Prompt",
  message: "Message",
  question: "Question",
  answer: "Answer",
  report: "Report",
};

const STATES = { waiting: "Waiting for the agent", withdrawn: "Withdrawn" } as const;
