import { isUtf8 } from "node:buffer";
import type { StartGrant } from "../../definitions/definition.ts";
import { grantsAgent } from "../../definitions/start-grant.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { findFamilyLimit } from "../family-root.ts";
import { idempotencyKey } from "../idempotency.ts";
import { fileMaskOf, maskOf, type RunMasks } from "../output/run-masks.ts";
import { MAX_FAMILY, MAX_OF_AGENT_IN_LINE, type StartAnswer, type StartRefusal } from "../rules/family.ts";
import type { NewAttachment, NewRun, Run } from "../run.ts";
import { listedRepositories } from "../turn/needs.ts";
import {
  checkPromptSize,
  type RunBody,
  refuseUnsupported,
  requestedAttachments,
  requestedCheckout,
} from "./check-request.ts";
import { environmentOf, type RunFactory, requestedRun } from "./requested-run.ts";
import { priorityOfFamily, type StartDeps, type StartRequest, storeChild } from "./start-run.ts";

/** What an agent says of a run that it starts. Everything else is what its agent's definition says. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "prompt",
  "agent",
  "title",
  "attachments",
  "images",
  "artifacts",
  "checkout",
  "metadata",
  "parent_run_id",
  "mode",
]);

/**
 * The agent of a run starts another agent of the same factory. The new run has nothing of its parent but the metadata. A parent's
 * turn that is repeated starts nothing again under the same Idempotency-Key.
 * @returns the answer, as JSON
 * @throws MillraceError `not_authorized` or `conflict` when the grant of the parent or a bound of its family refuses it
 */
export async function startChild(
  { body, sent }: Pick<StartRequest, "body" | "sent">,
  parent: Run,
  deps: StartDeps,
): Promise<string> {
  refuseForeignFields(body, parent);
  refuseUnsupported(body);
  const once = idempotencyKey(sent, parent.id, withoutEmpty(body));
  const before = once && (await deps.runs.findStart(parent.id, once));
  if (before) return repeated(before).answer;

  const agent = body.agent ?? "";
  const factory = await grantedFactory(agent, parent, deps);
  const run = await childOf(body, parent, factory, deps);
  const { children = 0 } = parent.execution.starts ?? {};
  const familyUsd = await findFamilyLimit(parent, deps.queue.budgets(), deps.runs);
  const start = { parentId: parent.id, parentTurn: parent.turn, agent, children, familyUsd, once };
  const outcome = await storeChild(run, start, deps);
  if ("refused" in outcome) throw startRefused(outcome.refused, agent, parent);
  return repeated(outcome).answer;
}

/** The same start, whether a tool leaves a list out or sends an empty one. */
function withoutEmpty(body: RunBody): object {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => typeof value !== "object" || Object.keys(value).length > 0),
  );
}

/** @throws MillraceError `conflict` when the key has started another run than the one that is asked for */
function repeated(before: StartAnswer): Exclude<StartAnswer, { differsFrom: string }> {
  if ("differsFrom" in before) throw startedOtherwise(before.differsFrom);
  return before;
}

function refuseForeignFields(body: RunBody, parent: Run): void {
  const foreign = Object.keys(body).find((field) => !OWN_FIELDS.has(field));
  if (foreign !== undefined) {
    throw new MillraceError(
      "not_authorized",
      `${foreign}: an agent cannot set this for a run that it starts; the definition of the agent that it starts does.`,
      { remedy: "Omit it.", extra: { field: foreign } },
    );
  }
  const { parent_run_id: given, agent, prompt } = body;
  if (given !== undefined && given.toLowerCase() !== parent.id) {
    throw new MillraceError(
      "not_authorized",
      `parent_run_id: the parent of a run that an agent starts is the agent's own run, ${parent.id}.`,
      { remedy: "Omit it.", extra: { field: "parent_run_id" } },
    );
  }
  if (agent === undefined) throw invalidField("agent", "expected the name of the agent to start");
  if ((prompt ?? "").trim() === "") throw invalidField("prompt", "expected what the agent is to do");
  checkPromptSize(prompt, "prompt");
}

/** @throws MillraceError when the grant of the parent does not name the agent, or the factory has no such agent any more */
async function grantedFactory(agent: string, parent: Run, deps: StartDeps): Promise<RunFactory> {
  const { starts } = parent.execution;
  const factory = deps.factories.list().find(({ record }) => record.uid === parent.factoryUid);
  const agents = factory?.active?.definition.agents.map(({ name }) => name) ?? [];
  const refuse = async (reason: StartRefusal) => {
    const named = maskOf(parent, deps.masks)(agent);
    await deps.runs.refuseStart(parent.id, { reason, agent: named }, deps.now().toISOString());
    return startRefused(reason, agent, parent, agents);
  };
  if (!starts || !grantsAgent(starts, agent)) throw await refuse("not_granted");
  if (!factory?.active || !agents.includes(agent)) throw await refuse("unknown_agent");
  if (starts.depth <= 0) throw await refuse("depth");
  return { uid: factory.record.uid, active: factory.active };
}

async function childOf(body: RunBody, parent: Run, factory: RunFactory, deps: StartDeps): Promise<NewRun> {
  const { prompt = "", title, metadata, agent = "" } = body;
  // Whom it starts has its own secrets only, and everybody who sees the run reads this.
  const mask = maskOf(parent, deps.masks);
  refuseSecrets(body.checkout, mask);
  const taker = { factory, agent };
  const environmentUid = environmentOf(taker, {});
  const environment = environmentUid === undefined ? undefined : await deps.environments.find(environmentUid);
  const attachments = await requestedAttachments(body, parent, deps);
  const request = {
    prompt: mask(prompt),
    title: title === undefined ? undefined : mask(title),
    metadata: metadata && masked(metadata, mask),
    parent,
    familyPriority: await priorityOfFamily(parent, deps),
    attachments: await maskedAttachments(attachments, parent, deps.masks),
    environmentSecrets: environment?.config.secrets,
  };
  const run = requestedRun(request, parent.executor, "ORCHESTRATION", taker);
  const checkout = requestedCheckout(body.checkout, listedRepositories(environment, factory.active));
  return { ...run, execution: { ...run.execution, ...checkout } };
}

