import { code, page, table } from "./page.mjs";

const INTRODUCTION = `Workers (\`millrace worker\`) execute runs of a server on other machines. A worker makes three kinds of requests, all of them
to the server: the server never connects to a worker. Every request is a POST of JSON below \`/api/v1/workers/door\` with the token of the
worker in \`Authorization: Bearer\`. A request can be sent again if its answer was lost; that has no further effect.

Each request contains the version of the protocol. A server that uses another version refuses it with status 422 and says which
side is to be updated. Bytes are written as \`{"$base64": "…"}\`. Errors have the [form of the API](api.md).`;

const RULES = `## Rules

- A claim gives the worker turns, each with a ticket, for the length of the lease. A beat renews the turns that it names. The server takes
  back turns that no beat has named in time: those whose agent has not been started wait again, the others end with ERROR.
- \`dataFolder\` of the facts names the folder in which a process has its workspaces. It is a random id that outlives the process. A later
  turn of a run is left to the worker and the folder that executed the turn before, for \`MILLRACE_WORKER_RETURN_WAIT\`. An assignment with
  \`isElsewhere\` starts in a new workspace, also if the process still has one of an earlier turn.
- A process that lets its turns fall back gets one turn at a time until one of its agents starts, and none for a while if it does so again.
- The server may hold claims and beats. Each token can have 512 open requests of each kind; more are refused with status 429 and
  \`Retry-After\`. A new claim or beat of a process ends the one before. A beat is at most 512 KiB long.
- A call that the server answers with status 500 for two minutes, while it carries out other requests, ends its turn with ERROR.
- A claim with \`run\` gets a turn of that run only. If it gets none, the answer says how the run stands: it is \`waiting\`,
  another process is \`executing\` it, or it is \`over\`.
- A claim with \`offers\` gets no turns. The answer contains waiting runs that the process could have executed elsewhere, by
  [a program](worker-backend.md), and how those stand that it names. It comes as soon as that differs from what the process knows. For
  the length of the lease, no other process is offered these runs, but any worker may claim them.
- A worker without an answered beat for 70 percent of the lease ends its agents, and says nothing more of their turns.
- A call with a ticket that is not the last one of its run, or of another process, is refused with status 409. The worker then ends
  the agent of the turn.
- The bytes of a file are sent with \`PUT …/files/RUN/TICKET/FILE?process=PROCESS\` before the call \`addFile\` lists it. A large file
  is sent in pieces, one after the other, with \`&offset=N\`, and \`&more=1\` for all but the last.
- Repositories of runs are cloned from \`…/git/FORGE/OWNER/NAME.git\` with the worker's token as password. Only the repositories of
  turns that the worker has can be read, and nothing can be pushed.`;

const REQUESTS = {
  claim:
    "Asks for turns, and waits for some. The answer contains an assignment for each: the run, its secrets, and what its workspace consists of.",
  beat: "Says which turns the process has. The answer says how they stand, and comes as soon as that differs from what the process knows.",
  call: "Asks or tells something about a turn: one of the calls below.",
};

/** The page of the protocol between workers and servers, from the schemas that requests are held against. */
export function workerProtocolPage(version, schemas, calls) {
  const requests = Object.entries(REQUESTS).map(([name, says]) =>
    [`## ${name}`, says, block(schemas[name])].join("\n\n"),
  );
  const rows = Object.entries(calls).map(([name, { says }]) => [code(name), says]);
  const forms = Object.entries(calls)
    .filter(([, { parameters }]) => Object.keys(parameters.properties).length > 0)
    .map(([name, { parameters }]) => [`### ${name}`, block(parameters)].join("\n\n"));
  return page("The worker protocol", `${INTRODUCTION}\n\nThis is version ${version}.`, [
    RULES,
    ...requests,
    `## Calls\n\n${table(["Call", "Effect"], rows)}`,
    ...forms,
  ]);
}

function block(schema) {
  return ["```json", JSON.stringify(schema, null, 2), "```"].join("\n");
}
