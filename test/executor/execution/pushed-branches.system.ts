import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { automationWith, signatureWebhook, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { preparingServer } from "../../given/executing.ts";
import { folderWith } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { githubExample } from "../../given/github.ts";
import { APP_ID, githubStandIn, PRIVATE_KEY } from "../../given/github-stand-in.ts";
import { aForge, filesWithoutEnd, type RawObjects, rawObjects, runGit } from "../../given/repository.ts";
import { hmacOf, post, SIGNING_SECRET } from "../../given/sender.ts";

/** Runs the script that is given at the time, whose words are those of an agent that attacks. */
const agentRunning = (script: string) => `
  import { spawnSync } from "node:child_process";
  const { stdout, stderr } = spawnSync("bash", ["${script}"], { encoding: "utf8" });
  console.log(stdout + stderr);`;

const PUSH = `
export GIT_TERMINAL_PROMPT=0 HOME=$PWD
push_with() {
  git -C shop -c credential.helper= -c credential.helper='!f() { echo username=x-access-token; echo "password='"$1"'"; }; f' \\
    push --quiet "\${@:2}" > said 2>&1 && echo yes || echo "no: $(tr '\\n' ' ' < said)"
}
push() { push_with "$GITHUB_ACCESS_TOKEN" "$@"; }
`;

const AUTOMATIONS = {
  "automations/push.md": automationWith(`triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] } }
millrace: { push: true }`),
  "automations/reads.md": automationWith(`triggers:
  - { provider: github, event: pull_request_opened }
  - { provider: github, event: push }`),
};

/**
 * A server whose forge takes pushes over HTTP with the tokens of a GitHub App, each for the repositories that it was made for, and
 * which starts runs for what is pushed there.
 */
async function stage(env: Record<string, string> = {}) {
  const app = await githubStandIn();
  const forge = aForge();
  const shop = { "README.md": "The shop.\n" };
  const script = join(folderWith({ "script.sh": "" }), "script.sh");
  chmodSync(join(script, ".."), 0o755);
  const key = join(folderWith({ "app.pem": PRIVATE_KEY }), "app.pem");
  const other = forge.repository("acme/other");
  const host = await serveOverHttp(other.url, "the-token-that-reads");
  host.rewrite = (repository) => repository.replace("/acme/", "/");
  host.isGranted = (token, path) =>
    [...app.tokens].some((made, index) => {
      const { repositories = [] } = (app.grants[index] ?? {}) as { repositories?: string[] };
      return made === token && repositories.some((name) => path.startsWith(`/acme/${name}.git/`));
    });
  const baseUrl = host.url.replace("/other.git", "");
  const settings = {
    baseUrl,
    token: { secret: "FORGE" },
    api: app.api,
    app: { id: APP_ID, privateKey: { file: key } },
  };
  forge.settings = JSON.stringify({ forges: { home: settings } });
  const given = await preparingServer(agentRunning(script), {
    forge,
    shop,
    env,
    files: {
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "webhooks/github.yaml": signatureWebhook("github", "HUB"),
      ...AUTOMATIONS,
    },
  });
  const { story, repository } = given;
  for (const each of [repository, other]) runGit(each.url, "config", "http.receivepack", "true");
  await story.setSecret("FORGE", host.token);
  await story.setSecret("CI_SECRET", "token");
  await story.setSecret("HUB", SIGNING_SECRET);
  await story.sync();
  const [ci, github] = [await story.urlOf("ci"), await story.urlOf("github")];
  const endOf = async (deliveryId: string) => {
    const { run_ids } = await story.delivery(deliveryId);
    expect(run_ids).toHaveLength(1);
    const ended = await story.ended(run_ids[0] ?? "", 110);
    return { ...ended, transcript: await story.transcript(ended.run_id) };
  };
  let sent = 0;
  return {
    ...given,
    ...{ app, host, other },
    tell: (text: string) => writeFileSync(script, text),
    /** Lets an agent that may push run a script. */
    async attack(text: string) {
      writeFileSync(script, PUSH + text);
      sent += 1;
      return endOf(await story.accept(ci, "token", JSON.stringify({ sent })));
    },
    /** Lets the forge tell of something. @returns how the run ended that it has started */
    async hear(event: string, payload: object) {
      const body = JSON.stringify(payload);
      const signature = `sha256=${hmacOf(body)}`;
      // A connection that was left alone while objects were made may be closed.
      const headers = { "x-hub-signature-256": signature, "x-github-event": event, connection: "close" };
      const answer = await post(github, body, headers);
      const { delivery_id } = (await answer.json()) as { delivery_id: string };
      return endOf(delivery_id);
    },
  };
}

const ofPull = (sha: string, ref: string, more: object = {}) =>
  githubExample("pull_request", "opened", {
    repository: { full_name: "acme/shop" },
    pull_request: { number: 7, head: { sha, ref, repo: { full_name: "acme/shop" } }, ...more },
  }).payload;

const ofPush = (ref: string, after: string) =>
  githubExample("push", undefined, { repository: { full_name: "acme/shop" }, ref, after, deleted: false })
    .payload;

test("an agent pushes to the repository of its run, and nowhere else", async () => {
  const { attack, host, app, other, repository, forge } = await stage();
  const { transcript } = await attack(`
    git -C shop commit --quiet --allow-empty --message=Work
    echo own $(push ${host.url.replace("/other.git", "")}/acme/shop.git HEAD:refs/heads/work)
    echo other $(push ${host.url.replace("/other.git", "")}/acme/other.git HEAD:refs/heads/work)
    echo clone $(push_with "" origin HEAD:refs/heads/work2)
    for secret in "$GITHUB_ACCESS_TOKEN" "$MILLRACE_RUN_TOKEN"; do
      echo server $(push_with "$secret" $MILLRACE_API_URL/api/v1/workers/door/git/home/acme/shop.git HEAD:refs/heads/work)
      for path in agent/runs factories secrets workers; do
        echo $path $(curl -s -o said -w '%{http_code}' -H "Authorization: Bearer $GITHUB_ACCESS_TOKEN" $MILLRACE_API_URL/api/v1/$path)
      done
    done
    grep -rl "$GITHUB_ACCESS_TOKEN" . | sed 's/^/in file /'`);
  const lines = transcript.split("\n").filter((line) => /^(own|other|clone|server|in file)\b/.test(line));
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "own yes",
    "other no:",
    "clone no:",
    "server no:",
    "server no:",
  ]);
  expect(transcript.match(/^(?:agent\/runs|factories|secrets|workers) \d+$/gm)).toEqual(
    ["agent/runs", "factories", "secrets", "workers", "agent/runs", "factories", "secrets", "workers"].map(
      (path) => `${path} 401`,
    ),
  );
  expect(app.grants).toEqual([
    { repositories: ["shop"], permissions: { contents: "write", pull_requests: "write" } },
  ]);
  const branches = (url: string) => runGit(url, "for-each-ref", "--format=%(refname:short)", "refs/heads");
  expect(branches(repository.url).split("\n")).toEqual(["main", "work"]);
  expect(branches(other.url)).toBe("main");
  expect(forge.baseUrl).toMatch(/^file:/);
  // Each turn has a token of its own.
  await attack("echo again");
  expect(new Set(app.tokens).size).toBe(2);
});

