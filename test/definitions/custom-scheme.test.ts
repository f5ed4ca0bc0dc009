import { expect, test } from "vitest";
import { FACTORY, load } from "../given/definition.ts";

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
    "7: signed lists the timestamp: say under timestamp which header or entry holds it",
  ],
  [
    "    signed: [timestamp, body]\n    timestamp: { body: [time] }\n",
    "7: signed lists the timestamp: say under timestamp which header or entry holds it",
  ],
  [
    "    timestamp: { header: X-Time }\n",
    "7: a timestamp that is not signed proves nothing: list timestamp under signed",
  ],
  [
    "    signed: [timestamp, { text: . }, body]\n    timestamp: { entry: t= }\n",
    "8: an entry of the signature header needs a separator between entries",
  ],
  [
    "    deliveryId: { header: Authorization }\n",
    '7: "Authorization" carries a credential: an id that is taken from it would be stored and shown',
  ],
  [
    "    deliveryId: { header: x-sig }\n",
    '7: "x-sig" carries a credential: an id that is taken from it would be stored and shown',
  ],
  [
    "    signed: [{ header: X-Id }, body]\n",
    "7: a header that is signed needs a text behind it that tells where it ends, for example { text: . }",
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
