import { once } from "node:events";
import { MillraceError } from "../error.ts";
import type { Run, RunStore } from "../runs/run.ts";
import { API_HEADER, API_VERSION } from "./api-header.ts";
import type { CommitSignal } from "./commit-signal.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findRun } from "./find-run.ts";
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
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  response.writeHead(200, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "sandbox; default-src 'none'",
    [API_HEADER]: API_VERSION,
  });
  for (let after = 0; !closed.signal.aborted; ) {
    const chunks = await runs.listOutput(run.id, after, OUTPUT_PAGE);
    for (const { bytes } of chunks) {
      if (!response.write(bytes)) await once(response, "drain", { signal: closed.signal }).catch(() => {});
    }
    const last = chunks.at(-1);
    if (!last || chunks.length < OUTPUT_PAGE) break;
    after = last.seq;
  }
  response.end();
}
