import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent, TOLD_OF_COMMAND } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run, type Server, startServer, waitFor } from "../../given/server.ts";
import { runAtTerminal } from "../../given/shell.ts";
import { type Run, storyOf } from "../../given/story.ts";
import { listedBy, serverWithRuns } from "../../given/varied-runs.ts";

/** Shows its prompt, and then does what the prompt says: fail, linger or nothing. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync(process.env.MILLRACE_PROMPT_FILE, "utf8");
  console.log(prompt);
  if (prompt.includes("linger")) setInterval(() => {}, 1000);
  if (prompt.includes("fail")) process.exitCode = 3;`;

const NOBODY = "00000000-0000-7000-8000-000000000000";

/** The commands against a server, which may be fed on standard input. */
function commandsOf(server: Server) {
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const fed = (input: string, ...args: string[]) => run(["runs", ...args], env, input);
  return {
    fed,
    runs: (...args: string[]) => fed("", ...args),
    /** What a command prints with --json. */
    json: async <Model>(...args: string[]): Promise<Model> =>
      JSON.parse((await fed("", ...args, "--json")).printed),
  };
}

const stage = sharedByFile(async () => {
  const { server, story } = await serverWithAgent(AGENT);
  return { server, story, ...commandsOf(server) };
});

/** A server that executes one run at a time, and a run that takes that place until it is cancelled. */
async function busyServer() {
  const { server, story, start } = await serverWithAgent(AGENT, { env: { MILLRACE_RUN_CONCURRENCY: "1" } });
  const working = await start({ prompt: "linger" });
  await waitFor(async () => (await story.run(working)).state === "INPROGRESS" || undefined);
  return { server, story, start, working, ...commandsOf(server) };
}

