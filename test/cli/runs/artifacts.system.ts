import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { freePort } from "../../given/port.ts";
import { ADMIN_KEY, PROGRAM, run, waitFor } from "../../given/server.ts";

const AGENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts/deep/.git/hooks", { recursive: true });
  mkdirSync("artifacts/.ssh", { recursive: true });
  writeFileSync("artifacts/report.txt", "from the run");
  writeFileSync("artifacts/deep/more.txt", "more");
  writeFileSync("artifacts/.ssh/rc", "evil");
  writeFileSync("artifacts/deep/.git/hooks/post-checkout", "evil", { mode: 0o755 });
  writeFileSync("artifacts/c:stream", "evil");`;

async function ranOnce() {
  const { server, run: runToEnd } = await serverWithAgent(AGENT);
  const { run_id } = await runToEnd();
  return { run_id, env: { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY } };
}

test("the artifacts of the newest run are listed, and its files are downloaded below the folder only", async () => {
  const { env, run_id } = await ranOnce();
  const listed = await run(["runs", "artifacts"], env);
  expect(listed.said).toContain(`Run ${run_id}, `);
  expect(listed.printed).toMatch(/^FILE +12 +report\.txt$/m);
  const shown = (await run(["runs", "get"], env)).printed;
  expect(shown).toContain(run_id);
  // What came of it is above what it was made of.
  expect(shown.indexOf("report.txt")).toBeGreaterThan(shown.indexOf("SUCCEEDED"));
  expect(shown.indexOf("report.txt")).toBeLessThan(shown.indexOf("source:"));
  const folder = join(temporaryFolder(), "new");
  const { code, printed, said } = await run(["runs", "artifacts", run_id, "--output", folder], env);
  expect([code, said]).toEqual([
    1,
    expect.stringContaining('Cannot download c:stream: The path "c:stream" is not safe'),
  ]);
  expect(printed).toContain(`wrote ${join(folder, "_ssh/rc")}\n`);
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  expect(files.sort()).toEqual(["_ssh/rc", "deep/_git/hooks/post-checkout", "deep/more.txt", "report.txt"]);
  expect(readFileSync(join(folder, "report.txt"), "utf8")).toBe("from the run");
  expect(statSync(join(folder, "deep/_git/hooks/post-checkout")).mode & 0o111).toBe(0);
});

test("a download follows no link, and replaces a file only with --force", async () => {
  const { env, run_id } = await ranOnce();
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(outside, join(folder, "deep"));
  symlinkSync(join(outside, "made-by-link"), join(folder, "_ssh"));
  writeFileSync(join(outside, "mine.txt"), "mine");
  symlinkSync(join(outside, "mine.txt"), join(folder, "report.txt"));
  const download = (...more: string[]) =>
    run(["runs", "artifacts", run_id, "--output", folder, ...more], env);
  const refused = await download();
  expect(refused.code).toBe(1);
  expect(refused.said).toContain("report.txt already exists. Use --force to replace it");
  expect(refused.said).toContain("deep is a link or a file, so nothing is written below it.");
  expect(readdirSync(outside)).toEqual(["mine.txt"]);
  const forced = await download("--force");
  expect(forced.printed).toContain(`wrote ${join(folder, "report.txt")}\n`);
  expect(readFileSync(join(folder, "report.txt"), "utf8")).toBe("from the run");
  expect(readFileSync(join(outside, "mine.txt"), "utf8")).toBe("mine");
  expect(readdirSync(outside)).toEqual(["mine.txt"]);
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
});

test("two downloads at once write each file once, and as a whole", async () => {
  const { env, run_id } = await ranOnce();
  const folder = temporaryFolder();
  mkdirSync(join(folder, "deep"));
  const [one, two] = await Promise.all(
    [1, 2].map(() => run(["runs", "artifacts", run_id, "--output", folder], env, "", { ownProcess: true })),
  );
  const wrote = `${one?.printed}${two?.printed}`.match(/^wrote .*report\.txt$/gm);
  expect(wrote).toHaveLength(1);
  expect(readFileSync(join(folder, "deep/more.txt"), "utf8")).toBe("more");
  expect(existsSync(join(folder, "report.txt"))).toBe(true);
});

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
