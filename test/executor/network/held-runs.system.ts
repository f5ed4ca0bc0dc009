import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { serverWithSandbox } from "../../given/isolated.ts";
import { freePort } from "../../given/port.ts";
import { waitFor } from "../../given/server.ts";

/** A host on the loopback interface. */
async function aHost() {
  const server = createServer((_, response) => response.end("answered"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Asks the API for its own run, the metrics of the server, a host of the list and one beyond it, and says what it got. */
const asking = (port: number) => `
  import { execFileSync } from "node:child_process";
  const { MILLRACE_API_URL: api, MILLRACE_RUN_TOKEN: token, MILLRACE_RUN_ID: id, GRANTED } = process.env;
  const own = await fetch(api + "/api/v1/agent/runs/" + id, { headers: { authorization: "Bearer " + token } });
  console.log("api", own.status, (await own.json()).run_id === id);
  console.log("metrics", (await fetch(api + "/metrics")).status);
  const curl = (url) => execFileSync(
    "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "", url], { encoding: "utf8" });
  console.log("host", curl("http://127.0.0.1:${port}/"));
  console.log("other", curl("http://example.com/"));
  console.log("direct", await fetch("http://127.0.0.1:${port}/").then(() => "reached", () => "not reached"));
  console.log("command", execFileSync("millrace", ["agent", "--help"], { encoding: "utf8" }).includes("ask"));
`;

const limitedTo = (network: object | string) =>
  withFactoryLines(`millrace: { repositories: optional, network: ${JSON.stringify(network)} }\n`);

const lines = (transcript: string) => transcript.trim().split("\n");

test("a run whose network is limited reaches the API and its list, and the API lists what it reached", async () => {
  const port = await aHost();
  const files = limitedTo({ allow: [`127.0.0.1:${port}`] });
  const { server, run } = await serverWithSandbox("bwrap", asking(port), { files });
  const { run_id, state, transcript } = await run();
  expect(lines(transcript)).toEqual([
    "api 200 true",
    "metrics 403",
    "host 200",
    "other 403",
    "direct not reached",
    "command true",
  ]);
  expect(state).toBe("SUCCEEDED");
  expect(await server.api("GET", `/agent/runs/${run_id}/network`)).toEqual({
    reached: [{ host: "127.0.0.1", port, requests: 1 }],
    refused: [{ host: "example.com", port: 80, reason: "not_allowed", requests: 1 }],
  });
  const metrics = await (await server.metrics()).text();
  expect(metrics).toMatch(/millrace_run_connections_total\{[^}]*result="reached"\} 1\n/);
  expect(metrics).toMatch(/millrace_run_connections_total\{[^}]*result="refused"\} 1\n/);
  const { events } = await server.api<{ events: { event_type: string; payload: object }[] }>(
    "GET",
    `/agent/runs/${run_id}/timeline`,
  );
  expect(events.filter(({ event_type }) => event_type === "network_refused")).toMatchObject([
    { payload: { turn: 1, host: "example.com", port: 80, reason: "not_allowed" } },
  ]);
});

test("a run whose network is none reaches the API alone, also where its request asks for more", async () => {
  const port = await aHost();
  const files = limitedTo({ allow: [], locked: true });
  const { run } = await serverWithSandbox("bwrap", asking(port), { files });
  const { transcript } = await run({ config: { network: { allow: [`127.0.0.1:${port}`] } } });
  expect(lines(transcript).slice(0, 4)).toEqual(["api 200 true", "metrics 403", "host 403", "other 403"]);
});

test("a run whose network the sandbox cannot limit is not started", async () => {
  const { run } = await serverWithSandbox("none", "console.log('started');", { files: limitedTo("none") });
  const { state, status_message, transcript } = await run();
  expect([state, status_message?.error_code, transcript]).toEqual(["FAILED", "environment_setup_failed", ""]);
  expect(status_message?.message).toContain("its network cannot be limited as millrace: network: says");
});

test("a run reaches nothing where the network of the server's sandbox is off, whatever its definition allows", async () => {
  const port = await aHost();
  const files = limitedTo({ allow: [`127.0.0.1:${port}`] });
  const agent = `console.log(await fetch("http://127.0.0.1:${port}/").then(() => "reached", () => "not reached"));
    console.log(await fetch(process.env.MILLRACE_API_URL).then(() => "reached", () => "not reached"));`;
  const { run } = await serverWithSandbox("bwrap", agent, {
    files,
    env: { MILLRACE_SANDBOX_NETWORK: "off" },
  });
  const { state, transcript } = await run();
  expect([state, lines(transcript)]).toEqual(["SUCCEEDED", ["not reached", "not reached"]]);
});

test("a run with injected secrets is not started where the sandbox has no proxy, and that says why", async () => {
  const inject = { KEY: { hosts: ["api.example.com"] } };
  const files = withFactoryLines(`millrace: { repositories: optional, inject: ${JSON.stringify(inject)} }\n`);
  const { run, story } = await serverWithSandbox("none", "console.log('started');", { files });
  await story.setSecret("KEY", "a-key");
  await story.sync();
  const { state, status_message, transcript } = await run();
  expect([state, status_message?.error_code, transcript]).toEqual(["FAILED", "environment_setup_failed", ""]);
  expect(status_message?.message).toContain("its secrets cannot be injected as millrace: inject: says");
});

test("what setup commands reached stays in the list when the server was killed while the agent works", async () => {
  const port = await aHost();
  const url = `http://127.0.0.1:${port}/`;
  const files = {
    ...withFactoryLines(`millrace: { repositories: optional, network: { allow: ["127.0.0.1:${port}"] } }\n`),
    "agents/boss/agent.md": "---\nagentType: FOREMAN\nrunner: small\n---\nYou do the work.\n",
    "runners/small.yaml": `setupCommands: ["curl -s --noproxy '' ${url} && curl -s --noproxy '' ${url}"]\n`,
  };
  const agent = `
    import { execFileSync } from "node:child_process";
    import { existsSync } from "node:fs";
    const curl = () => execFileSync("curl", ["-s", "--noproxy", "", "${url}"], { encoding: "utf8" });
    console.log("first", curl());
    while (!existsSync("go")) await new Promise((again) => setTimeout(again, 50));
    console.log("then", curl());`;
  const env = { MILLRACE_LISTEN: `127.0.0.1:${await freePort()}` };
  const options = { files, env, sharesProcess: false };
  const { server, story, start, dataDir } = await serverWithSandbox("bwrap", agent, options);
  const id = await start();
  await waitFor(async () => (await story.transcript(id)).includes("first answered"));
  await server.kill();
  const next = await serverWithSandbox("bwrap", agent, { ...options, dataDir });
  writeFileSync(join(dataDir, "workspaces", id, "go"), "");
  expect(await next.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await next.server.api("GET", `/agent/runs/${id}/network`)).toEqual({
    reached: [{ host: "127.0.0.1", port, requests: 4 }],
    refused: [],
  });
});
