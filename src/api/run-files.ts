import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MillraceError, systemCode } from "../error.ts";
import type { Run, RunStore } from "../runs/run.ts";
import { API_HEADER, API_VERSION } from "./api-header.ts";
import type { CommitSignal } from "./commit-signal.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findRun } from "./find-run.ts";
import { UNTRUSTED_CONTENT_POLICY } from "./respond.ts";
import { streamTranscript } from "./stream-transcript.ts";

/** So many pieces of output are read from the store at a time. */
const OUTPUT_PAGE = 16;

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
        await sendOutput(run, request.http, runs);
        return undefined;
      },
    },
  };
}

/** Piece by piece, each when the reader has taken the one before: a transcript has up to 64 MiB. */
async function sendOutput(run: Run, { response }: ApiRequest["http"], runs: RunStore): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": UNTRUSTED_CONTENT_POLICY,
    [API_HEADER]: API_VERSION,
  });
  // A reader that leaves is no failure of the server.
  await pipeline(Readable.from(outputOf(run, runs)), response).catch((error) => {
    if (systemCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

async function* outputOf(run: Run, runs: RunStore): AsyncGenerator<Uint8Array, void, undefined> {
  for (let after = 0; ; ) {
    const chunks = await runs.listOutput(run.id, after, OUTPUT_PAGE);
    for (const { bytes, seq } of chunks) {
      yield bytes;
      after = seq;
    }
    if (chunks.length < OUTPUT_PAGE) return;
  }
}
