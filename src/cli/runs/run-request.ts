import { basename, extname } from "node:path";
import type { Command } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { present } from "../arguments.ts";
import { readBytesFile, readText, withoutLineEnd } from "../input.ts";
import { findAgent } from "./agents.ts";
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
  priority?: Models["AmbientAgentConfig"]["priority"];
  skill?: string;
  model?: string;
  harness?: string;
  runner?: string;
  secret?: string[];
  name?: string;
  environment?: string;
  outputSchema?: string;
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
    priority,
    skill,
    model,
    harness,
    runner,
    secret,
    name,
    environment,
    outputSchema,
    metadata,
    attach,
    parent,
  } = options;
  const config = present({
    name,
    model_id: model,
    priority,
    harness: harness === undefined ? undefined : { type: harness },
    runner_id: runner,
    secrets: secret?.map((each) => ({ name: each })),
    environment_id: environment && (await findEnvironment(client, environment)).uid,
    output_schema: outputSchema === undefined ? undefined : await readSchema(outputSchema),
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

/** @throws MillraceError `invalid_request` */
async function readSchema(path: string): Promise<Record<string, never>> {
  const text = await readText(path, "output schema");
  try {
    // The server says what else is wrong with it.
    return JSON.parse(text);
  } catch (error) {
    throw new MillraceError("invalid_request", `${path} is not JSON: ${errorMessage(error)}`, {
      remedy: "Specify a file with a JSON Schema.",
    });
  }
}

/** Where a run finds a repository, as a command is told. */
export interface CheckoutOptions {
  ref?: string;
  repository?: string;
}

/** Adds the options that say where a new run finds its repository. */
export function withCheckoutOptions(command: Command): Command {
  return command
    .option("--ref <name>", "branch, tag or commit that the run's repository is checked out at")
    .option("--repository <owner/name>", "repository of --ref; required if the run has several");
}

/**
 * The place in a repository as a request names it; nothing where the default branch will do.
 * @throws MillraceError `invalid_request` for a repository without a place in it
 */
export function checkoutOf({
  ref,
  repository,
}: CheckoutOptions): { ref: string; repository?: string } | undefined {
  if (ref !== undefined) return { ref, ...(repository === undefined ? {} : { repository }) };
  if (repository === undefined) return undefined;
  throw new MillraceError("invalid_request", "--repository is only valid with --ref.", {
    remedy: "Specify the branch, tag or commit with --ref, or omit --repository.",
  });
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".json": "application/json",
  ".pdf": "application/pdf",
};

/** A file as a run is given it; what it is, its name tells. @throws MillraceError `invalid_request` */
export async function readAttachment(path: string): Promise<Models["AttachmentInput"]> {
  return {
    file_name: basename(path),
    mime_type: MEDIA_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
    data: (await readBytesFile(path)).toString("base64"),
  };
}
