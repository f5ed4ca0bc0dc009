import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { run } from "../given/server.ts";

const broken = { ...FACTORY, "webhooks/ci.yaml": "secretname: X\n" };

describe("validate", () => {
  test("shows problems with their line and a caret, and ends with 1", async () => {
    const { code, printed } = await run(["validate", folderWith(broken)]);
    expect(code).toBe(1);
    expect(printed).toContain(
      'error FF_UNKNOWN_FIELD webhooks/ci.yaml:1:1\n  unknown key "secretname": did you mean "secretName"?\n  1 | secretname: X\n    | ^\n',
    );
    expect(printed).toContain("Not valid: 2 errors.");
  });

  test("ends with 0 for a valid tree, and with 2 for one that it cannot look at", async () => {
    const valid = await run(["validate", folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })]);
    expect([valid.code, valid.printed]).toEqual([
      0,
      expect.stringContaining("Valid: 1 agent, 0 automations, 1 webhook."),
    ]);
    expect((await run(["validate", "/nowhere/at/all"])).code).toBe(2);
    expect((await run(["validate", "--format", "xml"])).code).toBe(2);
  });

  test("prints JSON for programs", async () => {
    const { code, printed } = await run(["validate", folderWith(broken), "--format", "json"]);
    const { valid, problems } = JSON.parse(printed);
    expect([code, valid]).toEqual([1, false]);
    expect(problems[0]).toEqual({
      code: "FF_MISSING_REQUIRED",
      message: expect.any(String),
      path: "webhooks/ci.yaml",
      line: 1,
      column: 1,
      severity: "error",
    });
  });

  test("prints annotations for GitHub", async () => {
    const { code, printed } = await run(["validate", folderWith(broken), "--format", "github"]);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^::error file=.*webhooks\/ci\.yaml,line=1,col=1,title=FF_UNKNOWN_FIELD::unknown key/m,
    );
  });

  test("prints SARIF for code scanners", async () => {
    const { printed } = await run(["validate", folderWith(broken), "--format", "sarif"]);
    expect(JSON.parse(printed)).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "millrace" } },
          results: expect.arrayContaining([
            expect.objectContaining({ ruleId: "FF_UNKNOWN_FIELD", level: "error" }),
          ]),
        },
      ],
    });
  });
});
