import { open } from "node:fs/promises";
import { createMasking, maskText } from "../../secrets/masking/mask.ts";

/** The file in artifacts/ whose text is the answer of its turn, whatever else the agent has said. */
export const ANSWER_FILE = "answer.md";

/** The file in artifacts/ whose text is the plan of a run in plan mode. */
export const PLAN_FILE = "plan.md";

/** In characters. The whole file is an artifact. */
const MAX_ANSWER = 64 * 1024;
/** In bytes: more than that many characters have, so that no secret that is shown is cut before it is found. */
const MAX_READ = 512 * 1024;

/** Reads the copy of an answer that is kept, without the secrets of its run. */
export async function readAnswerFile(path: string, secrets: readonly string[]): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_READ), 0, MAX_READ, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return maskText(text, createMasking(secrets)).slice(0, MAX_ANSWER).trim();
  } finally {
    await file.close();
  }
}
