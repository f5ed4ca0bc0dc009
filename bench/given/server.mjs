import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
export const ADMIN_KEY = "bench-admin-key-0123456789";

/** Starts the built server, or that of another build; resolves when it listens. */
export async function startServer(sources, { dataDir, env = {}, args = [], program = PROGRAM }) {
  // For a profile: BENCH_NODE_ARGS="--cpu-prof --cpu-prof-dir=profiles".
  const nodeArgs = (process.env.BENCH_NODE_ARGS ?? "").split(" ").filter((arg) => arg !== "");
  const child = spawn(process.execPath, [...nodeArgs, program, "serve", ...sources, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      MILLRACE_LISTEN: "127.0.0.1:0",
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ADMIN_KEY: ADMIN_KEY,
      MILLRACE_AGENT_COMMAND: "true",
      MILLRACE_LOG_LEVEL: "error",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => child.kill("SIGKILL");
  // Before the scratch folder is removed, in which the server writes.
  process.prependListener("exit", end);
  child.once("exit", () => process.off("exit", end));
  let output = "";
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const match = /^millrace serves (\S+)$/m.exec(output);
      if (match) resolve(match[1]);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const api = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const metrics = async () =>
    (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })).text();
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  return { url, api, metrics, stop, pid: child.pid };
}
