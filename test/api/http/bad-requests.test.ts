import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";

const stage = sharedByFile(() => serving(FACTORY, {}));

describe("bad input names its field:", () => {
  const metadata = (key: string, value: string) => ({ metadata: { [key]: value } });
  const aMebibyte = 1024 * 1024;
  test.each<[string, number, string, object]>([
    ["no prompt and no skill", 400, "prompt", { prompt: undefined }],
    ["an empty prompt", 400, "prompt", { prompt: "" }],
    ["a prompt with NUL", 400, "prompt", { prompt: "a\0b" }],
    ["a prompt with half a character", 400, "prompt", { prompt: "\ud800" }],
    ["a prompt of more than a mebibyte", 413, "prompt", { prompt: "é".repeat(aMebibyte / 2 + 1) }],
    [
      "a base prompt of more than a mebibyte",
      413,
      "config.base_prompt",
      { config: { base_prompt: "x".repeat(aMebibyte + 1) } },
    ],
    ["a title that is too long", 400, "title", { title: "x".repeat(501) }],
    ["a title that is no text", 400, "title", { title: 7 }],
    ["a key that no client knows", 400, "promt", { promt: "p" }],
    ["a key of the configuration that no client knows", 400, "config.colour", { config: { colour: "red" } }],
    [
      "an environment that is not there",
      400,
      "config.environment_id",
      { config: { environment_id: "A".repeat(22) } },
    ],
    ["an environment that cannot be", 400, "config.environment_id", { config: { environment_id: "a b" } }],
    ["an agent that is not there", 400, "agent_identity_uid", { agent_identity_uid: "B".repeat(22) }],
    ["a parent that is no id", 400, "parent_run_id", { parent_run_id: "x" }],
    [
      "a parent that is not there",
      400,
      "parent_run_id",
      { parent_run_id: "01a1fe22-6744-70ce-94a0-348515e54587" },
    ],
    [
      "skill_spec beside skills",
      400,
      "config.skills",
      { config: { skill_spec: "a/b:c", skills: ["a/b:c"] } },
    ],
    ["no skills in a list of skills", 400, "config.skills", { config: { skills: [] } }],
    [
      "an MCP server of two kinds",
      400,
      "config.mcp_servers.m",
      { config: { mcp_servers: { m: { url: "u", command: "c" } } } },
    ],
    ["an MCP server of no kind", 400, "config.mcp_servers.m", { config: { mcp_servers: { m: {} } } }],
    [
      "an idle time of more than an hour",
      400,
      "config.idle_timeout_minutes",
      { config: { idle_timeout_minutes: 61 } },
    ],
    [
      "another credential strategy",
      400,
      "config.credential_strategy",
      { config: { credential_strategy: "BOTH" } },
    ],
    ["metadata that is no map", 400, "metadata", { metadata: [] }],
    ["a metadata key with a space", 400, "metadata", metadata("a b", "v")],
    ["an empty metadata key", 400, "metadata", metadata("", "v")],
    ["a metadata key of 65 bytes", 400, "metadata", metadata("k".repeat(65), "v")],
    ["a metadata value of 257 bytes", 400, "metadata.k", metadata("k", `${"é".repeat(128)}x`)],
    ["a metadata value with NUL", 400, "metadata.k", metadata("k", "\0")],
    ["a metadata value that is no text", 400, "metadata.k", { metadata: { k: 1 } }],
    [
      "21 pairs of metadata",
      400,
      "metadata",
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) },
    ],
    [
      "six attachments",
      400,
      "attachments",
      { attachments: Array(6).fill({ file_name: "a", mime_type: "a/b", data: "" }) },
    ],
    [
      "an attachment that is no base64",
      400,
      "attachments[0].data",
      { attachments: [{ file_name: "a", mime_type: "a/b", data: "abc" }] },
    ],
    [
      "an attachment with a path",
      400,
      "attachments[0].file_name",
      { attachments: [{ file_name: "../a", mime_type: "a/b", data: "" }] },
    ],
  ])("%s", async (_, status, field, changes) => {
    const answer = await ask(stage().server, "POST", "/agent/runs", { body: { prompt: "p", ...changes } });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  test("bounds are met exactly by what is taken", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, "é".repeat(128)]));
    const body = { prompt: "x".repeat(aMebibyte), metadata, title: "x".repeat(500) };
    expect((await ask(stage().server, "POST", "/agent/runs", { body })).status).toBe(200);
  });

  test.each<[string, string, string]>([
    ["limit=0", "limit", "limit"],
    ["limit=501", "limit", "limit"],
    ["limit=x", "limit", "limit"],
    ["sort_by=colour", "sort_by", "sort_by"],
    ["sort_order=up", "sort_order", "sort_order"],
    ["state=LOST", "state[0]", "one of"],
    [Array(100).fill("state=FAILED").join("&"), "state", "at most"],
    ["source=MAIL", "source[0]", "one of"],
    ["task_status=odd", "task_status[0]", "one of"],
    ["created_after=yesterday", "created_after", "time such as"],
    ["created_before=2026-13-01T00:00:00Z", "created_before", "time such as"],
    ["updated_after=2026-1-1", "updated_after", "time such as"],
    ["environment_id=short", "environment_id", "22"],
    ["execution_location=MOON", "execution_location", "one of"],
    ["artifact_type=SONG", "artifact_type", "one of"],
    ["ancestor_run_id=01a1fe22-6744-70ce-94a0-348515e54587", "ancestor_run_id", "no run"],
    ["skill=a/b:c&skill_spec=d/e:f", "skill_spec", "differ"],
    [[1, 2, 3, 4, 5, 6].map((n) => `metadata[k${n}]=v`).join("&"), "metadata", "metadata"],
    ["metadata[a b]=v", "metadata", "metadata"],
    ["metadata[k]=a&metadata[k]=b", "metadata.k", "string"],
    ["name=", "name", "empty"],
    ["factory_only=maybe", "factory_only", "true or false"],
    ["colour=red", "colour", "unknown"],
    ["cursor=abc", "cursor", "cursor"],
  ])("the query %s", async (query, field, words) => {
    const { status, body } = await ask(stage().server, "GET", `/agent/runs?${encodeURI(query)}`);
    expect([status, body.field]).toEqual([400, field]);
    expect(String(body.detail)).toContain(words);
  });
});
