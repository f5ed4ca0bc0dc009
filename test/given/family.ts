import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Models } from "../../src/client/typed-paths.ts";
import { serverWithAgent } from "./agent.ts";
import { type Answer, ask } from "./ask.ts";
import { onFinished } from "./cleanup.ts";
import { type Files, temporaryFolder } from "./folder.ts";
import { ADMIN_KEY, type Server, waitFor } from "./server.ts";

/** Hands the token of its run over in a file, and stays until the file `end` of its workspace holds an exit code. */
const STAYS = `
  import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
  writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
  renameSync("token.new", "token-" + process.env.MILLRACE_TURN);
  while (!existsSync("end")) await new Promise((again) => setTimeout(again, 20));
  const code = Number(readFileSync("end", "utf8"));
  rmSync("end");
  process.exit(code);`;

/** An agent file with these lines as its front matter. */
export const agentWith = (lines = "agentType: CUSTOM") => `---\n${lines}\n---\nYou work.\n`;

/** What an answer about a run that was started says. */
type Started = Answer<{ run_id: string; detail?: string; reason?: string; remedy?: string }>;

/** A server whose factory has a foreman, `boss`, and the agents of these files; and runs whose agents stay. */
export async function serverWithFamily(files: Files, env: Record<string, string> = {}, args: string[] = []) {
  const given = await serverWithAgent(STAYS, {
    files,
    env: { MILLRACE_RUN_CONCURRENCY: "40", ...env },
    args,
  });
  const { server, story, start } = given;
  const inWorkspace = (id: string, name: string) => join(server.dataDir, "workspaces", id, name);
  /** The token of a turn of a run, once its agent is at work. */
  const tokenOf = (id: string, turn = 1) =>
    waitFor(() => {
      const file = inWorkspace(id, `token-${turn}`);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    });
  return {
    ...given,
    tokenOf,
    /** A run of the foreman that is at work, and its token. */
    async root(body: object = {}) {
      const id = await start(body);
      return { id, key: await tokenOf(id) };
    },
    /** Asks for a run with the token of another one. */
    startWith: (key: string, body: object, headers: Record<string, string> = {}): Promise<Started> =>
      ask(server, "POST", "/agent/runs", { key, body: { prompt: "Do it.", ...body }, headers }),
    /** Lets the agent of a run end its turn. */
    async end(id: string, code = 0) {
      writeFileSync(inWorkspace(id, "end.new"), String(code));
      renameSync(inWorkspace(id, "end.new"), inWorkspace(id, "end"));
      return story.ended(id);
    },
    get: (path: string, key?: string) =>
      ask<Record<string, never>>(server, "GET", path, key === undefined ? {} : { key }),
  };
}

/**
 * The parent hands its token over and stays. The answer of a child is the content of the file with its name, once that is there; if
 * its name begins with "rest", it waits for its own child and ends its turn.
 */
const agent = (folder: string) => `
  import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8").trim();
  const file = (name) => ${JSON.stringify(folder)} + "/" + name;
  const until = async (name) => { while (!existsSync(file(name))) await new Promise((r) => setTimeout(r, 20)); };
  const { MILLRACE_RUN_ID: id, MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  const name = prompt.split(/\\s/).at(-1);
  if (prompt.includes("Child ")) {
    await until(name);
    if (name.startsWith("rest")) {
      const headers = { authorization: "Bearer " + token };
      await fetch(url + "/api/v1/agent/runs/" + id + "/wait", { method: "POST", headers });
    } else {
      mkdirSync("artifacts", { recursive: true });
      writeFileSync("artifacts/answer.md", readFileSync(file(name), "utf8"));
    }
  } else {
    writeFileSync(file("token.new"), token);
    renameSync(file("token.new"), file("token"));
    await until("exit");
  }`;

/** A parent at work whose token the test has, on a server that executes so many runs at the same time. */
export async function aTokenFamily(atOnce: number) {
  const folder = temporaryFolder();
  const given = await serverWithAgent(agent(folder), { env: { MILLRACE_RUN_CONCURRENCY: String(atOnce) } });
  const parent = await given.start({ prompt: "Parent." });
  const file = join(folder, "token");
  const token = await waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  return {
    ...given,
    parent,
    token,
    ...(await mcpClient(given.server, token)),
    child: (name: string, of = parent) =>
      given.start({ prompt: `Child ${name}`, title: name, parent_run_id: of }),
    /** Lets a child end with an answer, or the parent exit. */
    end(name: string, answer = "") {
      writeFileSync(join(folder, `${name}.new`), answer);
      renameSync(join(folder, `${name}.new`), join(folder, name));
    },
    isAtWork: (id: string) =>
      waitFor(async () => (await given.story.run(id)).is_sandbox_running || undefined),
  };
}

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

