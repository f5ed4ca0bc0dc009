import { readFile } from "node:fs/promises";
import { MillraceError, systemCode } from "../error.ts";
import { artifactFile } from "../runs/artifact-files.ts";
import type { RunStore } from "../runs/run.ts";
import { seesRun } from "./authorize.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { uuidInPath } from "./resource-id.ts";
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
        const bytes = await readFile(artifactFile(artifacts, runId, artifact.id)).catch((error) => {
          throw systemCode(error) === "ENOENT" ? missing(artifact.id) : error;
        });
        return { bytes, mediaType: artifact.data.mime_type ?? "application/octet-stream" };
      },
    },
  };
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
