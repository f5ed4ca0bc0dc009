import type { Millrace, Models } from "../../client/client.ts";
import { ago, print } from "../output.ts";

/** Prints what was said in a run, oldest first, one message as it comes: a conversation can be long. */
export async function printConversation(client: Millrace, runId: string): Promise<void> {
  for await (const message of client.runs.conversation(runId, { limit: 100 })) {
    print("");
    print(headOf(message));
    for (const line of message.text.split("\n")) print(line === "" ? "" : `  ${line}`);
  }
}

/** Who says what kind of thing, when, and what has become of it. */
function headOf({ author, kind, turn, time, state, repeated }: Models["RunMessage"]): string {
  const facts = [
    `turn ${turn}`,
    ago(time),
    ...(state === "given" ? [] : [STATES[state]]),
    ...(repeated ? ["repeated: an earlier turn may have read it"] : []),
  ];
  return `${author.name}, ${kind} (${facts.join(", ")}):`;
}

const STATES = {
  waiting: "waiting: the agent does not have it yet",
  withdrawn: "withdrawn: the run was cancelled first",
} as const;