/** Does as its prompt says: stay, fail, ask with choices, start two others, wait for them, or report a pull request. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const { MILLRACE_API_URL, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN } = process.env;
  const send = async (method, path, body) => {
    const answer = await fetch(MILLRACE_API_URL + "/api/v1/agent/runs" + path, {
      method,
      headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) console.log(method, path, answer.status, await answer.text());
  };
  const stay = () => setInterval(() => {}, 1_000);
  if (prompt.includes("Ask.")) {
    const message = "The column has data. Drop it?";
    await send("POST", "/" + id + "/blocked", { message, choices: ["Drop it", "Keep it"], urgency: "high" });
  } else if (prompt.includes("Hand it out.")) {
    await send("PUT", "/" + id + "/note", { text: "The fault is in <b>cart.ts</b>." });
    await send("POST", "/" + id + "/status", { text: "Waiting for the review" });
    await send("POST", "", { agent: "reviewer", title: "Review the change", prompt: "Stay." });
    await send("POST", "", { agent: "implementer", title: "Implement the change", prompt: "Ask." });
    stay();
  } else if (prompt.includes("Wait for them.")) {
    await send("POST", "", { agent: "reviewer", title: "Review the change", prompt: "Stay." });
    await send("POST", "", { agent: "implementer", title: "Implement the change", prompt: "Fail." });
    await send("POST", "/" + id + "/wait", {});
  } else if (prompt.includes("Fail.")) process.exit(3);
  else if (prompt.includes("Stay.")) stay();
  else {
    const url = "https://code.example/acme/shop/pull/12";
    await send("POST", "/" + id + "/artifacts", { artifact_type: "PULL_REQUEST", data: { url, branch: "fix" } });
    console.log("It is done.");
  }`;

const worker = (what: string) => `---\nagentType: ${what.toUpperCase()}\n---\nYou ${what}.\n`;

/** What is dispatched to the foreman. */
export interface Dispatched {
  run_id: string;
  task_uid: string;
}

/** A server whose foreman works on tasks and starts other agents. */
export async function workingFamily(env: Record<string, string> = {}) {
  const { server, story } = await serverWithAgent(AGENT, {
    env: { MILLRACE_RUN_CONCURRENCY: "8", ...env },
    files: {
      "agents/implementer/agent.md": worker("implement"),
      "agents/reviewer/agent.md": worker("review"),
    },
  });
  const { uid } = await story.factory();
  const tasks = `/factory/${uid}/tasks`;
  const task = (taskUid: string) => server.api<{ stage: string }>("GET", `${tasks}/${taskUid}`);
  const run = (id: string) => story.run(id);
  return {
    server,
    story,
    task,
    /** Gives the foreman something to do, and waits until its run has come so far. */
    async dispatch(title: string, prompt: string, until: string, more: object = {}): Promise<Dispatched> {
      const { run_id } = await server.api<Dispatched>("POST", `/factory/${uid}/runs`, {
        title,
        prompt,
        ...more,
      });
      await waitFor(async () => (await run(run_id)).state === until || undefined);
      const found = await server.api<{ uid: string }>("GET", `/factory/${uid}/task-by-run?run_id=${run_id}`);
      return { run_id, task_uid: found.uid };
    },
    move: (taskUid: string, stage: string) => server.api("PATCH", `${tasks}/${taskUid}`, { stage }),
    /** Ends a run with all that it has started, so that the next test has their places. */
    end: (id: string) => server.api("POST", `/agent/runs/${id}/cancel?tree=true`).catch(() => {}),
    /** The runs that a run has started, when there are so many. */
    children: (id: string, count: number) =>
      waitFor(async () => {
        const runs = (await story.runs()).filter(({ parent_run_id }) => parent_run_id === id);
        return runs.length === count ? runs : undefined;
      }),
  };
}

/** A factory whose foreman may start a helper, and the SDK's own clients of its tools under their public names. */
export async function serverWithFactoryTools() {
  const given = await serverWithFamily({
    "agents/helper/agent.md": "---\nagentType: IMPLEMENT\ndescription: Helps.\n---\nYou help.\n",
  });
  const { server, tokenOf } = given;
  const client = (key = ADMIN_KEY) => mcpClient(server, key, "/api/v1/mcp/factory");
  return {
    ...given,
    client,
    /** A run of the foreman that was dispatched with a task, once its agent is at work. */
    async dispatched(body: object = {}) {
      const { run_id: id, task_uid: task } = await server.api<{ run_id: string; task_uid: string }>(
        "POST",
        "/factory/acme/runs",
        { prompt: "Do it.", ...body },
      );
      const token = await tokenOf(id);
      return { id, task, token, ...(await client(token)) };
    },
    /** A task by the API itself. */
    task: (uid: string) => server.api<{ stage: string; run_id: string }>("GET", `/factory/acme/tasks/${uid}`),
  };
}

/** What a tool answered. */
export interface Told {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

/** The SDK's own client of the server's tools, with a key or the token of a run. */
export async function mcpClient(server: Pick<Server, "url">, key: string, path = "/api/v1/mcp") {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(server.url + path), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onFinished(() => client.close());
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async use(name: string, given: object = {}): Promise<Told> {
      const told = await client.callTool({ name, arguments: { ...given } });
      const [first] = told.content as { type: string; text?: string }[];
      return {
        text: first?.text ?? "",
        data: (told.structuredContent ?? {}) as Record<string, unknown>,
        isError: told.isError === true,
      };
    },
  };
}
