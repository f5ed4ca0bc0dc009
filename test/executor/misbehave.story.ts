import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasEnded } from "../../src/runs/rules/state.ts";
import { serverWithAgent } from "../given/agent.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { withFactoryLines } from "../given/definition.ts";
import { DESCRIPTOR_SENDER, STANDS_BY_OR_SENDS, sendingBeside } from "../given/descriptor-sender.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { agentOfPrompt, processesWith, promptWith, SANDBOXES, serverWithSandbox } from "../given/isolated.ts";
import { crash, waitFor } from "../given/server.ts";
import { aWorker } from "../given/workers.ts";

const forEver = "setInterval(() => {}, 1000);";

test("an agent whose network is limited hands descriptors to a process of its run alone", async () => {
  const files = withFactoryLines("millrace: { repositories: optional, network: none }\n");
  const { run, transcript } = await sendingBeside(
    await serverWithSandbox("bwrap", STANDS_BY_OR_SENDS, { files }),
  );
  expect(transcript).toMatch(/^descriptors: \nconnected\nsent\n/);
  expect(run.state).toBe("SUCCEEDED");
});

/** A server that runs what a prompt says, and whose harness `live` sends descriptors. */
async function aServer(sandbox: string) {
  const program = join(folderWith({ "send.pl": DESCRIPTOR_SENDER }), "send.pl");
  chmodSync(dirname(program), 0o755);
  const harnesses = { live: { command: ["perl", program], stdin: "messages" } };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const env = { MILLRACE_RUN_PROCESSES: "60" };
  const options = { env, args: ["--config", config], sharesProcess: false };
  const given = await serverWithSandbox(sandbox, agentOfPrompt(STANDS_BY_OR_SENDS), options);
  const { server, story, start, run } = given;
  return {
    ...given,
    start: (agent: string) => start({ prompt: promptWith(agent) }),
    run: (agent: string, prompt = "") => run({ prompt: promptWith(agent, prompt) }),
    /** Starts an agent, and waits until it is ready. */
    async startReady(agent: string) {
      const id = await start({ prompt: promptWith(agent) });
      await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
      return id;
    },
    async cancel(id: string) {
      await server.api("POST", `/agent/runs/${id}/cancel`);
      expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
    },
    /** For what sends descriptors. */
    sending: given,
  };
}