/** A mask would make it another place, and everybody who sees the run reads this. */
function refuseSecrets(checkout: RunBody["checkout"], mask: (text: string) => string): void {
  for (const [key, value] of Object.entries(checkout ?? {})) {
    if (mask(value) !== value)
      throw invalidField(`checkout.${key}`, "contains a secret of the run", "Specify it without the secret.");
  }
}

const masked = (texts: Record<string, string>, mask: (text: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [mask(name), mask(text)]));

/**
 * Why a run may not start an agent, for the agent that reads it: which bound it is, and what it can do instead.
 * @param agents those of the factory, which a grant of all names
 */
function startRefused(
  reason: StartRefusal | "ended",
  agent: string,
  { id, execution: { starts } }: Pick<Run, "id" | "execution">,
  agents: readonly string[] = [],
): MillraceError {
  const name = JSON.stringify(agent);
  const extra = { field: "agent", reason };
  const full = (message: string, remedy: string) =>
    new MillraceError("conflict", message, { remedy, retryable: false, extra });
  const refused = (message: string, remedy: string) =>
    new MillraceError("not_authorized", message, { remedy, extra });
  switch (reason) {
    case "not_granted":
      return refused(`Run ${id} may not start the agent ${name}.`, grantedInstead(starts, agents));
    case "unknown_agent":
      return full(`The factory of run ${id} has no agent ${name}.`, grantedInstead(starts, agents));
    case "depth":
      return refused(
        `Run ${id} may not start the agent ${name}: its family has as many generations as its definition allows.`,
        "Do the work in this run, or report what is left to do. `millrace: {depth}` of the root's agent or automation sets the bound.",
      );
    case "children":
      return full(
        `Run ${id} has started ${pluralize(starts?.children ?? 0, "run")}, which is its limit.`,
        "Send a message to a run that it has started instead. `millrace: {children}` of its agent or automation sets the bound.",
      );
    case "family":
      return full(
        `The family of run ${id} has ${MAX_FAMILY} runs, which is the limit.`,
        "Send a message to a run of the family instead.",
      );
    case "budget":
      return full(
        `The family of run ${id} has used up the US dollars that its root may use together with all runs that descend from it (usdPerRun).`,
        "Finish with what is done, and report what is left to do. A person can raise `usdPerRun` in the budgets of the root's request, automation, agent and factory.",
      );
    case "cycle":
      return refused(
        `Run ${id} may not start the agent ${name}: it is already ${MAX_OF_AGENT_IN_LINE} times on the line from the root of the family to this run.`,
        "Do the work in this run, or report what is left to do: agents that start each other in turn would never end.",
      );
    case "ended":
      return full(`Run ${id} is ending, so it can start nothing any more.`, "End this turn.");
  }
}

/** The same key, and another request: one that is repeated by mistake, or a further run that is wanted. */
function startedOtherwise(runId: string): MillraceError {
  return new MillraceError(
    "conflict",
    `Run ${runId} was already started with the same agent, prompt and key (with HTTP, the same Idempotency-Key), but with a different title, or different files, metadata or other fields. No run was started.`,
    {
      remedy: `To start a further run, pass another \`key\` (\`--key\` on the command line, another Idempotency-Key with HTTP). To continue with run ${runId}, wait for it, or send it a message.`,
      retryable: false,
      extra: { field: "Idempotency-Key" },
    },
  );
}

function grantedInstead(starts: StartGrant | undefined, agents: readonly string[]): string {
  if (!starts)
    return "It may not start any agents. `millrace: {mayStart: [names]}` in the definition of its agent or automation allows it.";
  const names = starts.agents === "all" ? agents : starts.agents;
  return `It may start: ${names.join(", ")}.`;
}

/**
 * The files that the agent of a run hands to a run that it starts. Secrets of its run are masked in text. A mask would break
 * a file of any other kind, so that one with a secret is refused.
 * @throws MillraceError `invalid_request`
 */
async function maskedAttachments(
  attachments: readonly NewAttachment[],
  run: Run,
  masks: Pick<RunMasks, "maskOf" | "fileMaskOf">,
): Promise<NewAttachment[]> {
  const maskName = maskOf(run, masks);
  const maskFile = fileMaskOf(run, masks);
  const masked: NewAttachment[] = [];
  for (const attachment of attachments) {
    const { name, mimeType } = attachment;
    if (maskName(name) !== name || maskName(mimeType) !== mimeType)
      throw invalidField(
        "attachments",
        "the name or the type of a file contains a secret of the run",
        "Give the file another name or type.",
      );
    masked.push("content" in attachment ? await withoutSecrets(attachment, maskFile) : attachment);
  }
  return masked;
}

type File = Extract<NewAttachment, { content: Uint8Array }>;

async function withoutSecrets(file: File, mask: (bytes: Uint8Array) => Promise<Buffer>): Promise<File> {
  const content = await mask(file.content);
  if (content.equals(file.content)) return file;
  if (isUtf8(file.content)) return { ...file, content };
  throw invalidField(
    "attachments",
    `the file ${file.name} contains a secret of the run`,
    "Remove the secret. Secrets are masked in text files in UTF-8 only, because masking would damage other files.",
  );
}
