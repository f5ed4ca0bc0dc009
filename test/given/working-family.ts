import { serverWithAgent } from "./agent.ts";
import { waitFor } from "./server.ts";

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
