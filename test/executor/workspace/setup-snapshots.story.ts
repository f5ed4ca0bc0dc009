import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preparingServer } from "../../given/executing.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { SANDBOXES } from "../../given/isolated.ts";
import { aWorker } from "../../given/workers.ts";

const SHOW = `
  import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
  const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "nothing\\n");
  console.log("date: " + read("shop/modules/date"), "path: " + read("shop/modules/path"), "link: " + readlinkSync("shop/modules/link"));
  console.log("lock: " + read("shop/package-lock.json"), "gone: " + existsSync("shop/old.txt"), "mode: " + (lstatSync("shop/modules/run.sh").mode & 0o777).toString(8));
  console.log("input: " + ["agent.json", "event-payload.json", "prompt.md"].filter(existsSync).join(" "));
  console.log("home is right: " + (read("shop/modules/path").trim() === process.env.HOME));`;

const SETUP = [
  "mkdir -p shop/modules/deep/er && date +%s%N > shop/modules/date && echo $HOME > shop/modules/path",
  "ln -s $HOME/shop/README.md shop/modules/link && printf x > shop/modules/run.sh && chmod 751 shop/modules/run.sh",
  "cp shop/package-lock.json shop/modules/deep/er/ && rm shop/old.txt && mkdir -m 500 shop/modules/closed",
];

const SHOP = { "README.md": "The shop.\n", "package-lock.json": "1\n", "old.txt": "old\n" };

const dateIn = (transcript: string) => /date: (\d+)/.exec(transcript)?.[1];

async function shopWithSetup(agent = SHOW, options: Parameters<typeof preparingServer>[1] = {}) {
  const server = await preparingServer(agent, { shop: SHOP, ...options });
  const uid = await server.environment({
    github_repos: [{ owner: "acme", repo: "shop" }],
    setup_commands: SETUP,
  });
  const runInIt = (body = {}, config = {}) =>
    server.run({ config: { environment_id: uid, ...config }, ...body });
  return { ...server, runInIt };
}

test("the second run in an environment gets what the setup commands made for the first, and its timeline says so", async () => {
  const { runInIt, server } = await shopWithSetup();
  const first = await runInIt();
  expect(first.transcript).toContain("setup runs: there is no snapshot for it yet");
  expect(first.transcript).toContain("a snapshot of the setup was made");
  const second = await runInIt();
  expect(second.transcript).toMatch(/setup restored from a snapshot made at 2\S+Z in [\d.]+ s \(\d+ files/);
  expect(second.transcript).not.toContain("setup command 1");
  expect(dateIn(second.transcript)).toBe(dateIn(first.transcript));
  expect(second.transcript).toContain("gone: false mode: 751");
  expect(second.transcript).toContain("input: agent.json prompt.md");
  expect(second.transcript).toContain("home is right: true");
  expect(second.transcript).toContain(
    `link: ${join(server.dataDir, "workspaces", second.run_id)}/shop/README.md`,
  );
  const timeline = await server.api<{ events: { event_type: string; payload: object }[] }>(
    "GET",
    `/agent/runs/${second.run_id}/timeline`,
  );
  expect(timeline.events.find(({ event_type }) => event_type === "worker_container_ready")?.payload).toEqual({
    turn: 1,
    setup: { restored: true, made_at: expect.stringMatching(/Z$/), seconds: expect.any(Number) },
  });
});

test("another commit runs the setup commands, and it is said which lock file changed", async () => {
  const { runInIt, repository } = await shopWithSetup();
  const first = await runInIt();
  repository.push({ ...SHOP, "package-lock.json": "2\n" });
  const second = await runInIt();
  expect(second.transcript).toContain("setup runs: shop/package-lock.json changed");
  expect(dateIn(second.transcript)).not.toBe(dateIn(first.transcript));
  repository.push({ ...SHOP, "package-lock.json": "2\n", "README.md": "Another.\n" });
  expect((await runInIt()).transcript).toMatch(/setup runs: shop is at commit \w{12}, and was at \w{12}/);
});

/** Changes all that it can reach: its workspace, while and after it is in there, and snapshots with what is in them. */
const ATTACK = `${SHOW}
  import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
  import { spawn } from "node:child_process";
  appendFileSync("shop/modules/date", "666");
  rmSync("shop/modules/path");
  symlinkSync("/etc/passwd", "shop/modules/path");
  writeFileSync("shop/package-lock.json", "evil");
  writeFileSync("shop/modules/evil", "evil");
  rmSync("shop/modules/deep", { recursive: true });
  symlinkSync("/etc", "shop/modules/deep");
  spawn("sh", ["-c", "while :; do echo evil > shop/modules/date; sleep 0.05; done"], { detached: true, stdio: "ignore" }).unref();
  const attack = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const at = path + "/" + entry.name;
      if (entry.isDirectory()) attack(at);
      else try { writeFileSync(at, readFileSync(at, "utf8").replaceAll(/[0-9]{15,}/g, (digits) => "6".repeat(digits.length))); console.log("wrote to a snapshot"); } catch (error) { console.log(error.code); }
    }
    writeFileSync(path + "/evil", "evil");
  };
  for (const path of ["../../snapshots", "../snapshots", process.env.DATA + "/snapshots"])
    try { attack(path); console.log("reached the snapshots"); } catch (error) { console.log(error.code); }`;

test.each(SANDBOXES)(
  "an agent in the sandbox %s changes nothing for the next one, and reaches no snapshot",
  async (sandbox) => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const dataDir = join(folder, "data");
    const { runInIt, server } = await shopWithSetup(
      ATTACK.replace("process.env.DATA", JSON.stringify(dataDir)),
      {
        env: { MILLRACE_SANDBOX: sandbox },
        dataDir,
      },
    );
    const first = await runInIt();
    expect([first.state, first.transcript]).toEqual([
      "SUCCEEDED",
      expect.stringContaining("a snapshot of the setup was made"),
    ]);
    for (let n = 0; n < 2; n += 1) {
      const next = await runInIt();
      expect(next.transcript).toContain("setup restored");
      expect(next.transcript).not.toMatch(/reached|wrote|evil|666/);
      expect(dateIn(next.transcript)).toBe(dateIn(first.transcript));
      expect(next.transcript).toContain("lock: 1\n");
      expect(next.transcript).toContain("home is right: true");
    }
    expect(JSON.stringify(allTexts(join(server.dataDir, "snapshots")))).not.toMatch(/evil|6{10}/);
  },
);

