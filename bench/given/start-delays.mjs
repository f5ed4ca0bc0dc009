import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN } from "./gate.mjs";
import { scratchFolder } from "./measure.mjs";

/**
 * The folder with the agent that leaves the time of its first instruction, and the command that starts it. It stays where its
 * prompt says "Wait.".
 */
export function markingAgent() {
  const folder = scratchFolder("scripts");
  chmodSync(folder, 0o755);
  const script = join(folder, "agent.sh");
  writeFileSync(
    script,
    'echo "$EPOCHREALTIME" > mark\ncase "$(<"$MILLRACE_PROMPT_FILE")" in *Wait.*) exec sleep 86400 ;; esac\n',
  );
  return { folder, command: `bash ${script}` };
}

let sent = 0;

/**
 * Deliveries one after the other, each of which starts a run of the marking agent.
 * @param url the webhook
 * @param workspaces where its runs execute
 * @returns from the answer 202 until the first instruction of the agent, in ms, sorted
 */
export async function startDelays(server, { url, workspaces, count }) {
  const delays = [];
  for (let n = 0; n < count; n += 1) {
    sent += 1;
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ go: true, n: `${process.pid}-${sent}` }),
    });
    const at = Date.now();
    if (answer.status !== 202) throw new Error(`the delivery was answered ${answer.status}`);
    const { delivery_id } = await answer.json();
    const { run_ids } = await server.api("GET", `/factories/bench/deliveries/${delivery_id}`);
    const { state } = await server.api("GET", `/agent/runs/${run_ids[0]}?wait=30s`);
    if (state !== "SUCCEEDED") throw new Error(`run ${run_ids[0]} is ${state}`);
    const mark = Number(readFileSync(join(workspaces, run_ids[0], "mark"), "utf8"));
    // An agent can be there before the answer has reached its client.
    delays.push(Math.max(0, mark * 1_000 - at));
  }
  return delays.sort((a, b) => a - b);
}

/** The delay that a part of the sorted delays does not exceed. */
export const quantile = (delays, part) =>
  delays[Math.min(delays.length - 1, Math.floor(delays.length * part))];
