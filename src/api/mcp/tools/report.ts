import { MillraceError } from "../../../errors/error.ts";
import { BRANCH_REFERENCE, patchName } from "../../../runs/rules/artifact.ts";
import type { BodyOf } from "../../http/endpoint.ts";
import { forRuns, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun } from "./own-run.ts";

interface Given {
  kind: "status" | "link" | "pull_request" | "pr" | "branch" | "plan" | "file" | "patch";
  text?: string;
  url?: string;
  title?: string;
  branch?: string;
  repository?: string;
  commit?: string;
  name?: string;
}

type Artifact = BodyOf<"reportArtifact">;

/** What people see of a run beside its words. */
export const report = tool<Given>({
  name: "report",
  title: "Report a result",
  description:
    "Shows people a result of your run: a status line, a link, a pull request, a pushed branch, a plan, a text file or a patch. Report each as soon as there is one.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["kind"],
    properties: {
      kind: {
        type: "string",
        enum: ["status", "link", "pull_request", "pr", "branch", "plan", "file", "patch"],
        description:
          "status needs text (at most 200 characters); link and pull_request (or pr) need url; branch needs repository and branch; plan needs title and text; file and patch need name and text.",
      },
      text: {
        type: "string",
        description: "The status line, or the content of the plan, the file or the patch.",
      },
      url: { type: "string", description: "The http or https URL of the link or the pull request." },
      title: { type: "string", description: "The title of the plan or the link." },
      branch: { type: "string", description: "The branch, or that of the pull request." },
      repository: { type: "string", description: "The repository of the branch, as owner/name." },
      commit: { type: "string", description: "The hash of the commit that the branch has." },
      name: { type: "string", description: "The path of the file, for example reports/result.md." },
    },
  },
  refusal: forRuns,
  async call(given, context) {
    switch (given.kind) {
      case "status":
        return reportStatus(needed(given, "text"), context);
      case "file":
        return reportFile(needed(given, "name"), needed(given, "text"), context);
      case "patch":
        return reportFile(patchName(needed(given, "name")), needed(given, "text"), context);
      case "branch":
        return reportArtifact(
          {
            artifact_type: "EXTERNAL_REFERENCE",
            data: {
              reference_type: BRANCH_REFERENCE,
              repository: needed(given, "repository"),
              branch: needed(given, "branch"),
              ...some(given, "commit"),
            },
          },
          context,
        );
      case "plan":
        return reportArtifact(
          { artifact_type: "PLAN", data: { title: needed(given, "title"), content: needed(given, "text") } },
          context,
        );
      case "link":
        return reportArtifact(
          {
            artifact_type: "EXTERNAL_REFERENCE",
            data: { url: needed(given, "url"), ...some(given, "title") },
          },
          context,
        );
      case "pull_request":
      case "pr":
        return reportArtifact(
          {
            artifact_type: "PULL_REQUEST",
            data: { url: needed(given, "url"), ...some(given, "title"), ...some(given, "branch") },
          },
          context,
        );
    }
  },
});

/** @throws MillraceError `invalid_request` that says what the kind needs */
function needed(given: Given, key: "text" | "url" | "title" | "name" | "repository" | "branch"): string {
  const value = given[key];
  if (value !== undefined && value !== "") return value;
  throw new MillraceError(
    "invalid_request",
    `missing key "${key}": a report of kind ${given.kind} needs it.`,
    {
      remedy: `Call report again with "${key}".`,
    },
  );
}

function some<Key extends "title" | "branch" | "commit">(given: Given, key: Key): { [K in Key]?: string } {
  return (given[key] === undefined ? {} : { [key]: given[key] }) as { [K in Key]?: string };
}

async function reportStatus(text: string, { caller, call }: ToolContext): Promise<ToolAnswer> {
  await call("reportStatus", { path: { runId: ownRun(caller) }, body: { text } });
  return { text: "The status line was stored." };
}

async function reportFile(name: string, text: string, { caller, call }: ToolContext): Promise<ToolAnswer> {
  const data = Buffer.from(text).toString("base64");
  const artifact = await call("reportArtifactFile", {
    path: { runId: ownRun(caller) },
    body: { name, data },
  });
  return { text: `The file was stored as artifact ${artifact.data.artifact_uid}.`, data: artifact };
}

/** Reports a link, a pull request or a plan. */
export async function reportArtifact(body: Artifact, { caller, call }: ToolContext): Promise<ToolAnswer> {
  const artifact = await call("reportArtifact", { path: { runId: ownRun(caller) }, body });
  return { text: `It was stored as artifact ${artifact.data.artifact_uid}.`, data: artifact };
}