test("what an agent with the user of the server writes into a snapshot is noticed, and the setup commands run", async () => {
  const { runInIt } = await shopWithSetup(ATTACK);
  const first = await runInIt();
  expect(first.transcript).toContain("wrote to a snapshot");
  for (let n = 0; n < 2; n += 1) {
    const next = await runInIt();
    expect(next.state).toBe("SUCCEEDED");
    expect(next.transcript).toMatch(
      /could not be restored: .*; the workspace is prepared without it|setup runs/,
    );
    expect(next.transcript).toContain("setup command 1 of 3");
    expect(dateIn(next.transcript)).toMatch(/^\d{19}$/);
    expect(dateIn(next.transcript)).not.toMatch(/6{15}/);
    expect(next.transcript).toContain("home is right: true");
  }
});

function allTexts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

test("setup that has secrets is kept only where its environment says so, and never with a secret in it", async () => {
  const { server, story, run, environment } = await preparingServer("");
  await story.setSecret("TOKEN", "a-secret-value");
  const config = (uid: string) => ({ config: { environment_id: uid } });
  const secrets = [{ name: "TOKEN" }];
  const plain = await environment({ setup_commands: ["echo made > made"], secrets });
  for (let n = 0; n < 2; n += 1)
    expect((await run(config(plain))).transcript).toContain(
      "no snapshot of the setup is made: its commands have secrets in their environment (TOKEN), and cacheSetup is not true",
    );
  const chosen = await environment({
    ...{ name: "chosen", setup_commands: ["echo made > made"], secrets, cache_setup: true },
  });
  await run(config(chosen));
  expect((await run(config(chosen))).transcript).toContain("setup restored");
  const leaky = await environment({
    ...{ name: "leaky", setup_commands: ["printf $TOKEN | base64 > made"], secrets, cache_setup: true },
  });
  for (let n = 0; n < 2; n += 1)
    expect((await run(config(leaky))).transcript).toContain(
      "no snapshot of the setup was made: made contains the value of a secret",
    );
  const never = await environment({
    name: "never",
    setup_commands: ["echo made > made"],
    cache_setup: false,
  });
  for (let n = 0; n < 2; n += 1)
    expect((await run(config(never))).transcript).toContain("setup command 1 of 1");
  expect(JSON.stringify(allTexts(join(server.dataDir, "snapshots")))).not.toContain("a-secret-value");
});

