import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SkillText } from "../../runs/agents/skills.ts";
import { OUTPUT_SCHEMA_FILE } from "../../runs/rules/output-answer.ts";
import { AGENT_JSON, EVENT_PAYLOAD, EVENT_PAYLOADS } from "../../runs/rules/workspace-names.ts";
import type { Run } from "../../runs/run.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import { type McpServer, mcpFile } from "./mcp-servers.ts";
import { moveOwn, writeOwnFile, writeOwnFiles } from "./own-file.ts";

/** Where a run's agent works. */
export interface Workspace {
  path: string;
  promptFile: string;
  /** Where the body of the delivery lies, for a run that a delivery started. */
  payloadFile: string | undefined;
}

const PROMPT = "prompt.md";

/** Writes what an agent can use into a new workspace: many runs have the same. */
export async function writeTools(
  path: string,
  { config }: Pick<Run, "config">,
  skills: readonly SkillText[],
): Promise<void> {
  for (const skill of skills) await writeSkill(path, skill);
  await writeOwnFiles(path, [{ path: ["mcp.json"], content: json(mcpFile(config)) }]);
}

/** Writes what one run alone is about into its new workspace. */
export async function writeInput(
  path: string,
  { config, execution }: Pick<Run, "config" | "execution">,
  attachments: readonly { name: string; content: Uint8Array }[],
): Promise<void> {
  const { event } = execution;
  await writeOwnFiles(path, [
    { path: [AGENT_JSON], content: json({ ...config, ...(event === undefined ? {} : { event }) }) },
    ...attachments.map(({ name, content }) => ({ path: name.split("/"), content })),
  ]);
}

async function writeSkill(workspace: string, { name, content, files }: SkillText): Promise<void> {
  await writeOwnFile(workspace, ["skills", name, "SKILL.md"], content);
  for (const { path, content, encoding = "utf8", executable } of files) {
    const mode = executable ? 0o700 : 0o600;
    await writeOwnFile(workspace, ["skills", name, ...path.split("/")], Buffer.from(content, encoding), mode);
  }
}

/**
 * Writes what a turn asks; what the one before it asked is kept. The server's own tools, where the agent reaches them, are named in
 * mcp.json with the token of the turn.
 */
export async function writeTurn(
  path: string,
  { turn, config }: Pick<Run, "turn" | "config">,
  { prompt, own }: { prompt: string; own: McpServer | undefined },
): Promise<void> {
  // A turn that a crash kept from starting has moved the prompt already: what lies there now is its own.
  if (turn > 1) await moveOwn(path, PROMPT, ["turns", `${turn - 1}.md`]);
  await writeOwnFiles(path, [
    { path: [PROMPT], content: `${prompt}\n` },
    ...(own ? [{ path: ["mcp.json"], content: json(mcpFile(config, own)) }] : []),
    ...(config.output_schema ? [{ path: [OUTPUT_SCHEMA_FILE], content: json(config.output_schema) }] : []),
  ]);
}

/** A workspace by its folder. */
export function workspaceAt(path: string, hasPayload: boolean): Workspace {
  return {
    path,
    promptFile: join(path, PROMPT),
    payloadFile: hasPayload ? join(path, EVENT_PAYLOAD) : undefined,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Those attachments that are deliveries of a run that has several, oldest first. */
export function joinedPayloads(attachmentNames: readonly string[]): string[] {
  return attachmentNames.filter((name) => name.startsWith(`${EVENT_PAYLOADS}/`)).sort();
}

/** Writes the bodies of deliveries that have come since the last turn, into the workspace that it has left. */
export async function writeNewPayloads(
  workspace: string,
  joined: readonly string[],
  door: Pick<TurnDoor, "findAttachment">,
): Promise<void> {
  const missing: string[] = [];
  for (const name of joined) if (!(await isThere(join(workspace, name)))) missing.push(name);
  if (missing.length === 0) return;
  for (const name of [...missing, EVENT_PAYLOAD]) {
    const attachment = await door.findAttachment(name);
    if (attachment) await writeOwnFile(workspace, name.split("/"), attachment.content);
  }
}

/** What an agent has put there instead is looked at no further: the file is only written where nothing is. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
