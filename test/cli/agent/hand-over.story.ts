import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { agentWith } from "../../given/family.ts";

/**
 * Agents in shell: the foreman runs what its prompt says as one script. Whoever it starts shows what it got, leaves files,
 * and names a branch.
 */
const AGENT = `
  import { spawnSync } from "node:child_process";
  import { readdirSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
  const sh = (script) => {
    const { status, stdout } = spawnSync("sh", ["-c", "exec 2>&1\\n" + script], { encoding: "utf8" });
    console.log(stdout + "status=" + status);
  };
  const prompt = readFileSync("prompt.md", "utf8");
  const [, script] = /^SCRIPT\\n(.*?)\\nEND$/ms.exec(prompt) ?? [];
  if (process.env.MILLRACE_TURN > 1) console.log("next turn: " + prompt);
  else if (script) sh(script);
  else if (prompt.includes("Fail.")) {
    console.error("There is no shop.");
    process.exit(3);
  }
  else if (prompt.includes("Help.")) {
    for (const name of readdirSync(".")) {
      if (/\\.(txt|bin)$/.test(name)) console.log("got", name, readFileSync(name, "hex"));
    }
    mkdirSync("artifacts/deep", { recursive: true });
    writeFileSync("artifacts/deep/result.txt", "the result");
    sh("printf 'diff --git a/x b/x' | millrace agent report patch - --name fix");
    sh("millrace agent report branch fix/total --repository acme/shop --commit 0123456789abcdef");
    sh("millrace agent report branch fix/total --repository acme/shop --commit 0123456789abcdef");
    sh("millrace agent report branch fix/total");
    sh("millrace agent report branch --repository acme/shop -- --upload-pack=x");
    for (const name of ["../../x", "/etc/x", "a/../../b", "a\\\\b"]) {
      const data = Buffer.from("evil").toString("base64");
      const { status } = await fetch(
        process.env.MILLRACE_API_URL + "/api/v1/agent/runs/" + process.env.MILLRACE_RUN_ID + "/artifact-files",
        {
          method: "POST",
          headers: {
            authorization: "Bearer " + process.env.MILLRACE_RUN_TOKEN,
            "content-type": "application/json",
          },
          body: JSON.stringify({ name, data }),
        },
      );
      console.log("name", JSON.stringify(name), status);
    }
  }`;

const stage = sharedByFile(async () => {
  const given = await serverWithAgent(AGENT, {
    files: { "agents/helper/agent.md": agentWith("agentType: IMPLEMENT") },
  });
  const { story } = given;
  return {
    ...given,
    /** Lets the foreman run a script. @returns what it wrote, with the runs that it started */
    async script(lines: string) {
      const { transcript, ...run } = await given.run({ prompt: `SCRIPT\n${lines}\nEND` });
      return { run, transcript, said: (id: string) => story.transcript(id) };
    },
  };
});

const hex = (text: string) => Buffer.from(text).toString("hex");
const START =
  'run=$(millrace agent start helper --prompt Help. --json "$@" | sed -n \'s/.*"run_id": "\\(.*\\)".*/\\1/p\')';
const WAIT = "millrace agent wait $run --hold 50s";

/** The run that a script has started, which it prints. */
const startedIn = (transcript: string) => /^child=(\S+)$/m.exec(transcript)?.[1] ?? "";