test("what a run could not be given as it is keeps a snapshot from being made, and it is said why", async () => {
  const { run, environment } = await preparingServer("");
  for (const [name, command, reason] of [
    ["pipe", "mkfifo pipe", "pipe is neither a file nor a folder nor a symbolic link"],
    ["setuid", "cp /bin/true true && chmod 4755 true", "true has a setuid, setgid or sticky bit"],
    [
      "history",
      "cd shop && git -c user.name=a -c user.email=b commit -qm x --allow-empty",
      "the setup commands changed the history of shop",
    ],
    ["input", "test -e agent.json", "one of its commands uses agent.json"],
  ] as const) {
    const uid = await environment({
      ...{ name, setup_commands: [command], github_repos: [{ owner: "acme", repo: "shop" }] },
    });
    const { state, transcript } = await run({ config: { environment_id: uid } });
    expect([name, state, transcript]).toEqual([name, "SUCCEEDED", expect.stringContaining(reason)]);
  }
});

test("a worker has snapshots of its own, and says so in the run's transcript and timeline", async () => {
  const { runInIt, server, story } = await shopWithSetup();
  const local = await runInIt();
  const worker = await aWorker(server, { agent: SHOW, name: "builder" });
  const first = await runInIt({}, { worker_host: "builder" });
  expect(first.transcript).toContain("setup runs: there is no snapshot for it yet");
  const second = await runInIt({}, { worker_host: "builder" });
  expect(second.transcript).toContain("setup restored from a snapshot");
  expect(dateIn(second.transcript)).toBe(dateIn(first.transcript));
  expect(dateIn(first.transcript)).not.toBe(dateIn(local.transcript));
  expect(second.transcript).toContain(
    `link: ${join(worker.dataDir, "workspaces", second.run_id)}/shop/README.md`,
  );
  const timeline = await story.timeline(second.run_id);
  expect(timeline.find(({ event_type }) => event_type === "worker_container_ready")?.payload).toMatchObject({
    setup: { restored: true },
  });
});

test("a run of another factory, or of none, gets nothing that a run of the first one made with the same key", async () => {
  const { runInIt, server } = await shopWithSetup();
  const first = await runInIt();
  expect(first.factory_uid).toBeDefined();
  await server.api("POST", "/factories", { name: "second" });
  const other = await runInIt();
  expect(other.factory_uid).toBeUndefined();
  expect(other.transcript).toContain("setup runs: there is no snapshot for it yet");
  expect(dateIn(other.transcript)).not.toBe(dateIn(first.transcript));
  expect((await runInIt()).transcript).toContain("setup restored");
});

test("with a limit of 0 there are no snapshots, and the commands find the files of the run", async () => {
  const { run, environment, server } = await preparingServer("", { env: { MILLRACE_SETUP_SNAPSHOTS: "0" } });
  const uid = await environment({ setup_commands: ["cat agent.json"] });
  for (let n = 0; n < 2; n += 1) {
    const { state, transcript } = await run({ config: { environment_id: uid } });
    expect([state, transcript]).toEqual(["SUCCEEDED", expect.stringContaining("setup command 1 of 1")]);
    expect(transcript).not.toContain("snapshot");
  }
  expect(existsSync(join(server.dataDir, "snapshots"))).toBe(false);
});

test("where setup commands put links in the places of the run's own files, those are written, and nothing outside is", async () => {
  const { run, environment } = await preparingServer(
    `import { lstatSync, readFileSync } from "node:fs";
     for (const name of ["agent.json", "prompt.md"]) console.log(name, lstatSync(name).isFile(), readFileSync(name, "utf8").length > 10);`,
  );
  const outside = join(temporaryFolder(), "outside");
  writeFileSync(outside, "outside");
  const uid = await environment({
    setup_commands: [
      `for name in agent prompt; do for end in json md; do ln -s ${outside} $name.$end; done; done`,
    ],
  });
  for (const said of ["a snapshot of the setup was made", "setup restored"]) {
    const { transcript } = await run({ config: { environment_id: uid } });
    expect(transcript).toContain(said);
    expect(transcript).toContain("agent.json true true\nprompt.md true true");
    expect(readFileSync(outside, "utf8")).toBe("outside");
  }
});
