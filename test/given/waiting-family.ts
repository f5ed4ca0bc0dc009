import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Models } from "../../src/client/typed-paths.ts";
import { serverWithAgent } from "./agent.ts";
import { temporaryFolder } from "./folder.ts";
import { waitFor } from "./server.ts";

/**
 * As a parent it waits for its children once the file `start` is there, with the request in the file `wait`, and exits with
 * the code in it; told more, it repeats that. As a child it says its prompt once the file with its name is there.
 */
export const waitingAgent = (folder: string) => `
  import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8").trim();
  const file = (name) => ${JSON.stringify(folder)} + "/" + name;
  const until = async (name) => { while (!existsSync(file(name))) await new Promise((r) => setTimeout(r, 20)); };
  const { MILLRACE_TURN: turn, MILLRACE_RUN_ID: id, MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  if (turn !== "1") console.log("turn " + turn + " read " + prompt);
  else if (!prompt.includes("Parent.")) {
    const name = prompt.split(/\\s/).at(-1);
    await until(name);
    console.log("answer of " + name);
  } else {
    await until("start");
    const { code = 0, ...body } = JSON.parse(readFileSync(file("start"), "utf8"));
    const response = await fetch(url + "/api/v1/agent/runs/" + id + "/wait", {
      method: "POST",
      headers: { authorization: "Bearer " + token, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    writeFileSync(file("answer"), await response.text());
    renameSync(file("answer"), file("waited"));
    await until("exit");
    process.exit(code);
  }`;

/** A server that executes one run at once, and a parent at work with children that wait for it to end. */
export async function aWaitingFamily(
  names: readonly string[],
  { atOnce = 1, sharesProcess = true, env: more = {} as Record<string, string> } = {},
) {
  const folder = temporaryFolder();
  const env = { MILLRACE_RUN_CONCURRENCY: String(atOnce), ...more };
  const given = await serverWithAgent(waitingAgent(folder), { env, sharesProcess });
  const { server, story } = given;
  const parent = await given.start({ prompt: "Parent." });
  await waitFor(async () => (await story.run(parent)).state === "INPROGRESS");
  const children: string[] = [];
  for (const name of names)
    children.push(await given.start({ prompt: `Child ${name}`, title: name, parent_run_id: parent }));
  /** The agent looks all the time, and must not find a part. */
  const touch = (name: string, content = "") => {
    writeFileSync(join(folder, `${name}.part`), content);
    renameSync(join(folder, `${name}.part`), join(folder, name));
  };
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
  return {
    ...given,
    folder,
    parent,
    children,
    touch,
    /** Has the parent wait. @returns what it was answered */
    async wait(body: object = {}): Promise<Models["WaitResponse"]> {
      touch("start", JSON.stringify(body));
      return JSON.parse(await waitFor(() => read("waited") || undefined));
    },
    resting: () =>
      waitFor(async () => {
        const run = await story.run(parent);
        return run.state === "INPROGRESS" && run.is_sandbox_running === false ? run : undefined;
      }),
    types: async (id: string) => (await story.timeline(id)).map(({ event_type }) => event_type),
    message: (id: string, message: string) =>
      server.api<{ outcome: string }>("POST", `/agent/runs/${id}/followups`, { message }),
  };
}

/** Processes of a run, by the environment that they were started with. */
export function processesOf(runId: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`MILLRACE_RUN_ID=${runId}`)
      );
    } catch {
      return false;
    }
  });
}
