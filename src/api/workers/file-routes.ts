import type { Request, Response, Router } from "express";
import { MillraceError } from "../../errors/error.ts";
import { remoteHolder } from "../../runs/rules/remote-worker.ts";
import type { HeldTurns } from "../../workers/held-turns.ts";
import { DOOR_PATH } from "../../workers/protocol/messages.ts";
import type { UploadedFiles } from "../../workers/uploaded-files.ts";
import { refuseMethod } from "../http/refuse-method.ts";
import { type WorkerCallerDeps, workerOf } from "./worker-caller.ts";

export interface FileRouteDeps extends WorkerCallerDeps {
  held: HeldTurns;
  uploads: UploadedFiles;
}

/**
 * `PUT …/files/RUN/TICKET/FILE?process=…&offset=…&more`: bytes of a file that the agent of a turn has left, from an offset on;
 * without `more`, the last ones. Each piece can be sent again.
 */
export function fileRoutes(router: Router, deps: FileRouteDeps): void {
  router
    .route(`${DOOR_PATH}/files/:run/:ticket/:file`)
    .put((request, response) => receive(request, response, deps))
    .all(refuseMethod(["PUT"]));
}

async function receive(request: Request, response: Response, deps: FileRouteDeps): Promise<void> {
  const worker = await workerOf(request, deps);
  const { run = "", ticket, file = "" } = request.params as Record<string, string>;
  const turn = { id: run, ticket: Number(ticket) };
  const { process, offset: beginning = "0", more } = request.query;
  const offset = Number(beginning);
  if (typeof process !== "string" || !Number.isSafeInteger(turn.ticket))
    throw new MillraceError("invalid_request", "The request of the worker names no process, or no ticket.");
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new MillraceError("invalid_request", "The offset of a piece is a whole number.");
  const holder = remoteHolder(worker.id, process);
  const { door, received } = await deps.held.find(turn, holder);
  // What is listed was made by this turn or an earlier one, and stays as it is.
  if ((await door.listArtifacts()).some(({ id }) => id === file))
    throw new MillraceError("invalid_request", `The file ${file} is listed already.`);
  await deps.uploads.receive(run, file, { bytes: request, offset, isLast: more === undefined }, received);
  // The turn may have ended in the meantime, and nobody would list the file.
  await deps.held.find(turn, holder).catch(async (error) => {
    await deps.uploads.remove(run, file);
    throw error;
  });
  response.json({});
}