describe("millrace runs create", () => {
  test("takes everything that a request can say", async () => {
    const { server, runs, json } = stage();
    const environment = await server.api<{ uid: string }>("POST", "/agent/environments", { name: "web" });
    const [boss] = (await server.api<{ agents: { uid: string }[] }>("GET", "/agent/identities")).agents;
    const parent = (await runs("create", "The parent")).printed.trim();
    const options = ["--title", "All of it", "--agent", "boss", "--skill", "acme/skills:review"];
    const schema = join(folderWith({ "schema.json": '{ "type": "string" }' }), "schema.json");
    const config = [
      "--output-schema",
      schema,
      "--model",
      "small",
      "--name",
      "nightly",
      "--environment",
      "web",
    ];
    // The skill cannot be fetched by a server without forges.
    const marks = [
      "--metadata",
      "team=shop",
      "--metadata",
      "note=a=b",
      "--metadata",
      "empty=",
      "--parent",
      parent,
    ];
    const made = await json<Run>("create", "Do it.", ...options, ...config, ...marks, "--wait");
    expect(made).toMatchObject({
      prompt: "Do it.",
      title: "All of it",
      source: "CLI",
      executor: { uid: boss?.uid },
      parent_run_id: parent,
      metadata: { team: "shop", note: "a=b", empty: "" },
      agent_config: {
        name: "nightly",
        model_id: "small",
        environment_id: environment.uid,
        skill_spec: "acme/skills:review",
        output_schema: { type: "string" },
      },
    });
    const byUid = ["--agent", boss?.uid ?? "", "--environment", environment.uid];
    expect((await runs("create", "Do it.", ...byUid)).code).toBe(0);
    const shown = (await runs("get", made.run_id, "--wait", "30s")).printed;
    expect(shown).toMatch(/^metadata: +note=a=b\n +team=shop\n|^metadata: +team=shop\n +note=a=b\n/m);
    expect(shown).toMatch(new RegExp(`^parent: +${parent} \\([A-Z]+\\)$`, "m"));
  });

  test("prints the id of the run, or the answer of the API", async () => {
    const { runs, json, story } = stage();
    const { code, printed, said } = await runs("create", "Do it.");
    expect([code, said]).toEqual([0, ""]);
    expect((await story.run(printed.trim())).prompt).toBe("Do it.");
    expect(await json("create", "Do it.")).toMatchObject({ state: "QUEUED", run_id: expect.any(String) });
  });

  test("takes the prompt as an argument, an option, a file or standard input, without its last line end", async () => {
    const { runs, fed, story } = stage();
    const file = join(folderWith({ "prompt.md": "From a file.\n\n" }), "prompt.md");
    const made = [
      [await runs("create", "--prompt", "An option."), "An option."],
      [await runs("create", "--prompt-file", file), "From a file.\n"],
      [await fed("Fed.\nTwo lines.\n", "create", "-"), "Fed.\nTwo lines."],
      [await fed("Fed.", "create", "--prompt", "-"), "Fed."],
      [await fed("Fed.", "create", "--prompt-file", "-"), "Fed."],
    ] as const;
    for (const [{ printed }, prompt] of made) expect((await story.run(printed.trim())).prompt).toBe(prompt);
    const skill = await runs("create", "--skill", "acme/skills:review");
    expect((await story.run(skill.printed.trim())).prompt).toBe("");
  });

  test("attaches files with the media types of their names", async () => {
    const { runs, json } = stage();
    const folder = folderWith({ "a.PNG": "png", "b.md": "# b", "c.tar": "tar", "d.json": "{}" });
    const files = ["a.PNG", "b.md", "c.tar", "d.json"].map((name) => join(folder, name));
    const id = (await runs("create", ...files.flatMap((file) => ["--attach", file]), "Read.")).printed.trim();
    expect(await json("attachments", id)).toEqual([
      { name: "a.PNG", size: 3, mime_type: "image/png" },
      { name: "b.md", size: 3, mime_type: "text/markdown" },
      { name: "c.tar", size: 3, mime_type: "application/octet-stream" },
      { name: "d.json", size: 2, mime_type: "application/json" },
    ]);
    expect((await runs("attachments", id)).printed).toMatch(/^NAME +SIZE +TYPE\na\.PNG +3 +image\/png\n/);
    expect((await runs("attachments", id, "b.md")).printed).toBe("# b");
    const output = join(temporaryFolder(), "copy.md");
    expect((await runs("attachments", id, "b.md", "--output", output)).printed).toBe("");
    expect(readFileSync(output, "utf8")).toBe("# b");
    expect((await runs("attachments", id, "none.md", "--output", `${output}.none`)).code).toBe(5);
    expect(existsSync(`${output}.none`)).toBe(false);
  });

  test("starts one run under one key", async () => {
    const { runs } = stage();
    const key = ["--idempotency-key", "only-once"];
    const first = await runs("create", "Once.", ...key);
    expect(await runs("create", "Once.", ...key)).toEqual(first);
    const other = await runs("create", "Another.", ...key);
    expect([other.code, other.said]).toEqual([6, expect.stringContaining("Idempotency-Key")]);
  });

  test.each([
    ["well", "Do it.", 0, "SUCCEEDED"],
    ["badly", "Please fail.", 1, "FAILED"],
  ])("waits for a run that ends %s, or follows it, and ends accordingly", async (_, prompt, code, state) => {
    const { runs } = stage();
    const waited = await runs("create", prompt, "--wait");
    expect([waited.code, waited.printed]).toEqual([code, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
    expect(waited.said).toContain(`Run ${waited.printed.trim()} is ${state}.`);
    const followed = await runs("create", prompt, "--follow");
    expect([followed.code, followed.printed]).toEqual([
      code,
      `${TOLD_OF_COMMAND}You do the work.\n\n${prompt}\n\n`,
    ]);
    const ending = state === "SUCCEEDED" ? "" : `Run [0-9a-f-]{36} is ${state}\\..*\n`;
    expect(followed.said).toMatch(new RegExp(`^Run [0-9a-f-]{36}:\n${ending}$`));
    const lines = (await runs("create", prompt, "-f", "--json")).printed.trim().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ run_id: expect.any(String) });
    expect(events.at(-1)).toEqual({ event: "end", state });
  });

  test("hands a run to the foreman of a factory, with its ticket", async () => {
    const { runs, json, story } = stage();
    const ticket = ["--ticket", "linear:SHOP-1", "--ticket-url", "https://linear.example.com/SHOP-1"];
    const answer = await json<{ run_id: string }>("create", "Do it.", "--factory", "acme", ...ticket);
    expect(answer).toMatchObject({ foreman_agent: "boss", ticket_ref: "linear:SHOP-1" });
    expect((await story.run(answer.run_id)).metadata).toEqual({
      ticket_source: "linear",
      ticket_id: "SHOP-1",
      ticket_url: "https://linear.example.com/SHOP-1",
    });
    expect((await runs("create", "Please fail.", "--factory", "acme", "--wait")).code).toBe(1);
  });
});

describe("millrace runs followup", () => {
  test("joins the prompt of a run that waits, and says so", async () => {
    const { runs, fed, json, start, story, working } = await busyServer();
    const waiting = await start({ prompt: "First." });
    const first = await runs("followup", waiting, "Second.", "--idempotency-key", "k");
    expect([first.code, first.printed]).toEqual([
      0,
      "The run is queued: the message was added to its prompt.\n",
    ]);
    await runs("followup", waiting, "Second.", "--idempotency-key", "k");
    expect((await fed("Third.\n", "followup", waiting, "-")).code).toBe(0);
    expect(await json("followup", waiting, "Last.")).toEqual({ followup_id: null, outcome: "queued_prompt" });
    expect((await runs("followup", working, "Hurry.")).printed).toContain("starts its next turn");
    await runs("cancel", working);
    const ended = await runs("followup", waiting, "Too late.", "--wait");
    expect([ended.code, ended.said]).toEqual([0, `Run ${waiting} is SUCCEEDED.\n`]);
    expect(await story.transcript(waiting)).toContain("First.\n\nSecond.\n\nThird.\n\nLast.\n");
    expect((await runs("followup", waiting, "After the end.")).printed).toContain("The agent has exited");
  });
});

