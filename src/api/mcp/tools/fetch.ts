import { MillraceError } from "../../../errors/error.ts";
import { artifactText, isBranch } from "../../../runs/rules/artifact.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import { type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { runIdInput, runIn } from "./own-run.ts";

interface Given {
  run_id?: string;
  artifact?: string;
}

type Artifacts = NonNullable<AnswerOf<"getRun">["artifacts"]>;

/** Longer files are for the workspace, and not for a conversation. */
const MAX_TEXT_BYTES = 64 * 1024;

/** What a run has left. */
export const fetchArtifact = tool<Given>({
  name: "fetch",
  title: "Fetch artifacts",
  description:
    "Lists the artifacts of a run of your family; with artifact, returns the text of a plan or a small file. Download larger files with `millrace agent fetch RUN NAME`.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      run_id: runIdInput,
      artifact: {
        type: "string",
        minLength: 1,
        description: "The uid of an artifact, or the path of a file.",
      },
    },
  },
  onlyReads: true,
  async call(given, context) {
    const runId = runIn(given, context.caller);
    const { artifacts = [] } = await context.call("getRun", { path: { runId } });
    if (given.artifact === undefined) return list(artifacts, runId);
    const found = artifacts.findLast(({ data }) => {
      return [data.artifact_uid, data.filepath, data.filename].includes(given.artifact);
    });
    if (!found) throw missing(given.artifact, artifacts, runId);
    return content(found.data.artifact_uid, context);
  },
});

function list(artifacts: Artifacts, runId: string): ToolAnswer {
  const lines = artifacts.map(({ artifact_type, data }) => {
    return `- ${artifact_type} ${data.artifact_uid} ${artifactText(data)}`;
  });
  const text = lines.length === 0 ? `Run ${runId} has no artifacts.` : lines.join("\n");
  return { text };
}

async function content(artifactUid: string, { call, read }: ToolContext): Promise<ToolAnswer> {
  const path = { artifactUid };
  const details = await call("getArtifact", { path });
  const { data } = details;
  if (data.content !== undefined) return { text: data.content };
  if (isBranch({ type: details.artifact_type, data })) return { text: branchText(data) };
  if (details.artifact_type !== "FILE") return { text: data.url ?? data.title ?? "" };
  const isSmall = (data.size_bytes ?? 0) <= MAX_TEXT_BYTES;
  const bytes = isSmall ? await read("downloadArtifact", { path }) : undefined;
  if (bytes && !bytes.includes(0)) return { text: bytes.toString("utf8") };
  const name = data.filepath ?? artifactUid;
  return {
    text: `${name} is too long, or not a text (${data.size_bytes} bytes). Download it with \`millrace agent fetch ${details.run_id} ${name}\`, or from ${data.download_url}.`,
  };
}

/** A branch is fetched by git, or by the server for a run that starts there. */
function branchText({ branch = "", ...data }: Artifacts[number]["data"]): string {
  const what = artifactText({ ...data, branch });
  return `${what}. Run \`git fetch origin '${branch}'\` in a clone of it, or start an agent with ref ${JSON.stringify(branch)}.`;
}

function missing(artifact: string, artifacts: Artifacts, runId: string): MillraceError {
  const known = artifacts.slice(-20).map(({ data }) => data.filepath ?? data.artifact_uid);
  return new MillraceError(
    "resource_not_found",
    `Run ${runId} has no artifact ${JSON.stringify(artifact)}.`,
    {
      remedy: known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`,
    },
  );
}
