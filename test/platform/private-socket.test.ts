import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchangeFrames } from "../../src/platform/frames.ts";
import { connectPrivately, listenPrivately } from "../../src/platform/private-socket.ts";
import { onFinished } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";

/** A path of a folder that is longer than a socket's may be. */
function deepFolder(): string {
  const folder = join(temporaryFolder(), "a-folder-with-a-long-name".repeat(5), "another");
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.each([
  ["a folder", () => temporaryFolder()],
  ["a folder with a path longer than that of a socket may be", deepFolder],
])(
  "values go both ways over a socket in %s, in their order and however large they are",
  async (_, folderOf) => {
    const folder = folderOf();
    // What is left there of a process that has ended.
    writeFileSync(join(folder, "it.sock"), "");
    const server = await listenPrivately(folder, "it.sock", (socket) => {
      const answer = exchangeFrames(socket, (value) => answer({ heard: value }));
    });
    onFinished(() => void server.close());
    const socket = await connectPrivately(folder, "it.sock");
    if (!socket) throw new Error("nobody listens");
    const heard: unknown[] = [];
    const send = exchangeFrames(socket, (value) => heard.push(value));
    const bytes = Buffer.alloc(3_000_000, "x");
    const large = { bytes, map: new Map([["a", undefined]]) };
    send(1);
    send(large);
    send("last");
    while (heard.length < 3) await once(socket, "data");
    const [first, second, last] = heard as { heard: unknown }[];
    expect([first, last]).toEqual([{ heard: 1 }, { heard: "last" }]);
    const { bytes: came, map } = (second as { heard: typeof large }).heard;
    expect([bytes.equals(came), map]).toEqual([true, large.map]);
    socket.destroy();
  },
);

test("nobody connects where nobody listens", async () => {
  const folder = temporaryFolder();
  expect(await connectPrivately(folder, "it.sock")).toBeUndefined();
  writeFileSync(join(folder, "it.sock"), "");
  expect(await connectPrivately(folder, "it.sock")).toBeUndefined();
  expect(statSync(join(folder, "it.sock")).size).toBe(0);
});