/** Trees that git itself would never write, and what a forge may let through all the same. */
const TREES: [name: string, tree: (raw: RawObjects, outside: string) => string, state: string][] = [
  [
    "its own folder .git",
    (raw) =>
      raw.tree([
        [".git", { tree: raw.tree([["config", "[core]\n\tfsmonitor = touch ran\n"]]) }],
        ["a", "1"],
      ]),
    "FAILED",
  ],
  ["a folder above", (raw) => raw.tree([["..", { tree: raw.tree([["prompt.md", "Changed."]]) }]]), "FAILED"],
  ["a slash in a name", (raw) => raw.tree([["../prompt.md", "Changed."]]), "FAILED"],
  [
    "a file behind a link",
    (raw, outside) =>
      raw.tree([
        ["out", { link: outside }],
        ["out", { tree: raw.tree([["kept", "Changed."]]) }],
      ]),
    "",
  ],
  ["a link as .gitmodules", (raw, outside) => raw.tree([[".gitmodules", { link: `${outside}/kept` }]]), ""],
  [
    "submodules whose addresses are options and programs",
    (raw) =>
      raw.tree([
        [
          ".gitmodules",
          '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch ran\n[submodule "../y"]\n\tpath = y\n\turl = ext::sh -c touch% ran\n\tupdate = !touch ran\n',
        ],
        ["x", { submodule: "1".repeat(40) }],
        ["y", { submodule: "2".repeat(40) }],
      ]),
    "SUCCEEDED",
  ],
  [
    "filters, and a repository with settings inside",
    (raw) =>
      raw.tree([
        [".gitattributes", "* filter=lfs diff=x merge=x working-tree-encoding=UTF-16\n"],
        ["HEAD", "ref: refs/heads/main\n"],
        [
          "config",
          "[core]\n\tbare = true\n\tworktree = /tmp\n\tfsmonitor = touch ran\n\thooksPath = hooks\n",
        ],
        ["hooks", { tree: raw.tree([["post-checkout", "#!/bin/sh\ntouch ran\n"]]) }],
        ["objects", { tree: raw.tree([["x", "1"]]) }],
        ["refs", { tree: raw.tree([["x", "1"]]) }],
      ]),
    "",
  ],
  [
    "a path that is longer than paths can be",
    (raw) => {
      let tree = raw.tree([["f", "1"]]);
      for (let level = 0; level < 30; level += 1) tree = raw.tree([["d".repeat(200), { tree }]]);
      return tree;
    },
    "FAILED",
  ],
  ["ten billion files", (raw) => filesWithoutEnd(raw), "FAILED"],
  [
    "a terabyte of one file",
    (raw) => {
      const file = Buffer.alloc(1024 * 1024, "x");
      let tree = raw.tree(Array.from({ length: 100 }, (_, n) => [`f${n}`, file] as const));
      const folder = tree;
      tree = raw.tree(Array.from({ length: 1_000 }, (_, n) => [`d${n}`, { tree: folder }] as const));
      return tree;
    },
    "FAILED",
  ],
];

