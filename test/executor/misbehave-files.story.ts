import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { temporaryFolder } from "../given/folder.ts";
import {
  agentOfPrompt,
  processesWith,
  promptWith,
  SANDBOXES,
  serverOf,
  serverWithSandbox,
} from "../given/isolated.ts";
import { SERVERS } from "../given/sandbox-of.ts";
import { waitFor } from "../given/server.ts";

/** Tries out things, and prints by name which of them worked. */
const trying = (attempts: Record<string, string>) => `
  import fs from "node:fs"; import { join } from "node:path"; import { execFileSync } from "node:child_process";
  const request = fs.readFileSync("prompt.md", "utf8").trim().split("\\n").at(-1);
  const done = {};
  for (const [name, attempt] of [${Object.entries(attempts).map(([name, code]) => `[${JSON.stringify(name)}, () => { ${code} }]`)}])
    try { attempt(); done[name] = true; } catch (error) { done[name] = error.code ?? error.message; }
  console.log(JSON.stringify(done));`;

const SECRET = "S3cr&t/value+é~(1)";

/** A server that runs what a prompt says, with a secret. */
async function aServer(sandbox: string) {
  const files = { "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\n" };
  const env = { MILLRACE_RUN_CONCURRENCY: "2" };
  const given = await serverWithSandbox(sandbox, agentOfPrompt(), { env, files, sharesProcess: false });
  await given.story.setSecret("OWN", SECRET);
  await given.story.sync();
  return {
    ...given,
    start: (agent: string, prompt: string) => given.start({ prompt: promptWith(agent, prompt) }),
    run: (agent: string, prompt = "") => given.run({ prompt: promptWith(agent, prompt) }),
  };
}

