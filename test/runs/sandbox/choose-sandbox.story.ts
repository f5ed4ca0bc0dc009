import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { failToStart, startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

/** Starts a program where nobody can make a user namespace: bubblewrap is there, and does not work. */
const WITHOUT_NAMESPACES = [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

type Timeline = { events: { event_type: string; payload?: { sandbox: string; weaknesses: string[] } }[] };

const isolationOf = ({ events }: Timeline) =>
  events.find(({ event_type }) => event_type === "agent_started")?.payload;

describe("a server that is left to choose", () => {
  test("takes bubblewrap where it works, and its runs say so", async () => {
    const { run, server } = await serverWithAgent("console.log(process.pid)", {
      env: { MILLRACE_SANDBOX: "auto" },
    });
    const { run_id, transcript } = await run();
    // A process namespace of its own.
    expect(Number(transcript)).toBeLessThan(10);
    const timeline = await server.api<Timeline>("GET", `/agent/runs/${run_id}/timeline`);
    expect(isolationOf(timeline)).toMatchObject({ sandbox: "bwrap", weaknesses: expect.any(Array) });
    expect(server.log()).toContain('"sandbox":"bwrap"');
    expect(server.log()).not.toContain('"level":"warn"');
  });

  test("continues without one where nothing works, and says why in its log and what is not isolated on its runs", async () => {
    const server = await startServer({
      sources: [folderWith(FACTORY)],
      wrapper: WITHOUT_NAMESPACES,
      env: { MILLRACE_SANDBOX: "auto" },
    });
    const story = storyOf(server);
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
    expect((await story.ended(run_id)).state).toBe("SUCCEEDED");
    const timeline = await server.api<Timeline>("GET", `/agent/runs/${run_id}/timeline`);
    expect(isolationOf(timeline)).toMatchObject({
      sandbox: "none",
      weaknesses: expect.arrayContaining([
        expect.stringContaining("not isolated"),
        expect.stringContaining("server's user"),
      ]),
    });
    const warnings = server
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"warn"'));
    expect(warnings.join("\n")).toMatch(/bwrap: does not work on this machine/);
    expect(warnings.join("\n")).toMatch(/MILLRACE_CONTAINER_IMAGE is not set/);
    expect(warnings.join("\n")).toMatch(/Agents are not isolated/);
  });
});

describe("a sandbox that is named and does not work keeps the server from starting", () => {
  const start = (env: Record<string, string>) =>
    failToStart([folderWith(FACTORY)], { MILLRACE_DATA_DIR: `${temporaryFolder()}/data`, ...env });

  test("an engine that is not installed", async () => {
    const { code, said } = await start({
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: "no-such-engine",
    });
    expect(code).toBe(1);
    expect(said).toContain("container: the program no-such-engine is not installed");
    expect(said).toContain("MILLRACE_SANDBOX");
  });

  test("an engine that does not answer", async () => {
    const { code, said } = await start({
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: "ls --no-such-option",
    });
    expect(code).toBe(1);
    expect(said).toContain("container: ls does not work on this machine");
  });

  test("bwrap that cannot make namespaces", async () => {
    const started = startServer({
      sources: [folderWith(FACTORY)],
      wrapper: WITHOUT_NAMESPACES,
      env: { MILLRACE_SANDBOX: "bwrap" },
    });
    await expect(started).rejects.toThrow(/ended with 1(.|\n)*bwrap: does not work on this machine/);
  });
});
