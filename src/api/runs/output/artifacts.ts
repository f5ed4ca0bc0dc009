import type { Response } from "express";
import { MillraceError } from "../../../errors/error.ts";
import { type ArtifactBytes, openIntact } from "../../../runs/output/artifact-bytes.ts";
import type { Artifact } from "../../../runs/rules/artifact.ts";
import type { RunStore } from "../../../runs/run-store.ts";
import { API_HEADER, API_VERSION } from "../../http/api-header.ts";
import { seesRun } from "../../http/authorize.ts";
import type { DownloadLinks } from "../../http/download-links.ts";
import type { Called, Endpoints } from "../../http/endpoint.ts";
import type { OpenCalls } from "../../http/limits/open-calls.ts";
import type { OpenEndpoints, OpenRequest } from "../../http/open-endpoint.ts";
import { uuidInPath } from "../../http/resource-id.ts";
import { sendStream, UNTRUSTED_CONTENT_POLICY } from "../../http/respond.ts";
import { findRun } from "../find-run.ts";
import { artifactDetails, handoffAttachment } from "./artifact-view.ts";

export interface ArtifactDeps {
  runs: RunStore;
  /** Where the files that agents leave are kept. */
  artifacts: ArtifactBytes;
  downloadLinks: DownloadLinks;
  openCalls: OpenCalls;
}

/** What runs have left, to be read and downloaded. */
export function artifactEndpoints({ runs, artifacts, downloadLinks }: Omit<ArtifactDeps, "openCalls">) {
  return {
    getArtifact: {
      async handle(request) {
        const { runId, artifact } = await find(request, runs);
        return { json: artifactDetails(artifact, runId, downloadLinks) };
      },
    },
    downloadArtifact: {
      async handle(request) {
        const { runId, artifact } = await find(request, runs);
        await sendFile(artifacts, runId, artifact, request.http.response);
        return undefined;
      },
    },
    listHandoffAttachments: {
      async handle(request) {
        const run = await findRun(request, { runs });
        const left = (await runs.listArtifacts([run.id]))[run.id] ?? [];
        const attachments = newestFiles(left).map((file) => handoffAttachment(file, downloadLinks));
        return { json: { attachments } };
      },
    },
  } satisfies Endpoints;
}

/** Files by links that the API has given out: whoever has such a link has been shown the artifact. */
export function artifactLinkEndpoints({ runs, artifacts, downloadLinks, openCalls }: ArtifactDeps) {
  const isGood = ({ path, query }: Pick<OpenRequest<"downloadByLink">, "path" | "query">) =>
    downloadLinks.isGood(path.artifactUid, query);
  return {
    downloadByLink: {
      isProven: isGood,
      async handle(request) {
        const id = request.path.artifactUid;
        if (!isGood(request)) throw badLink();
        const found = await runs.findArtifact(id);
        if (!found) throw missing(id);
        openCalls.open({ kind: "link", artifactUid: id }, request.response);
        await sendFile(artifacts, found.runId, found.artifact, request.response);
        return undefined;
      },
    },
  } satisfies OpenEndpoints;
}

/** Files are recorded when a turn ends. Of those that several turns have left at one path the last one counts. */
function newestFiles(artifacts: readonly Artifact[]): Artifact[] {
  const files = artifacts.filter(({ type }) => type === "FILE");
  return [...new Map(files.map((file) => [file.data.filepath, file])).values()];
}

/** As it is read: a run may leave hundreds of megabytes. */
async function sendFile(
  kept: ArtifactBytes,
  runId: string,
  artifact: Artifact,
  response: Response,
): Promise<void> {
  const { id, type, data } = artifact;
  if (type !== "FILE") {
    throw new MillraceError("invalid_request", `The artifact is a ${type}, which has no file.`, {
      remedy: "GET the artifact itself to read its link or its text.",
    });
  }
  const file = await openIntact(kept, { runId, fileId: id }, data.sha256);
  if (!file) throw missing(id);
  // A browser saves it, whatever it is.
  response.attachment(data.filename);
  response.writeHead(200, {
    "content-type": data.mime_type ?? "application/octet-stream",
    "content-length": file.size,
    "content-security-policy": UNTRUSTED_CONTENT_POLICY,
    [API_HEADER]: API_VERSION,
  });
  await sendStream(file.bytes, response);
}

async function find(request: Called & { path: { artifactUid: string } }, runs: RunStore) {
  const id = uuidInPath(request, "artifactUid");
  const found = await runs.findArtifact(id);
  const run = found && (await runs.find(found.runId));
  if (found && run && seesRun(request.caller, run)) return found;
  throw missing(id);
}

function missing(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no artifact ${id}.`, {
    remedy: "GET the run to list its artifacts.",
  });
}

function badLink(): MillraceError {
  return new MillraceError("not_authorized", "The link has expired, or was not created by this server.", {
    remedy: "GET the artifact to get a new download_url.",
  });
}
