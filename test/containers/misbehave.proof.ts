import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { onFinished, sharedByFile } from "../given/cleanup.ts";
import { startPodman } from "../given/contained.ts";
import { withFactoryLines } from "../given/definition.ts";
import { DESCRIPTOR_SENDER, STANDS_BY_OR_SENDS, sendingBeside } from "../given/descriptor-sender.ts";
import { type Files, folderWith } from "../given/folder.ts";
import { processesWith, serverWithSandbox } from "../given/isolated.ts";
import { waitFor } from "../given/server.ts";

const podman = sharedByFile(async () => startPodman());

/** A server whose agents are shell scripts in containers: the script is the prompt. */
async function serverWithContainers(env: Record<string, string> = {}, secrets = "") {
  const files = { "agents/boss/agent.md": `---\nagentType: FOREMAN\n${secrets}---\n` };
  const settings = { ...podman().settings, MILLRACE_AGENT_COMMAND: "sh prompt.md", ...env };
  const made = await serverWithSandbox("container", "", { env: settings, files });
  onFinished(() => expect(podman().containers()).toEqual([]));
  return { ...made, settings };
}

/** A server whose agents have the programs of this machine in their containers, and one that sends descriptors. */
async function serverWithSenders(files: Files = {}) {
  const harnesses = { live: { command: ["perl", "/hostile/send.pl"], stdin: "messages" } };
  const hostile = folderWith({
    "agent.mjs": STANDS_BY_OR_SENDS,
    "send.pl": DESCRIPTOR_SENDER,
    "m.yaml": JSON.stringify({ harnesses }),
  });
  // Agents run as users of their own.
  chmodSync(hostile, 0o755);
  const volumes = ["/usr", "/lib", "/lib64"].map((path) => `--volume ${path}:${path}:ro`);
  const options = [
    podman().settings.MILLRACE_CONTAINER_OPTIONS,
    ...volumes,
    `--volume ${hostile}:/hostile:ro`,
  ];
  const env = {
    ...podman().settings,
    MILLRACE_CONTAINER_OPTIONS: options.join(" "),
    MILLRACE_AGENT_COMMAND: `${process.execPath} /hostile/agent.mjs`,
  };
  const args = ["--config", join(hostile, "m.yaml")];
  const made = await serverWithSandbox("container", "", { env, files, args });
  onFinished(() => expect(podman().containers()).toEqual([]));
  return made;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

const tried = (name: string, command: string) => `${command} > /dev/null 2>&1 && echo ${name} || echo no`;

describe("in a container, an agent", () => {
  test("sees neither the server's processes nor its data, and writes its workspace alone", async () => {
    const { run, server, dataDir } = await serverWithContainers();
    const script = [
      tried("environment", `cat /proc/${server.pid}/environ`),
      tried("database", `cat ${join(dataDir, "millrace.db")}`),
      tried("above", "touch ../escaped"),
      tried("root", "touch /escaped"),
      "ln -s ../../millrace.db link",
      tried("link", "cat link"),
      tried("workspace", "ls /workspace/prompt.md"),
      "echo mine > own && cat own; id -u; stat -c %u .; grep CapEff /proc/self/status 2>/dev/null || cat /proc/self/status | tr '\\n' ' '",
    ].join("\n");
    const { transcript, state } = await run({ prompt: script });
    expect(state).toBe("SUCCEEDED");
    const lines = transcript.split("\n");
    expect(lines.slice(0, 7)).toEqual(["no", "no", "no", "no", "no", "workspace", "mine"]);
    expect(lines[7]).toBe(lines[8]);
    expect(Number(lines[7])).toBeGreaterThan(1_000);
    expect(transcript).toMatch(/CapEff:\s+0+\b/);
    expect(existsSync(join(dataDir, "escaped"))).toBe(false);
  });

  test("gets its secrets, and no command line shows them", async () => {
    const { start, story, server } = await serverWithContainers({}, "secrets: [OWN]\n");
    await story.setSecret("OWN", "value-of-own");
    await story.sync();
    const id = await start({ prompt: "echo $OWN $HOME | tr a-z A-Z; sleep 60" });
    await waitFor(async () => (await story.transcript(id)).includes("VALUE-OF-OWN") || undefined);
    expect(processesWith("--env\0OWN\0").length).toBeGreaterThan(0);
    expect(processesWith("OWN=value-of-own").every((pid) => !commandLine(pid).includes("value-of-own"))).toBe(
      true,
    );
    await server.api("POST", `/agent/runs/${id}/cancel`);
    await story.ended(id);
  });

  test("that multiplies without end is held to its processes, and none is left", async () => {
    const { start, story, server } = await serverWithContainers({ MILLRACE_RUN_PROCESSES: "50" });
    const mark = `600.${process.hrtime.bigint()}`;
    const id = await start({ prompt: `( while :; do sleep ${mark} & done ); exec sleep ${mark}` });
    const inside = () => processesWith(`sleep\0${mark}`).length;
    await waitFor(() => inside() > 10 || undefined);
    for (let look = 0; look < 10; look += 1) {
      expect(inside()).toBeLessThanOrEqual(50);
      expect((await server.fetch("/healthz")).status).toBe(200);
    }
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await story.ended(id)).state).toBe("CANCELLED");
    expect(inside()).toBe(0);
  });

  test("is asked to end before it is ended", async () => {
    const { start, story, server } = await serverWithContainers();
    const id = await start({
      prompt: "trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.1; done",
    });
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await story.ended(id)).state).toBe("CANCELLED");
    expect(await story.transcript(id)).toBe("ready\nasked\n");
  });

  test("that ignores being asked is ended with its daemons", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const { start, story, server } = await serverWithContainers();
    const id = await start({
      prompt: `trap '' TERM; setsid env -i sleep ${mark} &\necho ready; while :; do sleep 1; done`,
    });
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await story.ended(id)).state).toBe("CANCELLED");
    expect(processesWith(mark)).toEqual([]);
  });

  test("goes on when the server was killed and starts again, and is ended as before", async () => {
    const mark = `30000.${process.hrtime.bigint()}`;
    const first = await serverWithContainers();
    const id = await first.start({ prompt: `echo ready; sleep ${mark}` });
    await waitFor(async () => (await first.story.transcript(id)) === "ready\n" || undefined);
    await first.server.kill();
    const again = await serverWithAgent("", { env: first.settings, before: first });
    expect(processesWith(`sleep\0${mark}`)).not.toEqual([]);
    await again.server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await again.story.ended(id)).state).toBe("CANCELLED");
    expect(processesWith(mark)).toEqual([]);
  });

  test.each([
    ["on", "reached"],
    ["off", "no"],
  ])("with the network %s reaches the API accordingly", async (network, expected) => {
    const { run, server } = await serverWithContainers({ MILLRACE_SANDBOX_NETWORK: network });
    const { hostname, port } = new URL(server.url);
    const script = `nc -w 2 ${hostname} ${port} < /dev/null > /dev/null 2>&1 && echo reached || echo no`;
    expect((await run({ prompt: script })).transcript).toBe(`${expected}\n`);
  });

  test("has no socket through which it could hand descriptors to the process that reads it", async () => {
    const { run, transcript } = await sendingBeside(await serverWithSenders());
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("whose network is limited hands descriptors to a process of its run alone", async () => {
    const files = withFactoryLines("millrace: { repositories: optional, network: none }\n");
    const { run, transcript } = await sendingBeside(await serverWithSenders(files));
    expect(transcript).toMatch(/^descriptors: \nconnected\nsent\n/);
    expect(run.state).toBe("SUCCEEDED");
  });

  test("that takes messages has no such socket, also where they come in", async () => {
    const { transcript } = await sendingBeside(await serverWithSenders(), {
      config: { harness: { type: "live" } },
    });
    expect(transcript).toMatch(/^descriptors: \nsent\n/);
  });

  test("comes after setup commands that have no such socket either", async () => {
    const given = await serverWithSenders();
    const { uid } = await given.server.api<{ uid: string }>("POST", "/agent/environments", {
      name: "hostile",
      setup_commands: ["perl /hostile/send.pl"],
    });
    const { run, transcript } = await sendingBeside(given, {
      prompt: "Do nothing.",
      config: { environment_id: uid },
    });
    expect(transcript).toContain("descriptors: \nsent\n");
    expect(run.state).toBe("SUCCEEDED");
  });

  test("without an image ends as FAILED, and its run says what to set", async () => {
    const { run } = await serverWithContainers({ MILLRACE_CONTAINER_IMAGE: "" });
    expect(await run({ prompt: "true" })).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("MILLRACE_CONTAINER_IMAGE"),
      },
    });
  });
});
