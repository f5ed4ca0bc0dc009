import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasEnded } from "../../src/runs/rules/state.ts";
import { crash } from "../given/crash.ts";
import { withFactoryLines } from "../given/definition.ts";
import { DESCRIPTOR_SENDER, STANDS_BY_OR_SENDS, sendingBeside } from "../given/descriptor-sender.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { processesWith, SANDBOXES, serverWithSandbox } from "../given/isolated.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

const forEver = "setInterval(() => {}, 1000);";

test("an agent whose network is limited hands descriptors to a process of its run alone", async () => {
  const files = withFactoryLines("millrace: { repositories: optional, network: none }\n");
  const { run, transcript } = await sendingBeside(
    await serverWithSandbox("bwrap", STANDS_BY_OR_SENDS, { files }),
  );
  expect(transcript).toMatch(/^descriptors: \nconnected\nsent\n/);
  expect(run.state).toBe("SUCCEEDED");
});

describe.each(SANDBOXES)("under %s, an agent", (sandbox) => {
  test("that multiplies without end is held to its processes, and none is left", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sh", ["-c", "f() { while :; do f & sleep 0.1; done; }; f"], { stdio: "ignore", detached: true });
      spawn("sh", ["-c", "( while :; do sleep 600 & done ); exec sleep 600"], { stdio: "ignore", detached: true });
      ${forEver}`;
    const env = { MILLRACE_RUN_PROCESSES: "60" };
    const { start, server, story } = await serverWithSandbox(sandbox, agent, { env });
    const id = await start();
    const mark = `MILLRACE_RUN_ID=${id}`;
    await waitFor(() => processesWith(mark).length > 30 || undefined, 60);
    for (let look = 0; look < 20; look += 1) {
      // What made the sandbox carries the mark too.
      expect(processesWith(mark).length).toBeLessThanOrEqual(63);
      expect((await server.fetch("/healthz")).status).toBe(200);
    }
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
    expect(processesWith(mark)).toEqual([]);
  }, 120_000);

  test("is asked to end before it is ended", async () => {
    const agent = `process.on("SIGTERM", () => { console.log("asked"); process.exit(0); }); console.log("ready"); ${forEver}`;
    const { start, server, story } = await serverWithSandbox(sandbox, agent);
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
    expect(await story.transcript(id)).toBe("ready\nasked\n");
  });

  test("that ignores being asked is ended, and what it has started too", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      process.on("SIGTERM", () => {});
      spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], { detached: true, stdio: "ignore" });
      console.log("ready"); ${forEver}`;
    const { start, server, story } = await serverWithSandbox(sandbox, agent);
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  });

  test("leaves no daemon behind that has left its session and wiped its environment", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const agent = `
      import { spawnSync } from "node:child_process";
      spawnSync("sh", ["-c", "setsid env -i setsid sleep ${mark} > /dev/null 2>&1 &"]);
      await new Promise((resolve) => setTimeout(resolve, 300));`;
    const { run } = await serverWithSandbox(sandbox, agent);
    expect((await run()).state).toBe("SUCCEEDED");
    expect(processesWith(mark)).toEqual([]);
  });

  test("leaves nothing behind when the server and its supervisor are killed and the server starts again", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sleep", ["${mark}"], { detached: true, stdio: "ignore" }); console.log("ready"); ${forEver}`;
    const first = await serverWithSandbox(sandbox, agent);
    const id = await first.start();
    await waitFor(async () => (await first.story.transcript(id)) === "ready\n" || undefined);
    await crash(first.server);
    const { serverWithAgent } = await import("../given/agent.ts");
    const again = await serverWithAgent(agent, { env: { MILLRACE_SANDBOX: sandbox }, before: first });
    expect((await again.story.ended(id)).state).toBe("ERROR");
    expect(processesWith(mark)).toEqual([]);
  });

  test("that writes a gigabyte is stopped at the limit, and its output up to the limit is stored", async () => {
    const agent = `
      import { writeSync } from "node:fs";
      const line = Buffer.alloc(1024 * 1024, "x\\n");
      for (let sent = 0; sent < 1024; sent += 1) writeSync(1, line);`;
    const { start, story } = await serverWithSandbox(sandbox, agent);
    const id = await start();
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
    const { run } = await serverWithSandbox(sandbox, agent);
    expect(await run({ prompt: "x".repeat(900_000) })).toMatchObject({
      state: "SUCCEEDED",
      transcript: "\0\uFFFD\uFFFD\n",
    });
  });

  test("has no socket through which it could hand descriptors to the process that reads it", async () => {
    const { run, transcript } = await sendingBeside(await serverWithSandbox(sandbox, STANDS_BY_OR_SENDS));
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("that takes messages has no such socket, also where they come in", async () => {
    const program = join(folderWith({ "send.pl": DESCRIPTOR_SENDER }), "send.pl");
    chmodSync(dirname(program), 0o755);
    const harnesses = { live: { command: ["perl", program], stdin: "messages" } };
    const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
    const given = await serverWithSandbox(sandbox, STANDS_BY_OR_SENDS, { args: ["--config", config] });
    const { transcript } = await sendingBeside(given, { config: { harness: { type: "live" } } });
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
  });

  test("has no such socket on a worker", async () => {
    const { server, start, story } = await serverWithSandbox(sandbox, "");
    const folder = temporaryFolder("millrace-worker");
    chmodSync(folder, 0o755);
    const dataDir = join(folder, "data");
    await aWorker(server, { agent: STANDS_BY_OR_SENDS, dataDir, env: { MILLRACE_SANDBOX: sandbox } });
    const { run, transcript } = await sendingBeside(
      { start, story, dataDir },
      {},
      { config: { worker_host: "builder" } },
    );
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("comes after setup commands that have no such socket either", async () => {
    const given = await serverWithSandbox(sandbox, STANDS_BY_OR_SENDS);
    const program = Buffer.from(DESCRIPTOR_SENDER).toString("base64");
    const { uid } = await given.server.api<{ uid: string }>("POST", "/agent/environments", {
      name: "hostile",
      setup_commands: [`perl -e "$(echo ${program} | base64 -d)"`],
    });
    const { run, transcript } = await sendingBeside(given, {
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
    const { run } = await serverWithSandbox(sandbox, agent);
    const { state, transcript } = await run();
    expect(state).toBe("SUCCEEDED");
    // The order of what comes on two streams is that in which they are read.
    expect(transcript.split("\n")).toEqual(expect.arrayContaining(["out", "err", "no"]));
  });

  test("that closes its input immediately ends normally", async () => {
    const agent = `import { closeSync } from "node:fs"; closeSync(0); process.exit(4);`;
    const { run } = await serverWithSandbox(sandbox, agent);
    expect(await run({ prompt: "x".repeat(900_000) })).toMatchObject({
      state: "FAILED",
      status_message: { message: "The agent exited with code 4." },
    });
  });
});
