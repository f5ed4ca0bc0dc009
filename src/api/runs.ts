import { MillraceError } from "../error.ts";
import { isUuid } from "../id.ts";
import type { Factories } from "../reconcile/factories.ts";
import { checkAttachmentNames } from "../runs/attachment-name.ts";
import { foremanOf, requestedRun } from "../runs/new-run.ts";
import type { Queue } from "../runs/queue.ts";
import type { NewAttachment, Run, RunStore } from "../runs/run.ts";
import { type Caller, reachesFactory, seesRun } from "./authorize.ts";
import type { Cursors } from "./cursor.ts";
import { type ApiRequest, type Endpoint, type Endpoints, keyOf } from "./endpoint.ts";
import { cutPage } from "./page.ts";
import { runItem } from "./run-item.ts";
import { streamTranscript } from "./stream-transcript.ts";

export interface RunParts {
  runs: RunStore;
  factories: Factories;
  queue: Queue;
  cursors: Cursors;
  publicUrl: () => string;
  now: () => Date;
}

/** More output than this is read from the store at a time. */
const OUTPUT_PAGE = 500;

export function runEndpoints(parts: RunParts): Endpoints {
  const create: Endpoint = { role: "operator", handle: (request) => createRun(request, parts) };
  return {
    createRun: create,
    createRunAlias: create,
    listRuns: { role: "viewer", handle: (request) => listRuns(request, parts) },
    getRun: {
      role: "viewer",
      runToken: true,
      handle: async (request) => ({ json: runItem(await findRun(request, parts), parts.publicUrl()) }),
    },
    listAttachments: {
      role: "viewer",
      runToken: true,
      async handle(request) {
        const run = await findRun(request, parts);
        const attachments = await parts.runs.listAttachments(run.id);
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
        const attachment = await parts.runs.findAttachment(run.id, request.path.name ?? "");
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
          await streamTranscript(run, request.http, parts.runs);
          return undefined;
        }
        return { bytes: await wholeOutput(run, parts.runs), mediaType: "text/plain; charset=utf-8" };
      },
    },
  };
}

async function createRun(request: ApiRequest, parts: RunParts) {
  const key = keyOf(request);
  const { prompt, title, config, metadata, agent_identity_uid, attachments } = request.body;
  const given: AttachmentInput[] = attachments ?? [];
  checkAttachmentNames(given.map(({ file_name }) => file_name));
  const place = placeOfRun(request.caller, agent_identity_uid, parts.factories);
  const run = requestedRun(
    { prompt, title, config, metadata, attachments: given.map(toAttachment) },
    key.principal,
    "API",
    place,
  );
  const atCapacity = parts.queue.isAtCapacity();
  const created = await parts.runs.create(run, parts.now().toISOString());
  parts.queue.wake();
  return { json: { run_id: created.id, task_id: created.id, state: created.state, at_capacity: atCapacity } };
}

/** The factory that a run belongs to, and its agent. */
function placeOfRun(caller: Caller, agentUid: string | undefined, factories: Factories) {
  const reached = factories
    .list()
    .filter(({ record }) => caller.kind === "key" && reachesFactory(caller.key, record.uid));
  if (agentUid !== undefined) {
    for (const { record, served } of reached) {
      const agent = served?.definition.agents.find(({ name }) => served.uidOf("agent", name) === agentUid);
      if (served && agent) return { factory: { uid: record.uid, served }, agent: agent.name };
    }
    throw new MillraceError("invalid_request", `agent_identity_uid: there is no agent "${agentUid}".`, {
      extra: { field: "agent_identity_uid" },
    });
  }
  const [only, another] = reached;
  if (!only?.served || another) return undefined;
  return { factory: { uid: only.record.uid, served: only.served }, agent: foremanOf(only.served.definition) };
}

interface AttachmentInput {
  file_name: string;
  mime_type: string;
  /** The bytes in base64. */
  data: string;
}

function toAttachment({ file_name, mime_type, data }: AttachmentInput): NewAttachment {
  return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
}

async function listRuns(request: ApiRequest, parts: RunParts) {
  const key = keyOf(request);
  const { limit, cursor, ...query } = request.query;
  const [updatedAt = "", id = ""] = cursor ? parts.cursors.decode(query, cursor, 2) : [];
  const runs = await parts.runs.list({
    limit: limit + 1,
    ...(cursor ? { after: { updatedAt, id } } : {}),
    ...(query.state ? { state: query.state } : {}),
    ...(key.factories ? { visibleTo: { factories: key.factories, principalUid: key.principal.uid } } : {}),
  });
  const { items, pageInfo } = cutPage(runs, limit, (last) =>
    parts.cursors.encode(query, [last.updatedAt, last.id]),
  );
  return { json: { runs: items.map((run) => runItem(run, parts.publicUrl())), page_info: pageInfo } };
}

/** @throws MillraceError `invalid_request` for what is no run id, `resource_not_found` for what the caller cannot see */
async function findRun({ path, caller }: ApiRequest, { runs }: RunParts): Promise<Run> {
  const id = (path.runId ?? "").toLowerCase();
  if (!isUuid(id)) {
    throw new MillraceError("invalid_request", `"${path.runId}" is not the id of a run: expected a UUID.`, {
      extra: { field: "runId" },
    });
  }
  const run = await runs.find(id);
  if (run && seesRun(caller, run)) return run;
  throw new MillraceError("resource_not_found", `There is no run ${id}.`, {
    remedy: "`millrace runs list` shows the runs that the key reaches.",
  });
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