describe("millrace runs cancel", () => {
  test("reports whether a run is cancelled or still ending, and waits for that", async () => {
    const { runs, json, start, working } = await busyServer();
    const waiting = await start();
    expect(await runs("cancel", waiting)).toEqual({
      code: 0,
      printed: `Cancelled run ${waiting}.\n`,
      said: "",
    });
    const again = await runs("cancel", waiting);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining("can no longer be cancelled")]);
    expect((await runs("cancel", working)).printed).toMatch(/^(Cancelling run .*|Cancelled run \S+\.)\n$/);
    const next = await start({ prompt: "linger" });
    expect(await json("cancel", next, "--wait")).toMatchObject({ run_id: next, state: "CANCELLED" });
  });
});

test("millrace runs timeline lists events, and get waits for the end", async () => {
  const { runs, json, story } = stage();
  const id = (await runs("create", "Do it.")).printed.trim();
  expect(await json("get", id, "--wait", "1m")).toMatchObject({ state: "SUCCEEDED" });
  const types = (await json<{ event_type: string }[]>("timeline", id)).map(({ event_type }) => event_type);
  const { printed } = await runs("timeline", id);
  expect(printed).toMatch(/agent_started +none$/m);
  expect(printed.split("\n").map((line) => line.split(/ {2,}/)[1] ?? "")).toEqual(["EVENT", ...types, ""]);
  expect(printed).toMatch(/^\d{4}-\S+Z {2}\w+$/m);
  expect((await story.run(id)).title).toBe("Do it.");
});

test.each<[string, string[], number, string]>([
  ["no prompt", ["create"], 2, "A run requires a prompt."],
  ["no prompt for a factory", ["create", "--factory", "acme"], 2, "A run requires a prompt."],
  ["two prompts", ["create", "a", "--prompt", "b"], 2, "The prompt was specified more than once."],
  ["nothing on standard input", ["create", "-"], 2, "The prompt on standard input is empty."],
  ["a prompt file that is not there", ["create", "--prompt-file", "/nonexistent"], 2, "Cannot read"],
  ["an attachment that is not there", ["create", "a", "--attach", "/nonexistent"], 2, "Cannot read"],
  ["a pair without a value", ["create", "a", "--metadata", "team"], 2, "Expected key=value"],
  ["a pair with a key that is none", ["create", "a", "--metadata", "a b=c"], 2, "Expected key=value"],
  ["a parent that is no id", ["create", "a", "--parent", "x"], 2, "at least its first 4 characters"],
  ["a parent that is not there", ["create", "a", "--parent", NOBODY], 1, "there is no run"],
  ["an agent that is not there", ["create", "a", "--agent", "nobody"], 5, "`millrace agents list`"],
  ["an environment that is not there", ["create", "a", "--environment", "x"], 5, "environments list"],
  ["a factory that is not there", ["create", "a", "--factory", "x"], 5, "There is no factory"],
  ["a model for a foreman", ["create", "a", "--factory", "acme", "--model", "m"], 2, "Cannot use --model"],
  [
    "a ticket without a factory",
    ["create", "a", "--ticket", "a:b"],
    2,
    "Specify the factory with --factory.",
  ],
  ["a ticket without its source", ["create", "a", "--factory", "acme", "--ticket", "b"], 1, "ticket_ref"],
  ["a wait that is too long", ["get", NOBODY, "--wait", "2m"], 2, "at most one minute"],
  ["a wait that is none", ["get", NOBODY, "--wait", "soon"], 2, "at most one minute"],
  ["a timeline of nothing", ["timeline", NOBODY], 5, "`millrace runs list`"],
  ["an empty message", ["followup", NOBODY, ""], 2, "The message is empty."],
  ["a message to nobody", ["followup", NOBODY, "Hello?"], 5, "`millrace runs list`"],
  ["a message to what is no id", ["followup", "x", "Hello?"], 2, "at least its first 4 characters"],
  ["a cancel of nothing", ["cancel", NOBODY], 5, "`millrace runs list`"],
  ["attachments of nothing", ["attachments", NOBODY], 5, "`millrace runs list`"],
  ["an output for a list", ["attachments", NOBODY, "--output", "x"], 2, "Specify the attachment"],
])("%s is reported with what was expected", async (_, args, code, said) => {
  const result = await stage().runs(...args);
  expect(result.said).toContain(said);
  expect([result.code, result.printed]).toEqual([code, ""]);
});

