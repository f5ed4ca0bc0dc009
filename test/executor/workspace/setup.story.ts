import { expect, test } from "vitest";
import { preparingServer } from "../../given/executing.ts";
import { processesWith } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

const SHOW = `
  import { existsSync, readFileSync } from "node:fs";
  console.log(existsSync("made") ? readFileSync("made", "utf8") : "nothing was made");`;

test("setup commands of the environment and then of the runner run in the workspace before the agent", async () => {
  const { run, environment, story, server } = await preparingServer(SHOW, {
    files: { "runners/large.yaml": "setupCommands: ['echo runner $PART >> made']\n" },
  });
  await story.setSecret("PART", "two-of-the-secret");
  const uid = await environment({
    github_repos: [{ owner: "acme", repo: "shop" }],
    setup_commands: ["test -f shop/README.md && echo environment > made", "echo it said $PART"],
    secrets: [{ name: "PART" }],
  });
  const { run_id, state, transcript } = await run({ config: { environment_id: uid, runner_id: "large" } });
  expect(state).toBe("SUCCEEDED");
  const timeline = await server.api<{ events: { event_type: string }[] }>(
    "GET",
    `/agent/runs/${run_id}/timeline`,
  );
  expect(JSON.stringify(timeline)).toMatch(/oz_run_claimed.*worker_container_ready.*agent_started/);
  expect(transcript).toContain("setup command 2 of 3 from the environment node: echo it said $PART]");
  expect(transcript).toContain("it said ********");
  expect(transcript).toContain("environment\nrunner ********");
});

test("a setup command that fails ends the run with its number, its exit code and what it said last, masked", async () => {
  const { run, environment, story } = await preparingServer(SHOW);
  await story.setSecret("PART", "a-secret-value");
  const uid = await environment({
    setup_commands: ["true", "echo first; echo no $PART here >&2; exit 3", "touch never"],
    secrets: [{ name: "PART" }],
  });
  const { state, status_message, transcript } = await run({ config: { environment_id: uid } });
  expect([state, status_message]).toEqual([
    "FAILED",
    {
      message:
        "Setup command 2 of 3 from the environment node exited with code 3; last output: no ******** here",
      error_code: "environment_setup_failed",
      retryable: false,
    },
  ]);
  expect(transcript).not.toContain("command 3 of 3");
});

test("a setup command has no run token, and nothing that it starts outlives it", async () => {
  const { run, environment } = await preparingServer("console.log('the agent ran')");
  const uid = await environment({
    setup_commands: ["echo token=$MILLRACE_RUN_TOKEN.; sleep 4711 & setsid sleep 4711 & true"],
  });
  const { state, transcript } = await run({ config: { environment_id: uid } });
  expect([state, transcript]).toEqual(["SUCCEEDED", expect.stringContaining("token=.\n")]);
  expect(processesWith("sleep 4711")).toEqual([]);
});

test("setup commands run once for all turns, and a later turn finds the workspace as it was left", async () => {
  const agent = `
    import { appendFileSync, readFileSync, readdirSync } from "node:fs";
    appendFileSync("made", "turn " + process.env.MILLRACE_TURN + "\\n");
    console.log(readFileSync("made", "utf8") + "asked: " + readFileSync("prompt.md", "utf8"));
    console.log(readdirSync("."), process.env.MILLRACE_TURN > 1 ? readFileSync("turns/1.md", "utf8") : "");`;
  const { run, server, story, environment } = await preparingServer(agent);
  const uid = await environment({ setup_commands: ["echo set up >> made"] });
  const { run_id } = await run({ prompt: "First.", config: { environment_id: uid } });
  await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "Second." });
  const transcript = await waitFor(async () => {
    const text = await story.transcript(run_id);
    return (await story.run(run_id)).state === "SUCCEEDED" && text.includes("turn 2") ? text : undefined;
  });
  expect(transcript).toContain("set up\nturn 1\nturn 2\nasked: Second.\n");
  expect(transcript).toContain("You do the work.\n\nFirst.");
});

test.each([
  ["an environment", { environment_id: "A".repeat(22) }, 'config.environment_id: there is no environment "'],
])("%s that does not exist is refused immediately", async (_, config, message) => {
  const { start } = await preparingServer(SHOW);
  await expect(start({ config })).rejects.toThrow(message.replaceAll('"', '\\"'));
});

test("a run whose environment was deleted names it, and one whose runner does not exist is refused", async () => {
  const { run, environment, server } = await preparingServer("setTimeout(() => {}, 1000)", {
    env: { MILLRACE_RUN_CONCURRENCY: "1" },
  });
  const uid = await environment({});
  const working = run();
  const waiting = run({ config: { environment_id: uid } });
  await waitFor(async () => (await server.api<{ runs: unknown[] }>("GET", "/agent/runs")).runs.length === 2);
  await server.api("DELETE", `/agent/environments/${uid}`);
  expect((await working).state).toBe("SUCCEEDED");
  expect(await waiting).toMatchObject({
    state: "FAILED",
    status_message: {
      error_code: "environment_setup_failed",
      message: expect.stringContaining(`the environment "${uid}"`),
    },
  });
  await expect(run({ config: { runner_id: "large" } })).rejects.toThrow("large");
});

test("what a definition names counts without a request, and a request before it", async () => {
  const { server, run, environment } = await preparingServer(SHOW, {
    files: {
      "runners/small.yaml": "setupCommands: [echo small > made]\n",
      "runners/large.yaml": "setupCommands: [echo large > made]\n",
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nrunner: small\n---\nYou do the work.\n",
    },
  });
  expect((await run()).transcript).toContain("small\n");
  expect((await run({ config: { runner_id: "large" } })).transcript).toContain("large\n");
  expect(await environment({})).toMatch(/^[A-Za-z0-9]{22}$/);
  expect(server.log()).not.toContain('"level":50');
});

test("an environment grants its secrets in addition to the run's own, a request can omit some, and no webhook's secret is among them", async () => {
  const agent = `console.log(["OWN", "SHARED", "HOOK"].filter((name) => process.env[name]).join());`;
  const { run, start, environment, story } = await preparingServer(agent, {
    files: {
      "webhooks/ci.yaml": "secretName: HOOK\n",
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\nYou do the work.\n",
    },
  });
  for (const name of ["OWN", "SHARED", "HOOK"]) await story.setSecret(name, `${name}-value`);
  await story.sync();
  const environment_id = await environment({ secrets: [{ name: "SHARED" }, { name: "HOOK" }] });
  const written = async (config: object) => (await run({ config })).transcript.trim().split("\n").at(-1);
  expect(await written({ environment_id })).toBe("OWN,SHARED");
  expect(await written({ environment_id, secrets: [{ name: "SHARED" }] })).toBe("SHARED");
  expect(await written({})).toBe("OWN");
  await expect(start({ config: { secrets: [{ name: "SHARED" }] } })).rejects.toThrow("403");
});
