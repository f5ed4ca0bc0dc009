import { code, page, table } from "./page.mjs";

const INTRODUCTION = `A worker with \`MILLRACE_SANDBOX=command\` does not execute runs itself. It calls a program, the
[backend](../how-to/worker-backends.md), which has each turn executed by a *job*: \`millrace worker --once --run RUN\` on another
machine. The last argument of a call is the verb. The request is JSON on standard input, the answer JSON on standard output.`;

const RULES = `## Rules

- Exit code 0 means that the call has succeeded. With any other exit code, the last line of standard error is the reason, which
  the log of the worker and the status of the run show. Do not print secrets.
- A call has 60 seconds and may answer with 64 KiB. At the limit, the program is ended with all processes of its process group.
  Up to 4 calls are made at the same time.
- Every call can be repeated. \`start\` with the \`id\` of a job that is there already answers as it did the first time, and
  starts nothing. \`cancel\` of a job that is not there succeeds. After a \`start\` that has failed or was not
  answered, \`status\` and \`cancel\` are called without a handle.
- The program gets the environment of the worker, without variables whose names begin with \`MILLRACE_\`.
- The values of the request come from definitions and requests. Do not have a shell interpret them.
- Keys that the program does not know can be ignored. This is version VERSION; another version will be a reason to refuse.`;

const VERBS = {
  start: ["Starts the job.", "The handle, if any, is given to later calls."],
  status: [
    "Says how the job stands.",
    "`unknown` means that no such job is there. If a job has ended, or is unknown, while its run still waits, the worker starts another one.",
  ],
  cancel: [
    "Ends the job, and removes what is left of it.",
    "It has succeeded when nothing of the job goes on.",
  ],
};

/** The page of the program that starts turns elsewhere, from the schemas. */
export function workerBackendPage(version, requests, answers) {
  const rows = Object.entries(VERBS).map(([verb, [does, says]]) => [code(verb), does, says]);
  return page("The worker backend", INTRODUCTION, [
    RULES.replace("VERSION", version),
    `## Verbs\n\n${table(["Verb", "Effect", "Answer"], rows)}`,
    ...Object.keys(VERBS).map((verb) =>
      [`## ${verb}`, "Request:", block(requests[verb]), "Answer:", block(answers[verb])].join("\n\n"),
    ),
  ]);
}

function block(schema) {
  return ["```json", JSON.stringify(schema, null, 2), "```"].join("\n");
}