describe.each(SANDBOXES)("under %s, an agent", (sandbox) => {
  const shared = sharedByFile(() => aServer(sandbox));

  test("that multiplies without end is held to its processes, and none is left", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sh", ["-c", "f() { while :; do f & sleep 0.1; done; }; f"], { stdio: "ignore", detached: true });
      spawn("sh", ["-c", "( while :; do sleep 600 & done ); exec sleep 600"], { stdio: "ignore", detached: true });
      ${forEver}`;
    const { start, server, cancel } = shared();
    const id = await start(agent);
    const mark = `MILLRACE_RUN_ID=${id}`;
    await waitFor(() => processesWith(mark).length > 30 || undefined, 60);
    for (let look = 0; look < 20; look += 1) {
      // What made the sandbox carries the mark too.
      expect(processesWith(mark).length).toBeLessThanOrEqual(63);
      expect((await server.fetch("/healthz")).status).toBe(200);
    }
    await cancel(id);
    expect(processesWith(mark)).toEqual([]);
  }, 120_000);

  test("is asked to end before it is ended", async () => {
    const agent = `process.on("SIGTERM", () => { console.log("asked"); process.exit(0); }); console.log("ready"); ${forEver}`;
    const { startReady, story, cancel } = shared();
    const id = await startReady(agent);
    await cancel(id);
    expect(await story.transcript(id)).toBe("ready\nasked\n");
  });

  test("that ignores being asked is ended, and what it has started too", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      process.on("SIGTERM", () => {});
      spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], { detached: true, stdio: "ignore" });
      console.log("ready"); ${forEver}`;
    const { startReady, cancel } = shared();
    const id = await startReady(agent);
    await cancel(id);
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  });

  test("leaves no daemon behind that has left its session and wiped its environment", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const agent = `
      import { spawnSync } from "node:child_process";
      spawnSync("sh", ["-c", "setsid env -i setsid sleep ${mark} > /dev/null 2>&1 &"]);
      await new Promise((resolve) => setTimeout(resolve, 300));`;
    expect((await shared().run(agent)).state).toBe("SUCCEEDED");
    expect(processesWith(mark)).toEqual([]);
  });

  test("that writes a gigabyte is stopped at the limit, and its output up to the limit is stored", async () => {
    const agent = `
      import { writeSync } from "node:fs";
      const line = Buffer.alloc(1024 * 1024, "x\\n");
      for (let sent = 0; sent < 1024; sent += 1) writeSync(1, line);`;
    const { start, story } = shared();
    const id = await start(agent);
    const ended = await waitFor(async () => {
      const run = await story.run(id);
      return hasEnded(run.state) ? run : undefined;
    }, 100);
    expect(ended).toMatchObject({
      state: "FAILED",
      status_message: { message: expect.stringContaining("exceeded the limit of 64 MiB") },
    });
    expect((await story.transcript(id)).length).toBe(64 * 1024 * 1024);
  }, 120_000);

  test("that writes bytes that are not text, never reads its input or ends before it is written ends well", async () => {
    const agent = `process.stdout.write(Buffer.from([0, 255, 254, 10]));`;
    expect(await shared().run(agent, "x".repeat(900_000))).toMatchObject({
      state: "SUCCEEDED",
      transcript: "\0\uFFFD\uFFFD\n",
    });
  });

  test("has no socket through which it could hand descriptors to the process that reads it", async () => {
    const { run, transcript } = await sendingBeside(shared().sending);
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("that takes messages has no such socket, also where they come in", async () => {
    const live = { config: { harness: { type: "live" } } };
    const { transcript } = await sendingBeside(shared().sending, live);
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
  });

  test("has no such socket on a worker", async () => {
    const { server, sending } = shared();
    const folder = temporaryFolder("millrace-worker");
    chmodSync(folder, 0o755);
    const dataDir = join(folder, "data");
    await aWorker(server, { agent: STANDS_BY_OR_SENDS, dataDir, env: { MILLRACE_SANDBOX: sandbox } });
    const onWorker = { config: { worker_host: "builder" } };
    const { run, transcript } = await sendingBeside({ ...sending, dataDir }, {}, onWorker);
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("comes after setup commands that have no such socket either", async () => {
    const { server, sending } = shared();
    const program = Buffer.from(DESCRIPTOR_SENDER).toString("base64");
    const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", {
      name: "hostile",
      setup_commands: [`perl -e "$(echo ${program} | base64 -d)"`],
    });
    const { run, transcript } = await sendingBeside(sending, {
      prompt: "Do nothing.",
      config: { environment_id: uid },
    });
    expect(transcript).toContain("descriptors: \nsent\n");
    expect(run.state).toBe("SUCCEEDED");
  });

  test("that is another user than its server opens its output by its name, and does not wait for its input there", async () => {
    const agent = `
      import { spawnSync } from "node:child_process";
      spawnSync("sh", ["-c", "echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin || echo no"], { stdio: "inherit" });`;
    const { state, transcript } = await shared().run(agent);
    expect(state).toBe("SUCCEEDED");
    // The order of what comes on two streams is that in which they are read.
    expect(transcript.split("\n")).toEqual(expect.arrayContaining(["out", "err", "no"]));
  });

  test("that closes its input immediately ends normally", async () => {
    const agent = `import { closeSync } from "node:fs"; closeSync(0); process.exit(4);`;
    expect(await shared().run(agent, "x".repeat(900_000))).toMatchObject({
      state: "FAILED",
      status_message: { message: "The agent exited with code 4." },
    });
  });

  // The last one: it ends what they share.
  test("leaves nothing behind when the server and its supervisor are killed and the server starts again", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sleep", ["${mark}"], { detached: true, stdio: "ignore" }); console.log("ready"); ${forEver}`;
    const { server, source, startReady } = shared();
    const id = await startReady(agent);
    await crash(server);
    const env = { MILLRACE_SANDBOX: sandbox };
    const again = await serverWithAgent(agent, { env, before: { source, server } });
    expect((await again.story.ended(id)).state).toBe("ERROR");
    expect(processesWith(mark)).toEqual([]);
  });
});
