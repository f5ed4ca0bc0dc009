import { mayStart } from "../../../definitions/start-grant.ts";
import { MillraceError } from "../../../errors/error.ts";
import { startKey } from "../../../runs/rules/start-key.ts";
import type { Caller } from "../../http/authorize.ts";
import type { BodyOf } from "../../http/endpoint.ts";
import { forOperators, tool } from "../tool.ts";

interface Given {
  agent: string;
  prompt: string;
  title?: string;
  key?: string;
  ref?: string;
  repository?: string;
  files?: { name: string; text: string }[];
  artifacts?: string[];
  factory?: string;
}

/** Why the run of a token may start no agent; nothing where it may. */
export function startRefusal(caller: Caller): string | undefined {
  if (caller.kind === "key") return forOperators(caller);
  if (mayStart(caller.run.execution.starts)) return undefined;
  return "This run may not start other agents: its definition grants none (millrace.mayStart), or no further generation.";
}

/** A turn that is repeated, or resumed after a crash, does not start the same work twice. */
export const startAgent = tool<Given>({
  name: "start_agent",
  title: "Start another agent",
  description:
    "Starts a run of another agent, which works by itself and knows only the prompt. Then call wait_for with its run_id. From a run, the same agent, prompt and ref start one run, however often you call; if the title or files differ, nothing is started. With an API key, each call without key starts a run.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["agent", "prompt"],
    properties: {
      agent: { type: "string", minLength: 1, description: "The agent's name, as list_agents shows it." },
      prompt: {
        type: "string",
        minLength: 1,
        description: "The task with all that the agent has to know: it does not see your conversation.",
      },
      title: { type: "string", minLength: 1, maxLength: 500, description: "A short title for people." },
      key: {
        type: "string",
        maxLength: 100,
        description: "A text of your choice. The same agent, prompt and ref start one run for each key.",
      },
      ref: {
        type: "string",
        minLength: 1,
        description: "The branch, tag or commit at which the agent finds its repository.",
      },
      repository: {
        type: "string",
        minLength: 1,
        description: "The repository of ref as owner/name, if the agent has several.",
      },
      files: {
        type: "array",
        maxItems: 5,
        description: "Text files that the agent finds in its workspace.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["name", "text"],
          properties: {
            name: { type: "string", minLength: 1, description: "A file name without a path." },
            text: { type: "string" },
          },
        },
      },
      artifacts: {
        type: "array",
        maxItems: 5,
        items: { type: "string", minLength: 1 },
        description: "Paths of file artifacts of your own run that the agent finds in its workspace.",
      },
      factory: { type: "string", description: "With an API key: the factory of the agent." },
    },
  },
  refusal: startRefusal,
  async call({ key, ...given }, { caller, call }) {
    const body = bodyOf(given);
    const { agent, prompt } = given;
    const headers =
      caller.kind === "run" || key !== undefined
        ? { "idempotency-key": startKey({ agent, prompt, checkout: body.checkout, key }) }
        : undefined;
    const started = await call("createRun", { body, ...(headers ? { headers } : {}) });
    const next = caller.kind === "run" ? " Call wait_for when you need its result." : "";
    return {
      text: `Started run ${started.run_id} of ${agent} (${started.state}).${next}`,
      data: started,
    };
  },
});

/** @throws MillraceError `invalid_request` for a repository without a place in it */
function bodyOf({ ref, repository, files, ...body }: Omit<Given, "key">): BodyOf<"createRun"> {
  if (ref === undefined && repository !== undefined) {
    throw new MillraceError("invalid_request", "repository: it is only valid with ref.", {
      remedy: "Name the branch, tag or commit with ref, or leave repository out.",
    });
  }
  return {
    ...body,
    ...(ref === undefined ? {} : { checkout: { ref, ...(repository === undefined ? {} : { repository }) } }),
    ...(files ? { attachments: files.map(attachmentOf) } : {}),
  };
}

const attachmentOf = ({ name, text }: { name: string; text: string }) => ({
  file_name: name,
  mime_type: "text/plain",
  data: Buffer.from(text).toString("base64"),
});