test("a pushed branch writes nowhere but into the clone of the run that it is checked out for, and runs nothing", async () => {
  const { hear, repository, workspaceOf, server, tell } = await stage({ MILLRACE_WORKSPACE_QUOTA: "64MiB" });
  tell("cat prompt.md | tail -1; find . -name ran");
  const outside = folderWith({ kept: "as it was" });
  chmodSync(outside, 0o777);
  const raw = rawObjects(repository);
  for (const [index, [name, make, expected]] of TREES.entries()) {
    const head = raw.commit(make(raw, outside), `refs/heads/evil-${index}`);
    runGit(repository.url, "update-ref", "refs/pull/7/head", head);
    const { state, transcript, run_id, status_message } = await hear(
      "pull_request",
      ofPull(head, `evil-${index}`),
    );
    const note = `${name}: ${status_message?.message} ${transcript}`;
    if (expected !== "") expect(state, note).toBe(expected);
    if (state === "FAILED") expect(status_message?.error_code, note).toBe("environment_setup_failed");
    expect(transcript, note).not.toMatch(/\bran\b/);
    expect(readFileSync(join(outside, "kept"), "utf8"), note).toBe("as it was");
    expect(readdirSync(outside), note).toEqual(["kept"]);
    const prompt = join(workspaceOf(run_id), "prompt.md");
    if (existsSync(prompt)) expect(readFileSync(prompt, "utf8"), note).not.toContain("Changed.");
    expect(existsSync(join(server.dataDir, "ran")), note).toBe(false);
    // What is left of paths that are too long is nothing that Node could remove.
    execFileSync("rm", ["-rf", join(workspaceOf(run_id), "shop")]);
  }
  // The mirror is as good as before.
  const main = repository.git("rev-parse", "HEAD");
  const { state, transcript } = await hear("push", ofPush("refs/heads/main", main));
  expect([state, transcript]).toEqual([
    "SUCCEEDED",
    expect.stringContaining(`at commit ${main.slice(0, 12)}`),
  ]);
}, 400_000);

