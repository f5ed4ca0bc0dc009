import type { Request } from "express";
import { MillraceError } from "../error.ts";
import { isUid, isUuid } from "../id.ts";
import { checkAttachmentNames } from "../runs/attachment-name.ts";
import { type RunRequest, requestedRun } from "../runs/new-run.ts";
import type { NewAttachment, NewRun, RunSource } from "../runs/run.ts";
import { seesRun } from "./authorize.ts";
import { type ApiRequest, keyOf, type Reply } from "./endpoint.ts";
import { readOnceKey, refuseOtherRequest } from "./once.ts";
import { agentOfRun } from "./reached-agent.ts";
import type { RunParts } from "./runs.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** A prompt, or a message to a run, has at most a mebibyte. */
export const LARGEST_PROMPT_BYTES = 1024 * 1024;
/** A run that starts a run that starts a run: further down than this it is a loop. */
const MOST_ANCESTORS = 10;

/** `POST /agent/runs`: a run of the agent that is named, or of the only factory's foreman, or of no factory. */
export async function createRun(request: ApiRequest, parts: RunParts): Promise<Reply> {
  const { body } = request;
  const key = keyOf(request);
  refuseUnsupported(body);
  const asked = await readRequest(request, parts);
  const agent = await agentOfRun(key, body.agent_identity_uid, parts);
  const run = requestedRun(asked, key.principal, sourceOf(request.http.request), agent);
  return { jsonText: await startRun(run, request, parts, (answer) => answer) };
}

type CreateAnswer = { run_id: string; task_id: string; state: "QUEUED"; at_capacity: boolean };

/**
 * Stores a run and wakes the queue; sent again with the same Idempotency-Key, answers what it answered then.
 * @param shape makes the answer out of what every creation tells
 * @returns JSON
 */
export async function startRun(
  run: NewRun,
  { http, body, caller }: ApiRequest,
  { runs, queue, now }: Pick<RunParts, "runs" | "queue" | "now">,
  shape: (answer: CreateAnswer) => object,
): Promise<string> {
  const answer = JSON.stringify(
    shape({ run_id: run.id, task_id: run.id, state: "QUEUED", at_capacity: queue.isAtCapacity() }),
  );
  const principalUid = caller.kind === "key" ? caller.key.principal.uid : "";
  const once = readOnceKey(http.request, principalUid, body);
  const at = now().toISOString();
  const outcome = once ? await runs.createOnce(run, once, answer, at) : undefined;
  if (!outcome) await runs.create(run, at);
  else if ("differs" in outcome) return refuseOtherRequest();
  queue.wake();
  return outcome?.answer ?? answer;
}

/** @throws MillraceError `payload_too_large` for a text that is too long to be asked of an agent */
export function checkPromptSize(text: string, field: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_PROMPT_BYTES) return;
  throw new MillraceError(
    "payload_too_large",
    `${field}: expected at most ${LARGEST_PROMPT_BYTES} bytes, found ${bytes}.`,
    { remedy: "Send what is long as an attachment.", extra: { field } },
  );
}

async function readRequest(request: ApiRequest, parts: RunParts): Promise<RunRequest> {
  const { prompt, title, skill, config, metadata, parent_run_id } = request.body;
  if (config?.skill_spec !== undefined && config.skills !== undefined) {
    throw invalid("config.skills", "skill_spec and skills name the same thing; give one of them");
  }
  checkPromptSize(prompt ?? "", "prompt");
  checkPromptSize(config?.base_prompt ?? "", "config.base_prompt");
  await checkEnvironment(config?.environment_id, parts);
  const parent = parent_run_id === undefined ? undefined : await findParent(parent_run_id, request, parts);
  return {
    prompt: prompt ?? "",
    attachments: readAttachments(request.body),
    ...(title === undefined ? {} : { title }),
    ...(skill === undefined ? {} : { skill }),
    ...(config === undefined ? {} : { config }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(parent === undefined ? {} : { parent }),
  };
}

async function findParent(id: string, { caller }: ApiRequest, { runs }: RunParts) {
  const parent = isUuid(id.toLowerCase()) ? await runs.find(id.toLowerCase()) : undefined;
  if (!parent || !seesRun(caller, parent))
    throw invalid("parent_run_id", `there is no run ${JSON.stringify(id)}`);
  if (parent.ancestors.length >= MOST_ANCESTORS) {
    throw invalid("parent_run_id", `the run has ${MOST_ANCESTORS} ancestors already, and no run has more`);
  }
  return parent;
}

interface AttachmentInput {
  file_name: string;
  mime_type: string;
  /** The bytes in base64. */
  data: string;
}

/** Attachments, and images as older clients send them, which have no names. */
function readAttachments(body: {
  attachments?: AttachmentInput[];
  images?: Omit<AttachmentInput, "file_name">[];
}) {
  const images = (body.images ?? []).map((image, index) => ({
    ...image,
    file_name: `image-${index + 1}.${image.mime_type.split("/")[1]}`,
  }));
  const given = [...(body.attachments ?? []), ...images];
  checkAttachmentNames(given.map(({ file_name }) => file_name));
  return given.map(({ file_name, mime_type, data }): NewAttachment => {
    return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
  });
}

/** An environment is named by its uid, and has to be there before a run can be prepared in it. */
async function checkEnvironment(uid: string | undefined, { environments }: RunParts): Promise<void> {
  if (uid === undefined || (isUid(uid) && (await environments.find(uid)))) return;
  throw invalid("config.environment_id", `there is no environment ${JSON.stringify(uid)}`);
}

/** The header by which our own clients say what they are. */
export const CLIENT_HEADER = "millrace-client";
const SOURCES: Readonly<Record<string, RunSource>> = { cli: "CLI", web: "WEB_APP" };

export function sourceOf(request: Request): RunSource {
  return SOURCES[String(request.headers[CLIENT_HEADER])] ?? "API";
}

function invalid(field: string, why: string): MillraceError {
  return new MillraceError("invalid_request", `${field}: ${why}.`, { extra: { field } });
}
