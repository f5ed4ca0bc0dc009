import { checkAttachmentNames } from "../runs/attachment-name.ts";
import { environmentOf, type RunRequest, requestedRun } from "../runs/new-run.ts";
import type { NewAttachment } from "../runs/run.ts";
import { checkAgentConfig, checkPromptSize, invalidField } from "./agent-config-check.ts";
import { continueConversation } from "./continue-conversation.ts";
import { type ApiRequest, keyOf, type Reply } from "./endpoint.ts";
import { runInField } from "./find-run.ts";
import { agentOfRun, isBetweenFactories } from "./reached-agent.ts";
import { checkHarness, checkRunner, withKnownHarness } from "./requested-names.ts";
import type { RunParts } from "./run-parts.ts";
import { sourceOf, startRun } from "./start-run.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** A run that starts a run that starts a run: further down than this it is a loop. */
const MOST_ANCESTORS = 10;
const MOST_ATTACHMENTS = 5;

/** `POST /agent/runs`: a run of the agent that is named, or of the only factory's foreman, or of no factory. */
export async function createRun(request: ApiRequest, parts: RunParts): Promise<Reply> {
  refuseUnsupported(request.body);
  if (request.body.conversation_id) return continueConversation(request, parts);
  return startRun(request, parts, async () => {
    const key = keyOf(request);
    const read = await readRequest(request, parts);
    const { agent_identity_uid: agentUid, factory } = request.body;
    const agent = await agentOfRun(key, { agentUid, factory }, parts);
    const { config = {} } = read;
    checkHarness(config, "config", parts);
    checkRunner(config, "config", agent && "factory" in agent ? agent.factory.served.definition : undefined);
    const environmentUid = environmentOf(agent, config);
    const environment = environmentUid && (await parts.environments.find(environmentUid));
    const asked = environment ? { ...read, environmentSecrets: environment.config.secrets } : read;
    const run = requestedRun(asked, key.principal, sourceOf(request.http.request), agent);
    const isBetween = !agent && isBetweenFactories(key, parts);
    return { run: isBetween ? { ...run, execution: { ...run.execution, betweenFactories: true } } : run };
  });
}

async function readRequest(request: ApiRequest, parts: RunParts): Promise<RunRequest> {
  const { prompt, title, skill, config, metadata, parent_run_id } = request.body;
  checkPromptSize(prompt, "prompt");
  await checkAgentConfig(config, "config", keyOf(request), parts);
  const parent = parent_run_id === undefined ? undefined : await findParent(parent_run_id, request, parts);
  return {
    prompt: prompt ?? "",
    attachments: readAttachments(request.body),
    ...(title === undefined ? {} : { title }),
    ...(skill === undefined ? {} : { skill }),
    ...(config === undefined ? {} : { config: withKnownHarness(config) }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(parent === undefined ? {} : { parent }),
  };
}

async function findParent(id: string, request: ApiRequest, parts: RunParts) {
  const parent = await runInField(id, "parent_run_id", request, parts);
  if (parent.ancestors.length < MOST_ANCESTORS) return parent;
  throw invalidField("parent_run_id", `the run has ${MOST_ANCESTORS} ancestors already, and no run has more`);
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
  if (given.length > MOST_ATTACHMENTS) {
    throw invalidField("images", `expected at most ${MOST_ATTACHMENTS} attachments and images together`);
  }
  checkAttachmentNames(given.map(({ file_name }) => file_name));
  return given.map(({ file_name, mime_type, data }): NewAttachment => {
    return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
  });
}
