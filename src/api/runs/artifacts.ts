import type { Response } from "express";
import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { seesRun } from "../../runs/caller.ts";
import { type ArtifactBytes, openIntact } from "../../runs/output/artifact-bytes.ts";
import type { Artifact, ArtifactData } from "../../runs/rules/artifact.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { DownloadLinks } from "../http/download-links.ts";
import { type Called, type Endpoints, uuidInPath } from "../http/endpoint.ts";
import { API_HEADER, API_VERSION } from "../http/headers.ts";
import type { OpenCalls } from "../http/open-calls.ts";
import type { OpenEndpoints, OpenRequest } from "../http/open-endpoint.ts";
import { sendStream, UNTRUSTED_CONTENT_POLICY } from "../http/respond.ts";
import { findRun, type RunDeps } from "./find-run.ts";
import { sendTranscript, streamTranscript } from "./transcripts.ts";

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

/** An artifact as a run lists it, in the shape of the public API. */
export function artifactView({ type, data, createdAt }: Artifact): Models["Artifact"] {
  return { artifact_type: type, created_at: createdAt, data: { ...data, ...publicMembers(type, data) } };
}

/** An artifact as it is asked for by itself: with the link to its file, or the type of its text. */
function artifactDetails(artifact: Artifact, runId: string, links: DownloadLinks): Models["ArtifactDetails"] {
  const { artifact_type, created_at, data } = artifactView(artifact);
  return {
    artifact_type,
    artifact_uid: artifact.id,
    created_at,
    run_id: runId,
    data: { ...data, ...contentOf(artifact, links) },
  };
}

/** A file of a run as a follow-up's program looks for it. */
function handoffAttachment({ id, data }: Artifact, links: DownloadLinks) {
  return {
    attachment_id: id,
    download_url: links.linkTo(id).download_url,
    filename: data.filepath ?? data.filename ?? id,
    mime_type: mediaTypeOf(data),
  };
}

/** Members that clients of the public API expect of each type, also where an agent has said nothing of them. */
function publicMembers(type: Artifact["type"], data: ArtifactData): Partial<Models["ArtifactData"]> {
  switch (type) {
    case "PLAN":
      return { document_uid: data.artifact_uid, notebook_uid: data.artifact_uid };
    case "PULL_REQUEST":
      return { branch: data.branch ?? "", status: "unknown" };
    case "EXTERNAL_REFERENCE":
      return { reference_type: data.reference_type ?? "link" };
    case "FILE":
      return { mime_type: mediaTypeOf(data) };
  }
}

function contentOf({ type, id, data }: Artifact, links: DownloadLinks) {
  if (type === "PLAN") return { content: data.content ?? "", content_type: "text/markdown" };
  if (type === "FILE") return { content_type: mediaTypeOf(data), ...links.linkTo(id) };
  return {};
}

function mediaTypeOf({ mime_type }: ArtifactData): string {
  return mime_type ?? "application/octet-stream";
}

/** What a run was given, and what its agent wrote. */
export function runFileEndpoints(deps: Pick<RunDeps, "runs" | "transcripts" | "commits">) {
  const { runs } = deps;
  return {
    listAttachments: {
      async handle(request) {
        const run = await findRun(request, deps);
        const attachments = await runs.listAttachments(run.id);
        return {
          json: {
            attachments: attachments.map(({ name, size, mimeType }) => ({ name, size, mime_type: mimeType })),
          },
        };
      },
    },
    getAttachment: {
      async handle(request) {
        const run = await findRun(request, deps);
        const attachment = await runs.findAttachment(run.id, request.path.name);
        if (!attachment) {
          throw new MillraceError("resource_not_found", `The run has no attachment "${request.path.name}".`, {
            remedy: "GET the run's /attachments to list their names.",
          });
        }
        return { bytes: attachment.content, mediaType: attachment.mimeType, fileName: attachment.name };
      },
    },
    getTranscript: {
      async handle(request) {
        const run = await findRun(request, deps);
        if (request.query.follow) {
          await streamTranscript(run, request.http, deps, request.query.steps);
          return undefined;
        }
        await sendTranscript(run, request.http, deps.transcripts);
        return undefined;
      },
    },
  } satisfies Endpoints;
}
