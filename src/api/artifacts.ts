import { open } from "node:fs/promises";
import { MillraceError, systemCode } from "../error.ts";
import type { Artifact } from "../runs/artifact.ts";
import { artifactFile } from "../runs/artifact-files.ts";
import type { RunStore } from "../runs/run.ts";
import { API_HEADER, API_VERSION } from "./api-header.ts";
import { seesRun } from "./authorize.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { uuidInPath } from "./resource-id.ts";
import { sendStream, UNTRUSTED_CONTENT_POLICY } from "./respond.ts";
import { artifactView } from "./run-reports.ts";

export interface ArtifactParts {
  runs: RunStore;
  /** Where the files that agents leave are kept. */
  artifacts: string;
}

/** What runs have left, to be looked at and taken. */
export function artifactEndpoints({ runs, artifacts }: ArtifactParts): Endpoints {
  return {
    getArtifact: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const { artifact } = await find(request, runs);
        return { json: artifactView(artifact) };
      },
    },
    downloadArtifact: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const { runId, artifact } = await find(request, runs);
        if (artifact.type !== "FILE") {
          throw new MillraceError(
            "invalid_request",
            `The artifact is a ${artifact.type}, which has no file.`,
            {
              remedy: "GET the artifact itself for what is said of it.",
            },
          );
        }
        await sendFile(artifactFile(artifacts, runId, artifact.id), artifact, request.http);
        return undefined;
      },
    },
  };
}

/** As it is read: a run may leave hundreds of megabytes. */
async function sendFile(
  path: string,
  { id, data }: Artifact,
  { response }: ApiRequest["http"],
): Promise<void> {
  const file = await open(path).catch((error) => {
    throw systemCode(error) === "ENOENT" ? missing(id) : error;
  });
  response.writeHead(200, {
    "content-type": data.mime_type ?? "application/octet-stream",
    "content-length": (await file.stat()).size,
    "content-security-policy": UNTRUSTED_CONTENT_POLICY,
    [API_HEADER]: API_VERSION,
  });
  await sendStream(file.createReadStream(), response);
}

async function find(request: ApiRequest, runs: RunStore) {
  const id = uuidInPath(request, "artifactUid");
  const found = await runs.findArtifact(id);
  const run = found && (await runs.find(found.runId));
  if (found && run && seesRun(request.caller, run)) return found;
  throw missing(id);
}

function missing(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no artifact ${id}.`, {
    remedy: "GET the run for the artifacts that it has left.",
  });
}
