import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { temporaryFolder } from "./folder.ts";
import { mcpClient } from "./mcp-client.ts";
import { waitFor } from "./server.ts";

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
