import { expect, test } from "vitest";
import { conversationSoFar, type StoredMessage } from "../../../src/runs/rules/conversation.ts";

const BY = { uid: "ann", type: "user" as const, displayName: "Ann" };
const message = (n: number, changes: Partial<StoredMessage> = {}): StoredMessage => ({
  ...{ id: String(n).padStart(5, "0"), kind: "message", turn: 1, at: "", creator: BY, fromRun: null },
  ...{ text: `message ${n}`, isGiven: true, isRepeated: false },
  ...changes,
});
const conversation = (
  messages: StoredMessage[],
  { prompt = "Do it.", turn = 2, mask = (text: string) => text } = {},
) =>
  conversationSoFar(
    { prompt, turn },
    async ({ after = "", limit }) => ({ messages: messages.filter(({ id }) => id > after).slice(0, limit) }),
    mask,
  );

test("a conversation has the request and what was said in earlier turns, each line quoted", async () => {
  const text = await conversation([
    message(1, { kind: "question", creator: null, text: "Which\r\none?\u2028Now?" }),
    message(2, { kind: "answer" }),
    message(3, { turn: 2, text: "of this turn" }),
    message(4, { turn: null, text: "of no turn yet" }),
  ]);
  expect(text.split("\n\n").slice(1)).toEqual([
    "> Request:\n> Do it.",
    "> Turn 1, question of the agent:\n> Which\n> one?\n> Now?",
    "> Turn 1, answer to the agent:\n> message 2",
  ]);
});

test("a long conversation keeps the request and the last messages, and says what it leaves out", async () => {
  const said = Array.from({ length: 2_500 }, (_, n) => message(n, { text: `${n} ${"é".repeat(500)}` }));
  const text = await conversation(said, { prompt: `Start ${"x".repeat(100_000)}` });
  expect(Buffer.byteLength(text)).toBeLessThan(70_000);
  expect(text).toContain("> Request:\n> Start x");
  expect(text).toMatch(/> \(\d+ characters left out\)/);
  const shown = text.match(/^> Turn 1, /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(40);
  expect(text).toContain(`\n> (${2_500 - shown} earlier messages left out)\n`);
  expect(text).toContain("> 2499 é");
  expect(text).not.toContain("> 1 é");
});

test.each(["\n", "\u{1F600}", "é"])("a conversation of %j alone stays small", async (character) => {
  const long = character.repeat(1_000_000);
  const said = [1, 2, 3].map((n) => message(n, { text: `.${long}.` }));
  const text = await conversation(said, { prompt: `.${long}.` });
  expect(Buffer.byteLength(text)).toBeLessThan(128 * 1024);
  expect(Buffer.from(text).toString()).toBe(text);
});

test("what must not be shown is hidden, also where a text is cut", async () => {
  const mask = (text: string) => text.replaceAll("secret", "*");
  const text = await conversation([message(1, { text: `${"x".repeat(8_190)}secret` })], {
    prompt: "a secret",
    mask,
  });
  expect(text).not.toContain("sec");
});
