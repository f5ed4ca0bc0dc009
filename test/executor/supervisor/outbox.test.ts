import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOutbox, openSpool } from "../../../src/executor/supervisor/outbox.ts";
import type { OutputPiece } from "../../../src/runs/output/transcript.ts";
import { onFinished } from "../../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

const KIB = 1024;

const piece = (n: number, bytes = 100 * KIB): OutputPiece[] => [
  { stream: "stdout", at: "2026-01-01T00:00:00Z", bytes: Buffer.alloc(bytes, String(n)) },
];

const numbers = (sent: readonly (readonly OutputPiece[])[]) =>
  sent.map((pieces) => Number(Buffer.from(pieces[0]?.bytes ?? []).toString("utf8", 0, 1)));

function aSpool(folder = join(temporaryFolder(), "spool"), maxBytes?: number) {
  const spool = openSpool(folder, maxBytes);
  onFinished(spool.close);
  return spool;
}

test("what nobody keeps waits on the disk, and comes once and in order when the first is kept", () => {
  const sent: (readonly OutputPiece[])[] = [];
  const folder = join(temporaryFolder(), "spool");
  const outbox = createOutbox((pieces) => sent.push(pieces), aSpool(folder));
  for (let n = 0; n < 10; n += 1) outbox.push(piece(n));
  expect(numbers(sent)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(readdirSync(folder)).toEqual([]);
  outbox.sendAgain();
  expect(numbers(sent.splice(6))).toEqual([0, 1, 2, 3, 4, 5]);
  let isAllSent = false;
  outbox.whenSent(() => {
    isAllSent = true;
  });
  for (let n = 0; n < 3; n += 1) outbox.kept();
  expect([numbers(sent), isAllSent]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], false]);
  outbox.kept();
  expect([numbers(sent).at(-1), isAllSent]).toEqual([9, true]);
});

test("a program is behind when its spool is full, and no more when that has been read", () => {
  const outbox = createOutbox(() => {}, aSpool(undefined, 250 * KIB));
  for (let n = 0; n < 8; n += 1) outbox.push(piece(n));
  expect(outbox.isBehind()).toBe(false);
  outbox.push(piece(8));
  expect(outbox.isBehind()).toBe(true);
  for (let n = 0; n < 4; n += 1) outbox.kept();
  expect(outbox.isBehind()).toBe(false);
});

test("where nothing can be written to the disk, a program waits, and its output keeps its order", () => {
  const sent: (readonly OutputPiece[])[] = [];
  const isFile = join(folderWith({ file: "" }), "file");
  const outbox = createOutbox((pieces) => sent.push(pieces), aSpool(join(isFile, "spool")));
  for (let n = 0; n < 8; n += 1) outbox.push(piece(n));
  expect(outbox.isBehind()).toBe(true);
  for (let n = 0; n < 8; n += 1) outbox.kept();
  expect(numbers(sent)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(outbox.isBehind()).toBe(false);
});

test("without a spool, everything is sent at once, and a program waits for what is not kept", () => {
  const sent: (readonly OutputPiece[])[] = [];
  const outbox = createOutbox((pieces) => sent.push(pieces));
  for (let n = 0; n < 6; n += 1) outbox.push(piece(n));
  expect([sent.length, outbox.isBehind()]).toEqual([6, true]);
  outbox.kept();
  expect(outbox.isBehind()).toBe(false);
});