describe.each(SANDBOXES)("under %s, an agent", (sandbox) => {
  const shared = sharedByFile(() => aServer(sandbox));

  test("reads neither the server's environment nor its data", async () => {
    const agent = trying({
      environment: "fs.readFileSync(join('/proc', request.split(' ')[0], 'environ'))",
      memory: "fs.openSync(join('/proc', request.split(' ')[0], 'mem'))",
      database: "fs.readFileSync(join(request.split(' ')[1], 'millrace.db'))",
      key: "fs.readFileSync(join(request.split(' ')[1], 'master.key'))",
      workspaces:
        "if (fs.readdirSync(join(request.split(' ')[1], 'workspaces')).filter((name) => name !== '.bin').length > 1) return; throw new Error('only its own')",
      signal: "process.kill(Number(request.split(' ')[0]), 'SIGKILL')",
      own: "fs.writeFileSync('own', 'x')",
    });
    const { run, server, dataDir } = shared();
    for (const file of ["millrace.db", "master.key"]) expect(existsSync(join(dataDir, file))).toBe(true);
    await run("");
    const { transcript } = await run(agent, `${server.pid} ${dataDir}`);
    const { own, ...rest } = JSON.parse(transcript);
    expect(own).toBe(true);
    for (const [name, outcome] of Object.entries(rest))
      expect([name, outcome]).toEqual([
        name,
        expect.stringMatching(/^(ENOENT|EACCES|EPERM|ESRCH|only its own)$/),
      ]);
    expect((await server.fetch("/healthz")).status).toBe(200);
  });

  test("gets out of its workspace neither by .. nor by links", async () => {
    const agent = trying({
      above: "fs.writeFileSync('../escaped', 'x')",
      further: "fs.writeFileSync('../../escaped', 'x')",
      link: "fs.symlinkSync('../../millrace.db', 'link'); fs.readFileSync('link')",
      linkOut: "fs.symlinkSync('/etc/millrace-escaped', 'out'); fs.writeFileSync('out', 'x')",
      hard: "fs.linkSync('../../millrace.db', 'hard')",
      rename: "fs.renameSync('../' + process.env.MILLRACE_RUN_ID, '../elsewhere')",
    });
    const { run, dataDir } = shared();
    const workspaces = join(dataDir, "workspaces");
    const before = readdirSync(workspaces);
    const { transcript, run_id } = await run(agent);
    for (const [name, outcome] of Object.entries(JSON.parse(transcript)))
      expect([name, outcome]).toEqual([name, expect.stringMatching(/^E[A-Z]+$/)]);
    const added = readdirSync(workspaces).filter((name) => name !== ".bin" && !before.includes(name));
    expect(added.sort()).toEqual([run_id, `${run_id}.ready`, `${run_id}.usage`]);
    expect(existsSync(join(dataDir, "escaped")) || existsSync("/etc/millrace-escaped")).toBe(false);
  });

  test("that deletes its workspace harms only itself", async () => {
    const agent = `
      import { readdirSync, rmdirSync, rmSync } from "node:fs";
      for (const name of readdirSync(".")) rmSync(name, { recursive: true });
      try { rmdirSync(process.cwd()); } catch {}
      try { console.log(readdirSync(process.cwd()).length); } catch { console.log(0); }`;
    const { run } = shared();
    expect(await run(agent)).toMatchObject({ state: "SUCCEEDED", transcript: "0\n" });
    expect(await run(agent)).toMatchObject({ state: "SUCCEEDED", transcript: "0\n" });
  });

  test("can neither signal nor read another run", async () => {
    const agent = `
      import { readFileSync, readdirSync } from "node:fs";
      const request = readFileSync("prompt.md", "utf8").trim().split("\\n").at(-1);
      if (request === "wait") setInterval(() => {}, 1000);
      const outcome = (attempt) => { try { attempt(); return "done"; } catch (error) { return error.code; } };
      const [pid, workspace] = request.split(" ");
      if (workspace) console.log(outcome(() => process.kill(Number(pid), "SIGKILL")), outcome(() => readFileSync("/proc/" + pid + "/environ")), outcome(() => readdirSync(workspace)));`;
    const { start, run, server, story, dataDir } = shared();
    const other = await start(agent, "wait");
    const pid = await waitFor(() => processesWith(`MILLRACE_RUN_ID=${other}`).at(-1));
    const { transcript } = await run(agent, `${pid} ${join(dataDir, "workspaces", other)}`);
    expect(transcript).toMatch(/^(EPERM|ESRCH) (EACCES|ENOENT) (EACCES|ENOENT)\n$/);
    expect((await story.run(other)).state).toBe("INPROGRESS");
    await server.api("POST", `/agent/runs/${other}/cancel`);
    await story.ended(other);
  });

  test("that prints a secret in any form is masked, and so is its run's log", async () => {
    const agent = `
      const secret = process.env.OWN; const bytes = Buffer.from(secret);
      const base64 = ["", "a", "ab"].flatMap((before) => ["", "c", "cd"].map((after) => Buffer.from(before + secret + after)));
      const forms = [secret, encodeURIComponent(secret), encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()), new URLSearchParams({ s: secret }).toString(),
        JSON.stringify(secret), ...base64.flatMap((b) => [b.toString("base64"), b.toString("base64url")])];
      for (const form of forms) console.log(form);`;
    const { run, server } = shared();
    const { transcript } = await run(agent);
    expect(transcript.split("\n").length).toBe(5 + 18 + 1);
    for (const line of transcript.trimEnd().split("\n")) expect(line).toContain("********");
    // Letters that hold bits of what stands beside the secret are all that is left of base64.
    for (const line of transcript.trimEnd().split("\n").slice(5))
      expect(line.replace("********", "").length).toBeLessThanOrEqual(8);
    expect(server.log()).not.toContain(SECRET);
  });

  test("has a workspace that is its run's alone", async () => {
    const { run, dataDir } = shared();
    const agent = "console.log(process.getuid());";
    const [one, two] = [await run(agent), await run(agent)];
    const stats = [one, two].map(({ run_id }) => statSync(join(dataDir, "workspaces", run_id)));
    expect(stats.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700]);
    expect([one, two].map(({ transcript }) => Number(transcript))).toEqual(stats.map(({ uid }) => uid));
    if (process.getuid?.() !== 0) return;
    expect(stats[0]?.uid).not.toBe(stats[1]?.uid);
    expect(stats.every(({ uid }) => uid > 1_000)).toBe(true);
  });
});

/** Says which files it has that are called so. */
const LOOK = `
  import { readdirSync, readlinkSync } from "node:fs";
  const nameOf = (fd) => { try { return readlinkSync("/proc/self/fd/" + fd); } catch { return ""; } };
  console.log(JSON.stringify(readdirSync("/proc/self/fd").filter((fd) => nameOf(fd).includes("inherited.txt"))));`;

describe.each(SERVERS)("of a server that is %s", (user) => {
  test.each(["bwrap", "none"])("an agent under %s has no file that the server inherited", async (sandbox) => {
    const file = join(temporaryFolder(), "inherited.txt");
    writeFileSync(file, "not for agents");
    const descriptors = [7, 20, 21, 300].map((descriptor) => `${descriptor}<"${file}"`).join(" ");
    const wrapper = ["bash", "-c", `exec ${descriptors}; exec "$@"`, "bash"];
    const { run } = await serverOf(user, sandbox, LOOK, { wrapper });
    expect(await run()).toMatchObject({ state: "SUCCEEDED", transcript: "[]\n" });
  });
});