test("a name that several agents have asks for a uid, and names them", async () => {
  const { server, runs } = stage();
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", { name: "boss" });
  const { code, said } = await runs("create", "a", "--agent", "boss");
  expect([code, said]).toEqual([2, expect.stringContaining(uid)]);
  await server.api("DELETE", `/agent/identities/${uid}`);
});

test("an attachment that cannot be written is reported", async () => {
  const { runs } = stage();
  const file = join(folderWith({ "a.txt": "a" }), "a.txt");
  const id = (await runs("create", "a", "--attach", file)).printed.trim();
  const { code, said } = await runs("attachments", id, "a.txt", "--output", "/nonexistent/a");
  expect([code, said]).toEqual([2, expect.stringContaining("Cannot write /nonexistent/a")]);
});

test.each(["create", "list", "get", "logs", "timeline", "followup", "cancel", "attachments"])(
  "millrace runs %s explains itself",
  async (command) => {
    const { code, printed } = await run(["runs", command, "--help"]);
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(new RegExp(`Usage: millrace runs ${command}(\\|\\w+)? \\[options\\]`)),
    ]);
  },
);

test("millrace runs list goes through as many pages as --limit or --all takes", async () => {
  const given = await serverWithRuns();
  const { server, list } = given;
  const body = { prompt: "p", config: { name: "many" } };
  for (let made = 0; made < 520; made += 40) {
    const some = Array.from({ length: 40 }, () => server.api("POST", "/agent/runs", body));
    await Promise.all(some);
  }
  // The runs still change, and a run that is updated between two pages moves to where the list has been.
  const many = ["--name", "many", "--sort", "created_at"];
  expect(await listedBy(given, ...many)).toHaveLength(20);
  expect(await listedBy(given, ...many, "--limit", "3")).toHaveLength(3);
  expect(await listedBy(given, ...many, "--limit", "510")).toHaveLength(510);
  expect(new Set(await listedBy(given, ...many, "--all")).size).toBe(520);
  expect((await list(...many, "--all")).printed.trim().split("\n")).toHaveLength(521);
});

test("the log of a run that wrote nothing says so, and why", async () => {
  const { server, run: runToEnd } = await serverWithAgent("process.exit(3)");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const none = await run(["runs", "logs"], env);
  expect([none.code, none.said]).toEqual([5, expect.stringContaining("No runs yet.")]);
  const { run_id } = await runToEnd();
  const said = `The agent of run ${run_id} wrote no output. The run is FAILED. The agent exited with code 3.\n`;
  expect(await run(["runs", "logs", run_id], env)).toEqual({ code: 0, printed: "", said });
  expect(await run(["runs", "logs", "--follow", run_id], env)).toEqual({ code: 1, printed: "", said });
});

test("a run that belongs to no factory says so when it is created", async () => {
  const other = { ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other") };
  const server = await startServer({ sources: [folderWith(FACTORY), folderWith(other)] });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const created = await run(["runs", "create", "--prompt", "x"], env);
  expect(created.said).toContain("belongs to no factory");
  await storyOf(server).ended(created.printed.trim());
  const sync = await run(["sync"], env);
  expect([sync.code, sync.said]).toEqual([2, expect.stringContaining("Specify one with --factory.")]);
});

test("a reader that leaves early is not a failure", async () => {
  const { server, start, story } = await serverWithAgent(`
    import { writeSync } from "node:fs";
    for (let n = 0; n < 100; n += 1) writeSync(1, "x".repeat(65536) + "\\n");`);
  const id = await start();
  await story.ended(id);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  expect(await run(["runs", "logs", id], env, "", { readsOnce: true })).toMatchObject({ code: 0, said: "" });
});

test("output without a last line end gets one on a terminal only", async () => {
  const { server, run: runToEnd } = await serverWithAgent('process.stdout.write("no end");');
  const { run_id } = await runToEnd();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  expect((await run(["runs", "logs", run_id], env)).printed).toBe("no end");
  expect((await runAtTerminal(["runs", "logs", run_id], env)).shown).toBe("no end\n");
  expect((await runAtTerminal(["runs", "logs", "-f", run_id], env)).shown).toBe("no end\n");
});

test("output that ends with a line, and then with a color, gets no empty line on a terminal", async () => {
  const { server, run: runToEnd } = await serverWithAgent('process.stdout.write("\\x1b[31mred\\n\\x1b[0m");');
  const { run_id } = await runToEnd();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { shown } = await runAtTerminal(["runs", "logs", run_id], env);
  expect(shown.match(/\n/g)).toHaveLength(1);
});
