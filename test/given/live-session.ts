import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { waitFor } from "./server.ts";
import type { Run } from "./story.ts";

interface Message {
  id: string;
  text: string;
  turn: number;
  state: string;
  repeated?: boolean;
}

/** A server whose sessions take messages; in its first turn an agent does this, and later it says what it is asked. */
export async function liveSession(firstTurn: string) {
  const folder = temporaryFolder();
  const program = `
    import { existsSync } from "node:fs";
    import { createInterface } from "node:readline";
    const until = async (name) => {
      while (!existsSync(${JSON.stringify(folder)} + "/" + name)) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value).text;
    if (process.env.MILLRACE_TURN === "1") { ${firstTurn} }
    console.log("asked: " + await read());
    process.exit(0);`;
  const script = join(folderWith({ "agent.mjs": program }), "agent.mjs");
  const harnesses = { live: { command: [process.execPath, script], stdin: "messages" } };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const given = await serverWithAgent("", { args: ["--config", config] });
  const id = await given.start({ config: { harness: { type: "live" } } });
  const { story, server } = given;
  return {
    ...given,
    id,
    say: (message: string) => server.api<object>("POST", `/agent/runs/${id}/followups`, { message }),
    can: (name: string) => writeFileSync(join(folder, name), ""),
    has: (name: string) => existsSync(join(folder, name)),
    said: (text: string) => waitFor(async () => (await story.transcript(id)).includes(text)),
    async messages() {
      const { messages } = await server.api<{ messages: Message[] }>("GET", `/agent/runs/${id}/conversation`);
      return messages;
    },
    inTurn: (turn: number): Promise<Run> =>
      waitFor(async () => {
        const run = await story.run(id);
        const { length } = (await story.timeline(id)).filter(
          ({ event_type }) => event_type === "agent_started",
        );
        return length === turn && ["SUCCEEDED", "FAILED"].includes(run.state) ? run : undefined;
      }),
  };
}
