import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type Relay, relayKeeper } from "../../../src/executor/network/proxy/relay.ts";
import { findProgram } from "../../../src/executor/sandbox/find-program.ts";
import { connectPrivately, listenPrivately } from "../../../src/platform/private-socket.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

/** A keeper of relays, whose program can be taken away. */
async function keeper() {
  const folder = temporaryFolder();
  const socat = join(temporaryFolder(), "socat");
  symlinkSync((await findProgram("socat")) ?? "", socat);
  const takeRelay = relayKeeper();
  const taken: Relay[] = [];
  onTestFinished(() => {
    for (const relay of taken) relay.close();
  });
  const take = async () => {
    const relay = await takeRelay({ socat, folder });
    taken.push(relay);
    return relay;
  };
  const listening = () => readdirSync(folder).filter((name) => !name.endsWith(".to.sock"));
  return { folder, socat, take, listening };
}

/** The processes of a relay: each names its socket. */
const processesOf = ({ from }: { from: string }) =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`./${from},`));

/** Whether a process leads a group. */
function leads(pid: string): boolean {
  try {
    return process.kill(-Number(pid), 0);
  } catch {
    return false;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test.runIf(process.platform === "linux")("relays listen before they are needed", async () => {
  const { folder, socat, take, listening } = await keeper();
  const first = await take();
  await waitFor(() => listening().length === 3 || undefined);
  const [one = "", two = ""] = listening().filter((name) => name !== first.from);
  await waitFor(async () => (await connects(folder, one)) && (await connects(folder, two)));
  // From here on, none can be started.
  rmSync(socat);
  const others = [await take(), await take()];
  expect(others.map(({ from }) => from).sort()).toEqual([one, two].sort());
  await expect(take()).rejects.toThrow("socat does not pass connections on");
  for (const relay of [first, ...others]) {
    const name = `shown-${relay.from}`;
    renameSync(join(folder, relay.from), join(folder, name));
    expect(await answerThrough(folder, relay, name)).toBe("answer");
    relay.close();
    await waitFor(() => processesOf(relay).length === 0 || undefined);
    expect(existsSync(join(folder, relay.to))).toBe(false);
  }
});

test.runIf(process.platform === "linux")("a relay that has ended while it waited is not taken", async () => {
  const { folder, take, listening } = await keeper();
  const first = await take();
  await waitFor(() => listening().length === 3 || undefined);
  const waiting = listening().filter((name) => name !== first.from);
  for (const from of waiting) {
    await waitFor(() => connects(folder, from));
    const leader = processesOf({ from }).find(leads);
    process.kill(-Number(leader), "SIGKILL");
    // Not before this process has heard of it.
    await waitFor(() => !existsSync(`/proc/${leader}`) || undefined);
  }
  const next = await take();
  expect(waiting).not.toContain(next.from);
  expect(await answerThrough(folder, next, next.from)).toBe("answer");
});

async function connects(folder: string, name: string): Promise<true | undefined> {
  const socket = await connectPrivately(folder, name);
  socket?.destroy();
  return socket && true;
}

/** What a program hears that connects to a relay whose other side answers. */
async function answerThrough(folder: string, { to }: Relay, name: string): Promise<string> {
  const server = await listenPrivately(folder, to, (client: Socket) => void client.end("answer"));
  try {
    const socket = await connectPrivately(folder, name);
    if (!socket) throw new Error(`nobody listens at ${name}`);
    return await text(socket);
  } finally {
    server.close();
  }
}
