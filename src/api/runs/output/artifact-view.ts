import type { Models } from "../../../client/typed-paths.ts";
import type { Artifact, ArtifactData } from "../../../runs/rules/artifact.ts";
import type { DownloadLinks } from "../../http/download-links.ts";

/** An artifact as a run lists it, in the shape of the public API. */
export function artifactView({ type, data, createdAt }: Artifact): Models["Artifact"] {
  return { artifact_type: type, created_at: createdAt, data: { ...data, ...publicMembers(type, data) } };
}

/** An artifact as it is asked for by itself: with the link to its file, or the type of its text. */
export function artifactDetails(
  artifact: Artifact,
  runId: string,
  links: DownloadLinks,
): Models["ArtifactDetails"] {
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
export function handoffAttachment({ id, data }: Artifact, links: DownloadLinks) {
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
