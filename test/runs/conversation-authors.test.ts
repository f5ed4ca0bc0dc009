import { expect, test } from "vitest";
import { runMessage } from "../../src/runs/rules/conversation.ts";

type ConversationRun = Parameters<typeof runMessage>[1];

const ADA = { uid: "p", type: "user", displayName: "Ada" } as const;
const SAID = {
  id: "m",
  kind: "answer",
  turn: 1,
  at: "",
  creator: null,
  fromRun: null,
  text: "Done.",
  isGiven: true,
  isRepeated: false,
} as const;

function authorIn(harness: string, of: Partial<ConversationRun> = {}) {
  const run = {
    factoryUid: null,
    agentUid: null,
    creator: ADA,
    executor: ADA,
    turn: 1,
    execution: { harness: { type: harness } },
    ...of,
  } as ConversationRun;
  return runMessage(SAID, run).author;
}

test("what an agent says is by the agent of the run, or else by its harness, never by the person who asked", () => {
  const boss = { uid: "b", type: "service_account", displayName: "boss" } as const;
  expect(authorIn("claude", { agentUid: "b", executor: boss })).toEqual({ type: "agent", name: "boss" });
  expect(authorIn("claude", { factoryUid: "f", executor: boss })).toEqual({ type: "agent", name: "boss" });
  expect(authorIn("claude")).toEqual({ type: "agent", name: "claude" });
  expect(authorIn("oz")).toEqual({ type: "agent", name: "agent" });
});
