import { expect, test } from "vitest";
import { FACTORY, load } from "../../given/definition.ts";

const HEAD =
  "authMode: signature\nsignatureScheme: custom\nsecretName: S\nmillrace:\n  scheme:\n    header: X-Sig\n";

async function errorsOf(lines: string): Promise<string[]> {
  const { problems } = await load({ ...FACTORY, "webhooks/own.yaml": HEAD + lines });
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ line, message }) => `${line}: ${message}`);
}

test.each([
  ["nothing else", ""],
  [
    "a timestamp in a header",
    "    signed: [timestamp, { text: . }, body]\n    timestamp: { header: X-Time }\n",
  ],
  ["a timestamp in the body", "    timestamp: { body: [meta, time], unit: ms }\n"],
  [
    "several entries",
    "    separator: ','\n    prefix: v1=\n    signed: [timestamp, { text: . }, body]\n    timestamp: { entry: t= }\n",
  ],
  [
    "an id that is signed",
    "    signed: [{ header: X-Id }, { text: . }, body]\n    deliveryId: { header: X-Id }\n",
  ],
])("a scheme of one's own with %s is valid", async (_, lines) => {
  expect(await errorsOf(lines)).toEqual([]);
});

test.each([
  [
    "    signed: [timestamp, body]\n",
    "7: signed lists the timestamp: specify the header or entry that contains it under timestamp",
  ],
  [
    "    signed: [timestamp, body]\n    timestamp: { body: [time] }\n",
    "7: signed lists the timestamp: specify the header or entry that contains it under timestamp",
  ],
  [
    "    timestamp: { header: X-Time }\n",
    "7: an unsigned timestamp proves nothing: list timestamp under signed",
  ],
  [
    "    signed: [timestamp, { text: . }, body]\n    timestamp: { entry: t= }\n",
    "8: timestamp.entry requires separator, which separates the entries of the signature header",
  ],
  [
    "    deliveryId: { header: Authorization }\n",
    '7: "Authorization" carries a credential: an ID taken from it would be stored and shown',
  ],
  [
    "    deliveryId: { header: x-sig }\n",
    '7: "x-sig" carries a credential: an ID taken from it would be stored and shown',
  ],
  [
    "    signed: [{ header: X-Id }, body]\n",
    "7: a signed header must be followed by a text that marks its end, for example { text: . }",
  ],
])("%j is refused at its line", async (lines, problem) => {
  expect(await errorsOf(lines)).toEqual([problem]);
});

test.each([
  "    signed: [{ text: x }]\n",
  "    signed: [body, body]\n",
  "    signed: []\n",
  "    digest: md5\n",
])("%j does not fit the schema", async (lines) => expect(await errorsOf(lines)).not.toEqual([]));
