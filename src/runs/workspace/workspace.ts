import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../run.ts";

/** The name under which a run finds the body of the delivery that started it (spec, Run started by a delivery). */
export const EVENT_PAYLOAD = "event-payload.json";

export interface Workspace {
  path: string;
  promptFile: string;
  /** Where the body of the delivery lies, for a run that a delivery started. */
  payloadFile: string | undefined;
}

/** Makes a run's own folder, for this user alone, with the files that the agent is given. */
export async function prepareWorkspace(
  folder: string,
  run: Run,
  prompt: string,
  attachments: readonly { name: string; content: Uint8Array }[],
): Promise<Workspace> {
  const path = join(folder, run.id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const promptFile = join(path, "prompt.md");
  await writeFile(promptFile, `${prompt}\n`, { mode: 0o600 });
  await writeFile(join(path, "agent.json"), `${JSON.stringify(run.config, null, 2)}\n`, { mode: 0o600 });
  for (const { name, content } of attachments) await writeFile(join(path, name), content, { mode: 0o600 });
  const hasPayload = attachments.some(({ name }) => name === EVENT_PAYLOAD);
  return { path, promptFile, payloadFile: hasPayload ? join(path, EVENT_PAYLOAD) : undefined };
}
