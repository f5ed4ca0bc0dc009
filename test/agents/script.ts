import { conversationOf } from "./conversation.ts";
import { type AskedModel, type ModelAnswer, plainName, toolsOf } from "./scripted-model.ts";

/** Every tool of the server that a run can have, in alphabetical order. */
export const OWN_TOOLS = [
  "answer",
  "ask_person",
  "cancel_agent",
  "fetch",
  "list_agents",
  "message_agent",
  "move_task",
  "note",
  "read_delivery",
  "report",
  "start_agent",
  "wait_for",
];

/** What a model does in a session, one thing after the other; it gets what follows on each. */
export type Script = () => Generator<ModelAnswer, void, string>;

/** A call of one of the server's own tools. */
export function use(name: string, input: object = {}): ModelAnswer {
  return { tool: `_millrace_${name}`, input };
}

/** Words, which end the turn. */
export const say = (text: string): ModelAnswer => ({ text });

/** The run that a call of start_agent has started. */
export const startedRun = (result: string): string => /Started run (\S+) of/.exec(result)?.[1] ?? "";

/** The names of the server's own tools that a program offers its model. */
export function ownToolsOf(asked: AskedModel): string[] {
  const names = toolsOf(asked).map(plainName);
  return names.flatMap((name) => name.split("_millrace_")[1] ?? []).sort();
}

/**
 * A model that plays a script. It begins at the top for each request, with what has followed on each thing that it has said, so
 * that it does not matter how often it is asked. What a program asks besides, such as a title, comes without the tools.
 */
export function playing(choose: (beginning: string) => Script) {
  return (asked: AskedModel): ModelAnswer => {
    if (ownToolsOf(asked).length === 0) return { text: "A title" };
    const { beginning, outcomes } = conversationOf(asked);
    const script = choose(beginning)();
    let next = script.next();
    for (const outcome of outcomes) next = script.next(outcome);
    return next.value ?? { text: "There is nothing left to do." };
  };
}
