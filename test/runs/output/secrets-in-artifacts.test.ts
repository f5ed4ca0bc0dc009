import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createMasking, maskText } from "../../../src/secrets/masking/mask.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";

const PEM = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
}) as string;
const LINES = PEM.trim().split("\n");
const BODY = LINES.slice(1, -1);

const masked = (text: string) => maskText(text, createMasking([PEM]));

test.each([
  ["indented", LINES.map((line) => `    ${line}`).join("\n")],
  ["with CRLF", LINES.join("\r\n")],
  ["as a block of YAML", `key: |\n${LINES.map((line) => `  ${line}`).join("\n")}\n`],
  ["quoted line by line", LINES.map((line) => `> ${line}\\n`).join("\n")],
  ["one line of it alone", `found: ${BODY[3]}`],
  ["joined to one line", BODY.join("")],
  ["broken in other places", (BODY.join("").match(/.{1,40}/g) ?? []).join("\n")],
])("a key in PEM is masked: %s", (_, text) => {
  const shown = masked(text);
  for (const line of BODY) expect(shown).not.toContain(line.slice(0, 20));
});

test("short lines of a secret, which stand in other texts too, are not masked", () => {
  expect(maskText("} end of it", createMasking(["first line of a secret\n}\nend"]))).toBe("} end of it");
});

test("a file that holds a secret of its run is marked, and the timeline and the transcript name it", async () => {
  const agent = `
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("artifacts/deep", { recursive: true });
    writeFileSync("artifacts/clean.txt", "nothing");
    writeFileSync("artifacts/binary", Buffer.concat([Buffer.alloc(8), Buffer.from(process.env.DEPLOY_KEY)]));
    writeFileSync("artifacts/deep/leak.txt", "x".repeat(300000) + "token=" + process.env.DEPLOY_KEY + "\\n");`;
  const files = { ...FACTORY, "factory.yaml": `${FACTORY["factory.yaml"]}secrets: [DEPLOY_KEY]\n` };
  const { run, story } = await serverWithAgent(agent, { files });
  await story.setSecret("DEPLOY_KEY", "the-value-of-the-deploy-key");
  await story.sync();
  const { run_id, artifacts, transcript } = await run();
  const marked = artifacts?.map(({ data }) => [data.filepath, data.contains_secret]);
  expect(marked).toEqual([
    ["binary", undefined],
    ["clean.txt", undefined],
    ["deep/leak.txt", true],
  ]);
  expect(transcript).toContain("artifacts/deep/leak.txt contains a secret of this run");
  const told = (await story.timeline(run_id)).filter(
    ({ event_type }) => event_type === "artifact_contains_secret",
  );
  expect(told.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ filepath: "deep/leak.txt" }),
  ]);
});
