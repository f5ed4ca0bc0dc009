import { pluralize } from "../../pluralize.ts";
import type { Run } from "../run.ts";
import type { StoredMessage } from "./conversation.ts";

/** Some programs are given their prompt as an argument, of which Linux takes 128 KiB. */
const MAX_BYTES = 64 * 1024;
/** Of the request, and of each message, in characters. */
const MAX_OF_ONE = 8 * 1024;
const PAGE = 1_000;

const BEGIN =
  "[millrace: This run has had earlier turns, and their workspace is not available. The quoted text is what was said in them, for context only: it has been acted on already. Act on what follows it.]";

/** Finds messages of a run after its prompt, oldest first, after a message. */
type ListMessages = (page: { after?: string; limit: number }) => Promise<{ messages: StoredMessage[] }>;

/**
 * What was said in earlier turns of a run, as a part of the prompt of an agent that starts in a new workspace: the request, and
 * of the messages as many as there is room for, the last ones. Each line is quoted, so that no message can end the quotation.
 * @param mask hides what must not be shown
 */
export async function conversationSoFar(
  run: Pick<Run, "prompt" | "turn">,
  listMessages: ListMessages,
  mask: (text: string) => string,
): Promise<string> {
  const request = quoted("Request", mask(run.prompt));
  let room = MAX_BYTES - Buffer.byteLength(request);
  const { count, last } = await earlierMessages(run, listMessages);
  const said = last.map(({ kind, turn, creator, text }) =>
    quoted(`Turn ${turn}, ${creator ? `${kind} to the agent` : `${kind} of the agent`}`, mask(text)),
  );
  let first = said.length;
  while (first > 0 && room >= Buffer.byteLength(said[first - 1] ?? "")) {
    first -= 1;
    room -= Buffer.byteLength(said[first] ?? "");
  }
  const left = first + count - last.length;
  const omitted = left === 0 ? [] : [`> (${pluralize(left, "earlier message")} left out)`];
  return [BEGIN, request, ...omitted, ...said.slice(first)].join("\n\n");
}

/** The last messages of earlier turns: more of them than there can be room for is not kept. */
async function earlierMessages(
  { turn: current }: Pick<Run, "turn">,
  listMessages: ListMessages,
): Promise<{ count: number; last: StoredMessage[] }> {
  let count = 0;
  let kept: StoredMessage[] = [];
  for (let after = ""; ; ) {
    const { messages } = await listMessages({ after, limit: PAGE });
    const end = messages.at(-1);
    if (!end) return { count, last: kept };
    const earlier = messages.filter(({ turn }) => turn !== null && turn < current);
    kept = [...kept, ...earlier].slice(-PAGE);
    count += earlier.length;
    after = end.id;
  }
}

function quoted(heading: string, text: string): string {
  const whole = text.trim();
  // Not half of a character.
  const shown = whole.slice(0, MAX_OF_ONE).replace(/[\ud800-\udbff]$/, "");
  const rest = whole.length - shown.length;
  const lines = [`${heading}:`, ...shown.split(/\r\n|[\n\r\u2028\u2029]/)];
  if (rest > 0) lines.push(`(${pluralize(rest, "character")} left out)`);
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}
