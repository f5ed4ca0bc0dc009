import { MillraceError } from "../error.ts";
import type { Run, RunStore } from "../runs/run.ts";
import type { CommitSignal } from "./commit-signal.ts";
import type { Endpoints } from "./endpoint.ts";
import { findRun } from "./find-run.ts";
import { streamTranscript } from "./stream-transcript.ts";

/** So many pieces of output are read from the store at a time. */
const OUTPUT_PAGE = 500;

/** What a run was given, and what its agent wrote. */
export function runFileEndpoints(parts: { runs: RunStore; commits: CommitSignal }): Endpoints {
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
        return { bytes: await wholeOutput(run, runs), mediaType: "text/plain; charset=utf-8" };
      },
    },
  };
}

async function wholeOutput(run: Run, runs: RunStore): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let after = 0; ; ) {
    const chunks = await runs.listOutput(run.id, after, OUTPUT_PAGE);
    pieces.push(...chunks.map((chunk) => chunk.bytes));
    const last = chunks.at(-1);
    if (!last || chunks.length < OUTPUT_PAGE) return Buffer.concat(pieces);
    after = last.seq;
  }
}
