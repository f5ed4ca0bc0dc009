import { expect, test } from "vitest";
import { MillraceError } from "../../../src/errors/error.ts";
import { checkAttachmentNames } from "../../../src/runs/output/attachment-name.ts";
import { serverWithAgent } from "../../given/agent.ts";

test.each<[string, string[], string]>([
  ["a path upwards", [".."], '".." is a folder'],
  ["its own folder", ["."], '"." is a folder'],
  ["no name", [""], "the name is empty"],
  ["a path", ["a/b.txt"], "contains a path"],
  ["a path with backslashes", ["a\\b.txt"], "contains a path"],
  ["a NUL", ["a\0b"], "contains a control character"],
  ["a name of 256 bytes", ["\u00fc".repeat(128)], "is 256 bytes long; the limit is 255"],
  ["the prompt", ["prompt.md"], "is reserved: millrace creates a file with this name"],
  ["the configuration", ["agent.json"], "is reserved: millrace creates a file with this name"],
  ["the MCP servers", ["mcp.json"], "is reserved: millrace creates a file with this name"],
  ["the delivery", ["event-payload.json"], "is reserved: millrace creates a file with this name"],
  ["the skills", ["Skills"], "is reserved: millrace creates a file with this name"],
  ["the earlier turns", ["turns"], "is reserved: millrace creates a file with this name"],
])("an attachment cannot be named like %s", (_, names, why) => {
  expect(() => checkAttachmentNames(["fine.txt", ...names])).toThrow(MillraceError);
  expect(() => checkAttachmentNames(["fine.txt", ...names])).toThrow(why);
  expect(() => checkAttachmentNames(["fine.txt", ...names])).toThrow("attachments[1].file_name");
});

test("an attachment may have any other name", () => {
  const names = ["a", "...", ".env", "report 1.txt", "\u00fc".repeat(127), "prompt.md.txt", "skills.json"];
  expect(() => checkAttachmentNames(names)).not.toThrow();
});

test("a request whose attachments share a name is answered 400, and says which", async () => {
  const { server } = await serverWithAgent("");
  const attachment = { file_name: "a.txt", mime_type: "text/plain", data: "YQ==" };
  const answer = await server.fetch("/api/v1/agent/runs", {
    method: "POST",
    headers: { authorization: "Bearer test-admin-key-0123456789" },
    body: JSON.stringify({ prompt: "x", attachments: [attachment, { ...attachment, file_name: "A.txt" }] }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    field: "attachments[1].file_name",
    detail: 'attachments[1].file_name: "A.txt" is already the name of another attachment.',
    remedy: expect.stringContaining("plain file name"),
  });
});
