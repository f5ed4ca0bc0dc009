import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { freePort } from "../../given/port.ts";
import { ADMIN_KEY, PROGRAM, run, waitFor } from "../../given/server.ts";

const stage = sharedByFile(() => serverWithAgent("process.exit(0)"));

/** `millrace events` while it goes on, which is until it is interrupted. */
function eventsOf(url: string, ...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, "events", ...args], {
    env: { PATH: process.env.PATH, MILLRACE_SERVER: url, MILLRACE_API_KEY: ADMIN_KEY },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onFinished(() => void child.kill("SIGKILL"));
  const output = { printed: "", said: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.printed += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.said += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal })),
  );
  return {
    output,
    lines: () => output.printed.split("\n").slice(0, -1),
    interrupt: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

test("changes are printed line by line, as text or as JSON, until Ctrl-C ends the command as it ends any", async () => {
  const { server, run: runToEnd } = stage();
  const events = eventsOf(server.url, "--json", "--last-event-id", "0");
  const { run_id } = await runToEnd();
  const ofRun = () =>
    events
      .lines()
      .map((line) => JSON.parse(line))
      .filter((event) => event.run_id === run_id);
  await waitFor(() => ofRun().at(-1)?.state === "SUCCEEDED" || undefined);
  expect(ofRun().map(({ event, state }) => [event, state])).toEqual([
    ["run", "QUEUED"],
    ["run", "CLAIMED"],
    ["run", "INPROGRESS"],
    ["run", "SUCCEEDED"],
  ]);
  // A shell shows the end by this signal as 130.
  expect(await events.interrupt()).toEqual({ code: null, signal: "SIGINT" });

  const [{ id }] = ofRun().slice(-2);
  const later = eventsOf(server.url, "--last-event-id", id);
  const line = await waitFor(() => later.lines().find((each) => each.includes(run_id)));
  expect(line).toMatch(new RegExp(`^\\d+  \\S+Z  run  ${run_id}  SUCCEEDED$`));
  await later.interrupt();
});

test("an event number that the server has not issued is reported, and later events are printed", async () => {
  const { server, start } = stage();
  const events = eventsOf(server.url, "--last-event-id", "999999999");
  await waitFor(() => events.output.said || undefined);
  expect(events.output.said).toBe("Some events were missed. Reload the current state before you continue.\n");
  const run_id = await start();
  await waitFor(() => events.output.printed.includes(run_id) || undefined);
  await events.interrupt();
});

test("a number that is none is wrong usage", async () => {
  const { code, said } = await run(["events", "--last-event-id", "x"]);
  expect([code, said]).toEqual([2, expect.stringContaining("Expected an event number")]);
});

test("events that are read before and after a server was killed are all that there are, each once", async () => {
  const options = { env: { MILLRACE_LISTEN: `127.0.0.1:${await freePort()}` }, sharesProcess: false };
  const first = await serverWithAgent("process.exit(0)", options);
  const before = eventsOf(first.server.url, "--json", "--last-event-id", "0");
  const { run_id: early } = await first.run();
  const ended = (events: typeof before, id: string) => () =>
    events.lines().some((line) => line.includes(id) && line.includes('"SUCCEEDED"'));
  await waitFor(ended(before, early));
  await first.server.kill();
  await before.interrupt();
  const idsOf = (events: typeof before): string[] => events.lines().map((line) => JSON.parse(line).id);
  const seen = idsOf(before).at(-1) ?? "";

  const { server, run: runToEnd } = await serverWithAgent("process.exit(0)", { ...options, before: first });
  const { run_id: late } = await runToEnd();
  const after = eventsOf(server.url, "--json", "--last-event-id", seen);
  const whole = eventsOf(server.url, "--json", "--last-event-id", "0");
  await waitFor(() => ended(after, late)() && ended(whole, late)());
  expect([...idsOf(before), ...idsOf(after)]).toEqual(idsOf(whole));
});
