// Workers as far as the protocol goes: each has a claim and a beat open all the time, and never gets a turn. One process plays
// them all. Usage: node protocol-clients.mjs SERVER, with a token per line on standard input. Prints "listening SERVER" when each has been answered once.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DOOR_PATH, PROTOCOL } from "../../dist/workers/protocol/messages.js";

const [server] = process.argv.slice(2);
const tokens = readFileSync(0, "utf8").trim().split("\n");
const FACTS = {
  labels: ["bench"],
  version: "0.0.0",
  platform: { os: "linux", arch: "x86_64" },
  shape: { vcpus: 4, memoryGb: 16 },
  sandbox: "none",
  concurrency: 4,
  executing: 0,
};

let answered = 0;
for (const [index, token] of tokens.entries()) {
  const process = `client-${index}`;
  const ask = async (name, request) => {
    const answer = await fetch(`${server}/api/v1${DOOR_PATH}/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ protocol: PROTOCOL, process, facts: FACTS, ...request }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${name} was answered ${answer.status}: ${text}`);
  };
  void keep(async (n) => {
    await ask("beat", { turns: [], isDraining: false, waitMs: n === 0 ? 0 : 10_000 });
    if (n > 0) return;
    answered += 1;
    if (answered === tokens.length) console.log(`listening ${server}`);
  });
  void keep((n) => ask("claim", { claim: `${index}-${n}`, free: 4, waitMs: 25_000 }));
}

/** Does something again and again, a little apart, as workers do. */
async function keep(doOnce) {
  for (let n = 0; ; n += 1) {
    await doOnce(n);
    await sleep(100);
  }
}
