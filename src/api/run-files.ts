import { MillraceError } from "../error.ts";
import type { Endpoints } from "./endpoint.ts";
import { findRun } from "./find-run.ts";
import type { RunParts } from "./run-parts.ts";
import { sendTranscript } from "./send-transcript.ts";
import { streamTranscript } from "./stream-transcript.ts";

/** What a run was given, and what its agent wrote. */
export function runFileEndpoints(parts: Pick<RunParts, "runs" | "transcripts" | "commits">): Endpoints {
  const { runs } = parts;
  return {
    listAttachments: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const run = await findRun(request, parts);
        const attachments = await runs.listAttachments(run.id);
        return {
          json: {
            attachments: attachments.map(({ name, size, mimeType }) => ({ name, size, mime_type: mimeType })),
          },
        };
      },
    },
    getAttachment: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const run = await findRun(request, parts);
        const attachment = await runs.findAttachment(run.id, request.path.name ?? "");
        if (!attachment) {
          throw new MillraceError("resource_not_found", `The run has no attachment "${request.path.name}".`, {
            remedy: "GET the run's /attachments for the names of those it has.",
          });
        }
        return { bytes: attachment.content, mediaType: attachment.mimeType };
      },
    },
    getTranscript: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const run = await findRun(request, parts);
        if (request.query.follow) {
          await streamTranscript(run, request.http, parts);
          return undefined;
        }
        await sendTranscript(run, request.http, parts.transcripts);
        return undefined;
      },
    },
  };
}
