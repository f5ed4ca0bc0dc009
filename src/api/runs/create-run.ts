import { environmentOf, type RunRequest, requestedRun } from "../../runs/new-run.ts";
import { checkAttachmentNames } from "../../runs/output/attachment-name.ts";
import type { NewAttachment } from "../../runs/run.ts";
import { agentOfRun, isBetweenFactories } from "../agents/reached-agent.ts";
import { type Called, keyOf, type Reply } from "../http/endpoint.ts";
import { checkAgentConfig, checkPromptSize, invalidField } from "./agent-config-check.ts";
import { continueConversation } from "./continue-conversation.ts";
import { runInField } from "./find-run.ts";
import { checkHarness, checkRunner, withKnownHarness } from "./requested-names.ts";
import type { CreateRequest, RunDeps } from "./run-deps.ts";
import { sourceOf, startRun } from "./start-run.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** A run that starts a run that starts a run: further down than this it is a loop. */
const MAX_ANCESTORS = 10;
const MAX_ATTACHMENTS = 5;

/** `POST /agent/runs`: a run of the agent that is named, or of the only factory's foreman, or of no factory. */
export async function createRun(request: CreateRequest, deps: RunDeps): Promise<Reply<"createRun">> {
  refuseUnsupported(request.body);
  const { conversation_id } = request.body;
  if (conversation_id) return continueConversation(request, conversation_id, deps);
  return startRun(request, deps, async () => {
    const key = keyOf(request);
    const read = await readRequest(request, deps);
    const { agent_identity_uid: agentUid, factory } = request.body;
    const agent = await agentOfRun(key, { agentUid, factory }, deps);
    const { config = {} } = read;
    checkHarness(config, "config", deps);
    checkRunner(config, "config", agent && "factory" in agent ? agent.factory.active.definition : undefined);
    const environmentUid = environmentOf(agent, config);
    const environment = environmentUid && (await deps.environments.find(environmentUid));
    const asked = environment ? { ...read, environmentSecrets: environment.config.secrets } : read;
    const run = requestedRun(asked, key.principal, sourceOf(request.http.request), agent);
    const isBetween = !agent && isBetweenFactories(key, deps);
    return { run: isBetween ? { ...run, execution: { ...run.execution, betweenFactories: true } } : run };
  });
}

async function readRequest(request: CreateRequest, deps: RunDeps): Promise<RunRequest> {
  const { prompt, title, skill, config, metadata, parent_run_id } = request.body;
  checkPromptSize(prompt, "prompt");
  await checkAgentConfig(config, "config", keyOf(request), deps);
  const parent = parent_run_id === undefined ? undefined : await findParent(parent_run_id, request, deps);
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

async function findParent(id: string, request: Called, deps: RunDeps) {
  const parent = await runInField(id, "parent_run_id", request, deps);
  if (parent.ancestors.length < MAX_ANCESTORS) return parent;
  throw invalidField(
    "parent_run_id",
    `the parent run already has ${MAX_ANCESTORS} ancestors, which is the limit`,
  );
}

/** Attachments, and images as older clients send them, which have no names. */
function readAttachments(body: CreateRequest["body"]) {
  const images = (body.images ?? []).map((image, index) => ({
    ...image,
    file_name: `image-${index + 1}.${image.mime_type.split("/")[1]}`,
  }));
  const given = [...(body.attachments ?? []), ...images];
  if (given.length > MAX_ATTACHMENTS) {
    throw invalidField("images", `expected at most ${MAX_ATTACHMENTS} attachments and images in total`);
  }
  checkAttachmentNames(given.map(({ file_name }) => file_name));
  return given.map(({ file_name, mime_type, data }): NewAttachment => {
    return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
  });
}