test("branches of any name, moved, deleted and replaced by an agent, leave later runs where their events happened", async () => {
  const { attack, hear, host, repository, tell } = await stage();
  const url = `${host.url.replace("/other.git", "")}/acme/shop.git`;
  const main = repository.git("rev-parse", "HEAD");
  const names = [
    "refs/heads/refs/heads/main",
    "refs/heads/HEAD",
    "refs/heads/origin/main",
    "refs/heads/MAIN",
    "refs/heads/$(touch$IFS$9ran)",
    "refs/heads/a'b\\\"c;d&e|f",
    `refs/heads/${"ü".repeat(100)}`,
    "refs/heads/\u202egnp",
    "refs/heads/fix",
    "refs/tags/main",
    "refs/tags/fix",
    `refs/heads/${main}`,
    `refs/replace/${main}`,
    "refs/millrace/pull/7/head",
    "refs/notes/commits",
  ];
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const pushed = await attack(`
    git -C shop commit --quiet --allow-empty --message=Forged --author='Boss <boss@acme.example>'
    for name in ${names.map(quoted).join(" ")}; do push ${url} +HEAD:"$name"; done
    push ${url} :refs/heads/../../x; push ${url} HEAD:refs/heads/a..b; push ${url} HEAD:refs/heads/-x HEAD:refs/heads/x.lock
    push ${url} $(for n in $(seq 60); do echo HEAD:refs/heads/many/$n; done)`);
  expect(pushed.state, pushed.transcript).toBe("SUCCEEDED");
  expect(pushed.transcript.match(/^yes$/gm)?.length, pushed.transcript).toBeGreaterThanOrEqual(names.length);
  tell("git -C shop log -1 --format='on %H'; git -C shop branch --show-current; find . -name ran");
  const onMain = await hear("push", ofPush("refs/heads/main", main));
  expect([onMain.state, onMain.transcript]).toEqual([
    "SUCCEEDED",
    expect.stringContaining(`on ${main}\nmain\n`),
  ]);
  expect(onMain.transcript).not.toMatch(/\bran\b/);
  const forged = runGit(repository.url, "rev-parse", "refs/heads/fix");
  // A branch in the place of a folder of branches, a deleted one, and one that is replaced while it is told of.
  await attack(`
    push ${url} :refs/heads/fix; push ${url} HEAD:refs/heads/fix/1
    git -C shop push --help > /dev/null; push ${url} $(for n in $(seq 60); do echo :refs/heads/many/$n; done)
    push ${url} HEAD:refs/heads/many`);
  tell("git -C shop log -1 --format='on %H'; git -C shop branch --show-current; find . -name ran");
  const moved = await hear("push", ofPush("refs/heads/fix/1", forged));
  expect([moved.state, moved.transcript]).toEqual([
    "SUCCEEDED",
    expect.stringMatching(/^on [0-9a-f]{40}\nfix\/1$/m),
  ]);
  const gone = await hear("push", ofPush("refs/heads/fix", "1".repeat(40)));
  expect([gone.state, gone.status_message?.error_code]).toEqual(["FAILED", "environment_setup_failed"]);
  // Names of branches that the forge tells are a stranger's text.
  for (const ref of [
    "--upload-pack=touch ran",
    "../../../x",
    "a\u0000b",
    "\u001b[31mred",
    "x".repeat(70_000),
  ]) {
    const { state, transcript } = await hear(
      "pull_request",
      ofPull(main, ref, { title: `@boss ${ref}`, body: ref }),
    );
    expect([state, transcript.includes("ran\n")]).toEqual(["FAILED", false]);
  }
}, 400_000);
