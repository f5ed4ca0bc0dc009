import { MillraceError } from "../../../errors/error.ts";
import type { Endpoints } from "../../http/endpoint.ts";
import { findRun } from "../find-run.ts";
import type { RunDeps } from "../run-deps.ts";
import { sendTranscript } from "./send-transcript.ts";
import { streamTranscript } from "./stream-transcript.ts";

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
