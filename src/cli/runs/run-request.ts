import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";
import { readText, withoutLineEnd } from "../input.ts";
import { present } from "../present.ts";
import { findAgent } from "./agents.ts";
import { readAttachment } from "./attachment.ts";
import { type CheckoutOptions, checkoutOf } from "./checkout-options.ts";
import { findEnvironment } from "./environments.ts";
import { findRunId } from "./find-run.ts";

export interface PromptOptions {
  prompt?: string;
  promptFile?: string;
}

/** What a run is asked for with, but for its prompt. */
export interface RequestOptions extends CheckoutOptions {
  title?: string;
  agent?: string;
  mode?: Models["RunAgentRequest"]["mode"];
  skill?: string;
  model?: string;
  harness?: string;
  runner?: string;
  secret?: string[];
  name?: string;
  environment?: string;
  metadata?: Record<string, string>;
  attach?: string[];
  parent?: string;
}

/** The prompt from where it was given; nothing when it was not. @throws MillraceError `invalid_request` */
export async function readPrompt(
  argument: string | undefined,
  { prompt, promptFile }: PromptOptions,
): Promise<string | undefined> {
  const given = [argument, prompt, promptFile].filter((place) => place !== undefined);
  if (given.length > 1) {
    throw new MillraceError("invalid_request", "The prompt was specified more than once.", {
      remedy: "Use only one of PROMPT, --prompt and --prompt-file.",
    });
  }
  const written = argument ?? prompt;
  if (written !== undefined && written !== "-") return written;
  if (given.length === 0) return undefined;
  const read = withoutLineEnd(await readText(promptFile ?? "-", "prompt"));
  if (read !== "") return read;
  const place = (promptFile ?? "-") === "-" ? "on standard input" : `in ${promptFile}`;
  throw new MillraceError("invalid_request", `The prompt ${place} is empty.`);
}

/** A request for a run, with the agent and the environment that are named. @throws MillraceError */
export async function runRequest(
  client: Millrace,
  prompt: string | undefined,
  options: RequestOptions,
): Promise<Models["RunAgentRequest"]> {
  const {
    title,
    agent,
    mode,
    skill,
    model,
    harness,
    runner,
    secret,
    name,
    environment,
    metadata,
    attach,
    parent,
  } = options;
  const config = present({
    name,
    model_id: model,
    harness: harness === undefined ? undefined : { type: harness },
    runner_id: runner,
    secrets: secret?.map((each) => ({ name: each })),
    environment_id: environment && (await findEnvironment(client, environment)).uid,
  });
  return present({
    prompt,
    title,
    mode,
    skill,
    agent_identity_uid: agent && (await findAgent(client, agent)).uid,
    metadata,
    attachments: attach && (await Promise.all(attach.map(readAttachment))),
    checkout: checkoutOf(options),
    parent_run_id: parent && (await findRunId(client, parent)),
    config: Object.keys(config).length > 0 ? config : undefined,
  });
}
