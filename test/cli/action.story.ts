import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { type Files, folderWith } from "../given/folder.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Action {
  inputs: Record<string, { default: string }>;
  runs: {
    using: string;
    steps: { shell: string; run: string; env: Record<string, string>; uses?: string }[];
  };
}

const action: Action = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));

/** Runs the steps of the action as a runner does: its inputs in the environment, bash for the script. */
async function runAction(repository: string, inputs: Record<string, string>) {
  const [step] = action.runs.steps;
  const summary = join(folderWith({ summary: "" }), "summary");
  const given = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? "";
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, value]) => {
      return [name, value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => given(input))];
    }),
  );
  return new Promise<{ code: number; printed: string; summary: string }>((resolve) => {
    execFile(
      "bash",
      ["-e", "-c", step?.run ?? ""],
      {
        cwd: repository,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_STEP_SUMMARY: summary,
          ...env,
        },
      },
      (error, printed) =>
        resolve({
          code: error ? Number(error.code) : 0,
          printed,
          summary: readFileSync(summary, "utf8"),
        }),
    );
  });
}

const files: Files = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
};

/** These files in a folder of a repository. */
const within = (folder: string, tree: Files): Files =>
  Object.fromEntries(Object.entries(tree).map(([path, content]) => [`${folder}/${path}`, content]));

describe("the action", () => {
  test("uses no third-party code, and passes no input to a shell", () => {
    expect(action.runs.using).toBe("composite");
    for (const step of action.runs.steps) {
      expect(step.uses).toBeUndefined();
      expect(step.run).not.toContain("${{");
    }
    const env = action.runs.steps.flatMap((step) => Object.values(step.env));
    expect(
      env
        .join(" ")
        .match(/inputs\.[\w-]+/g)
        ?.sort(),
    ).toEqual(
      Object.keys(action.inputs)
        .map((name) => `inputs.${name}`)
        .sort(),
    );
  });

  test("annotates problems at file and line in the repository, and fails", async () => {
    const broken = { ...files, "webhooks/ci.yaml": "secretname: X\n" };
    const { code, printed } = await runAction(folderWith(within("ops", broken)), { path: "ops" });
    expect(code).toBe(1);
    expect(printed).toContain("::error file=ops/webhooks/ci.yaml,line=1,col=1,title=FF_UNKNOWN_FIELD::");
  });

  test("takes an input for a path, whatever is in it", async () => {
    const path = "$(touch pwned); --format=json";
    const repository = folderWith(within(path, files));
    expect((await runAction(repository, { path })).code).toBe(0);
    expect(() => readFileSync(join(repository, "pwned"))).toThrow();
    expect((await runAction(repository, { path: "--help" })).code).toBe(2);
  });

  test("plans on a server, with the plan as the job's summary", async () => {
    const { server } = await serving(files, { CI_SECRET: "value" });
    const { "webhooks/ci.yaml": webhook = "", ...rest } = files;
    const repository = folderWith({ ...rest, "webhooks/builds.yaml": webhook });
    const inputs = { server: server.url, "api-key": ADMIN_KEY, factory: "acme" };
    const { code, printed, summary } = await runAction(repository, inputs);
    expect(code).toBe(0);
    expect(printed).toContain("::warning file=webhooks/builds.yaml,line=1,col=1,title=url_will_change::");
    expect(summary).toContain("## Plan for `acme`");
    expect(summary).toContain("- **delete** webhook `ci`");
    const unreachable = await runAction(repository, { ...inputs, server: "http://127.0.0.1:9" });
    expect([unreachable.code, unreachable.printed]).toEqual([3, expect.stringContaining("::warning ")]);
  });
});