describe("an agent hands over", () => {
  test("files and artifacts of its own, which the other one finds in its workspace", async () => {
    const { script } = stage();
    const { transcript, said } = await script(`
      printf 'a file' > given.txt; printf '\\000\\001' > raw.bin; printf 'first' > note.txt
      millrace agent report file note.txt --name notes/note.txt
      printf 'second' > note.txt
      millrace agent report file note.txt --name notes/note.txt
      set -- --file given.txt --file raw.bin --artifact notes/note.txt
      ${START}; echo child=$run; ${WAIT}`);
    const got = await said(startedIn(transcript));
    expect(got).toContain(`got given.txt ${hex("a file")}`);
    expect(got).toContain("got raw.bin 0001");
    expect(got).toContain(`got note.txt ${hex("second")}`);
  });

  test("nothing that its run does not have, and no more than five files", async () => {
    const { transcript } = await stage().script(`
      printf x > x.txt; millrace agent report file x.txt
      millrace agent start helper --prompt Help. --artifact other.txt; echo "status=$?"
      millrace agent start helper --prompt Help. --artifact x.txt --file x.txt; echo "status=$?"
      set -- ; for n in 1 2 3 4 5; do printf x > $n.txt; set -- "$@" --file $n.txt; done
      millrace agent start helper --prompt Help. "$@" --artifact x.txt; echo "status=$?"`);
    expect(transcript).toMatch(/has no file artifact "other\.txt".*It has x\.txt.*status=1/s);
    expect(transcript).toContain('"x.txt" is already the name of another attachment');
    expect(transcript).toContain("expected at most 5 attachments, images and artifacts in total");
  });
});

test("the results of a wait state why a run has failed", async () => {
  const { transcript } = await stage().script(`
    ${START.replace("Help.", "Fail.")}; ${WAIT}; echo "code=$?"`);
  expect(transcript).toContain(": FAILED\nAgent: helper\n");
  expect(transcript).toContain("\nStatus: The agent exited with code 3: There is no shop.\ncode=0\n");
});

describe("what the other one has made", () => {
  test("is listed with its result, and fetched into the workspace", async () => {
    const { transcript, said } = await stage().script(`
      set -- --title Fetch
      ${START}; echo child=$run; ${WAIT}
      millrace agent fetch $run; cat fetched/deep/result.txt fetched/fix.patch
      millrace agent fetch $run deep/result.txt; echo "again=$?"
      millrace agent fetch $run nothing.txt; echo "nothing=$?"`);
    const child = startedIn(transcript);
    expect(transcript).toContain("FILE: deep/result.txt (artifact ");
    expect(transcript).toContain("FILE: fix.patch (patch) (artifact ");
    expect(
      transcript.match(/^EXTERNAL_REFERENCE: branch fix\/total of acme\/shop at commit 0123456789ab /gm),
    ).toHaveLength(1);
    expect(transcript).toContain("the resultdiff --git a/x b/x");
    expect(transcript).toMatch(/at commit 0123456789ab: run `git fetch origin 'fix\/total'` in a clone/);
    expect(transcript).toMatch(/fetched\/deep\/result\.txt already exists\..*--force.*--to\.\n.*again=1/s);
    expect(transcript).toMatch(/has no file "nothing\.txt".*Its files: .*nothing=5/s);
    const told = await said(child);
    for (const name of ["../../x", "/etc/x", "a/../../b", "a\\\\b"]) {
      expect(told).toContain(`name ${JSON.stringify(name.replace("\\\\", "\\"))} 400`);
    }
    expect(told).toContain("data.repository: required for a branch");
    expect(told).toContain("data.branch: expected the name of a branch");
  });

  test("begins the next turn of one that waits, with the names to fetch", async () => {
    const { script } = stage();
    const { run, transcript } = await script(`set --\n${START}\nmillrace agent wait $run; echo child=$run`);
    expect(run.state).toBe("SUCCEEDED");
    expect(transcript).toMatch(/next turn: .*FILE: deep\/result\.txt/s);
    expect(transcript).toMatch(/FILE: fix\.patch \(patch\)/);
    expect(transcript).toMatch(/EXTERNAL_REFERENCE: branch fix\/total of acme\/shop at commit 0123456789ab/);
  });

  test("is not for a stranger", async () => {
    const { script, run } = stage();
    const stranger = await run({ prompt: "Help." });
    const { transcript } = await script(`millrace agent fetch ${stranger.run_id}; echo "fetch=$?"`);
    expect(transcript).toMatch(/There is no run .*fetch=5/s);
    const file = stranger.artifacts?.find(({ artifact_type }) => artifact_type === "FILE")?.data.artifact_uid;
    const handed = await script(
      `millrace agent start helper --prompt Help. --artifact ${file}; echo "start=$?"`,
    );
    expect(handed.transcript).toMatch(/has no file artifact.*start=1/s);
  });
});
