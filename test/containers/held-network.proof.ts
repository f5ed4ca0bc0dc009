import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { KINDS, rawTries, SENDER, SOCKET_KINDS, shellTries } from "../executor/network/escape-tries.ts";
import { onFinished, sharedByFile } from "../given/cleanup.ts";
import { containersOf, startPodman } from "../given/contained.ts";
import { withFactoryLines } from "../given/definition.ts";
import { serverWithSandbox } from "../given/isolated.ts";
import { ownAuthority } from "../given/own-authority.ts";
import { surroundings } from "../given/surroundings.ts";

const podman = sharedByFile(async () => startPodman());

/** The programs of this machine. */
const SHARED = ["/usr", "/lib", "/lib64"].flatMap((path) => ["--volume", `${path}:${path}:ro`]);
const PROGRAM_FOLDERS = ["/bin", "/usr/bin", "/usr/sbin", dirname(process.execPath)].join(":");
const SECRET = "sk-the-real-value-1234567890";
const PLACEHOLDER = "millrace-placeholder-0123456789abcdef";

/** A host on the loopback interface. */
async function aHost() {
  const server = createServer((_, response) => response.end("answered\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A service behind TLS on localhost, and the keys that it was sent. */
async function aSecureService() {
  const authority = ownAuthority();
  const seen: unknown[] = [];
  const server = createSecureServer(authority.certify("localhost"), ({ headers }, response) => {
    seen.push(headers["x-api-key"]);
    response.end("answered\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen, authorityFile: authority.file };
}

/** A server whose agents are shell scripts in containers with a limited network: the script is the prompt. */
async function serverWithContainers(network: object | string, env: Record<string, string> = {}) {
  const files = withFactoryLines(
    `millrace: { repositories: optional, network: ${JSON.stringify(network)} }\n`,
  );
  const settings = { ...podman().settings, MILLRACE_AGENT_COMMAND: "sh prompt.md", ...env };
  return serverWithSandbox("container", "", { env: settings, files });
}

test("a container whose network is limited reaches the API and its list, and nothing else", async () => {
  const port = await aHost();
  const { server, run } = await serverWithContainers({ allow: [`127.0.0.1:${port}`] });
  const direct = new URL(server.url);
  const script = [
    'wget -q -O - --header "authorization: Bearer $MILLRACE_RUN_TOKEN" $MILLRACE_API_URL/api/v1/agent/runs/$MILLRACE_RUN_ID | grep -c "$MILLRACE_RUN_ID"',
    "wget -q -O - $MILLRACE_API_URL/metrics || echo metrics refused",
    `NO_PROXY= no_proxy= wget -q -O - http://127.0.0.1:${port}/`,
    "wget -q -O - http://example.com/ || echo other refused",
    `nc -w 2 127.0.0.1 ${port} < /dev/null || echo no direct way to the host`,
    `nc -w 2 ${direct.hostname} ${direct.port} < /dev/null || echo no direct way to the server`,
    "ls /sys/class/net | tr '\\n' ' '",
  ].join("\n");
  const { run_id, transcript } = await run({ prompt: script });
  expect(
    transcript
      .trim()
      .split("\n")
      .filter((line) => !/^(wget|nc|prompt.md):/.test(line)),
  ).toEqual([
    "1",
    "metrics refused",
    "answered",
    "other refused",
    "no direct way to the host",
    "no direct way to the server",
    "lo",
  ]);
  expect(await server.api("GET", `/agent/runs/${run_id}/network`)).toMatchObject({
    reached: [{ host: "127.0.0.1", port }],
    refused: [{ host: "example.com", port: 80, reason: "not_allowed" }],
  });
});

/** Containers that have the programs of this machine, whose network is held to a list. */
async function surrounded() {
  const { places, seen, policy, apiUrl } = await surroundings();
  const containers = await containersOf(podman(), { options: SHARED, network: { policy, apiUrl } });
  return { places, seen, containers };
}

test("no bytes that a program in a container sends to its proxy lead beyond the list", async () => {
  const { places, seen, containers } = await surrounded();
  const tries = rawTries(places);
  writeFileSync(join(containers.workspace, "tries.json"), JSON.stringify(tries));
  writeFileSync(join(containers.workspace, "send.cjs"), SENDER);
  const { said } = await containers.run([process.execPath, "send.cjs"]);
  const answers: Record<string, string> = JSON.parse(said);
  expect(Object.keys(answers)).toEqual(Object.keys(tries));
  expect(Object.entries(answers).filter(([, answer]) => answer.includes("WITNESS"))).toEqual([]);
  expect(seen).toEqual([]);
});

test("no command in a container finds another way", async () => {
  const { places, seen, containers } = await surrounded();
  const inPath = (script: string) => ["sh", "-c", `PATH=${PROGRAM_FOLDERS}\n${script}`];
  expect(await containers.run(inPath("command -v curl node ip socat nsenter unshare getent"))).toMatchObject({
    code: 0,
  });
  for (const [name, command] of Object.entries(shellTries(places, ["forwarder", "network.sock"]))) {
    const { said } = await containers.run(inPath(`${command}\ntrue`));
    expect(said.includes("ESCAPED"), name).toBe(false);
    expect(seen, name).toEqual([]);
  }
});

test("no other kind of socket leads out of a container", async () => {
  const { containers } = await surrounded();
  const program = join(containers.workspace, "kinds");
  writeFileSync(`${program}.c`, SOCKET_KINDS);
  execFileSync("cc", ["-static", "-o", program, `${program}.c`]);
  chmodSync(program, 0o755);
  for (const kind of KINDS) expect([1, 3], kind).toContain((await containers.run([program, kind])).code);
});

test("secrets that are injected are in no variable and file of a container, and reach their host", async () => {
  const service = await aSecureService();
  const { port, authorityFile, seen } = service;
  const injections = [{ name: "KEY", placeholder: PLACEHOLDER, value: SECRET, hosts: [`localhost:${port}`] }];
  const policy = { allow: [[`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]] };
  const { run } = await containersOf(podman(), {
    options: SHARED,
    network: { policy, injections, authorityFile },
  });
  const { said } = await run([
    ...["sh", "-c"],
    `/usr/bin/curl -sS --noproxy '' https://localhost:${port}/ -H 'x-api-key: ${PLACEHOLDER}'
    cat /proc/*/environ 2>/dev/null | grep -c '${SECRET}'
    grep -rsl '${SECRET}' /run /tmp /workspace`,
  ]);
  expect(said).toBe("answered\n0\n");
  expect(seen).toEqual([SECRET]);
});
