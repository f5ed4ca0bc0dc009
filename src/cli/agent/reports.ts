import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { Argument, Command, Option } from "commander";
import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { URGENCIES } from "../../runs/rules/agent-report.ts";
import { BRANCH_REFERENCE, patchName } from "../../runs/rules/artifact.ts";
import { textList } from "../arguments.ts";
import { givenText, readBytesFile } from "../input.ts";
import { print, printJson } from "../output.ts";
import { connectOwn } from "./connect-own.ts";

interface Printed {
  json?: true;
}

/** What an agent says of its run. */
export function reportCommands(): Command[] {
  return [
    new Command("ask")
      .description("ask a person a question; the answer begins the next turn")
      .argument("<question>", "question, or - to read it from standard input")
      .option("--choice <text>", "answer to choose from; repeatable, at most 10 times", textList)
      .addOption(new Option("--urgency <level>", "how urgent the answer is").choices([...URGENCIES]))
      .action(ask),
    new Command("report")
      .description("report what you made: a link, a pull request, a branch, a plan, a file or a patch")
      .addArgument(
        new Argument("<kind>", "what is reported; pr and pull_request are the same").choices([
          "link",
          "pr",
          "pull_request",
          "branch",
          "plan",
          "file",
          "patch",
        ]),
      )
      .argument(
        "<value>",
        "URL of a link or pull request, name of a pushed branch, title of a plan, or path of a file or patch; - for a patch from standard input",
      )
      .option("--title <text>", "title of the link or pull request")
      .option("--branch <name>", "branch of the pull request")
      .option("--repository <owner/name>", "repository of the branch")
      .option("--commit <hash>", "commit that the branch has")
      .option("--text <file>", "file with the text of the plan")
      .option("--name <path>", "path of the file below artifacts/; default: its name")
      .action(report),
    new Command("answer")
      .description("report the final answer of this turn")
      .argument("[text]", "answer, or - to read it from standard input")
      .option("--file <file>", "read the answer from a file")
      .action(answer),
    new Command("status")
      .description("print the run, or report in one line what you are doing")
      .argument("[text]", "status line, at most 200 characters")
      .action(status),
  ];
}

async function ask(
  question: string,
  options: Printed & { choice?: string[]; urgency?: (typeof URGENCIES)[number] },
): Promise<void> {
  const { api, path } = connectOwn();
  const message = await givenText(question, { name: "question" });
  const { choice: choices, urgency } = options;
  const body = { message, ...(choices ? { choices } : {}), ...(urgency ? { urgency } : {}) };
  const asked = await api.call("post", "/agent/runs/{runId}/blocked", { path, body }, {});
  if (options.json) printJson(asked);
  else print("Asked. End this turn now: the answer begins the next one.");
}

interface ReportOptions extends Printed {
  title?: string;
  branch?: string;
  repository?: string;
  commit?: string;
  text?: string;
  name?: string;
}

async function report(kind: string, value: string, options: ReportOptions): Promise<void> {
  const { api, path } = connectOwn();
  const artifact =
    kind === "file" || kind === "patch"
      ? await api.call(
          "post",
          "/agent/runs/{runId}/artifact-files",
          { path, body: await fileBody(kind, value, options) },
          {},
        )
      : await api.call(
          "post",
          "/agent/runs/{runId}/artifacts",
          { path, body: await artifactBody(kind, value, options) },
          {},
        );
  if (options.json) printJson(artifact);
  else print(`Reported. Its ID is ${artifact.data.artifact_uid}.`);
}

/** Larger ones are refused by the server, and need not be sent. */
const MAX_FILE_BYTES = 1024 * 1024;

async function fileBody(
  kind: string,
  file: string,
  { name = file === "-" ? "changes" : basename(file) }: ReportOptions,
): Promise<Models["ArtifactFileReport"]> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readBytesFile(file);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new MillraceError("payload_too_large", `${file} is ${bytes.length} bytes; the limit is 1 MiB.`, {
      remedy: "Copy the file to the folder artifacts/: it is stored when the turn ends.",
    });
  }
  return { name: kind === "patch" ? patchName(name) : name, data: bytes.toString("base64") };
}

async function artifactBody(
  kind: string,
  value: string,
  { title, branch, text, repository, commit }: ReportOptions,
): Promise<Models["ArtifactReport"]> {
  if (kind === "plan") {
    const content = await givenText("-", { file: text, name: "text of the plan" });
    return { artifact_type: "PLAN", data: { title: value, content } };
  }
  if (kind === "branch") {
    const of = { ...(repository ? { repository } : {}), ...(commit ? { commit } : {}) };
    return {
      artifact_type: "EXTERNAL_REFERENCE",
      data: { reference_type: BRANCH_REFERENCE, branch: value, ...of },
    };
  }
  const data = { url: value, ...(title ? { title } : {}), ...(branch ? { branch } : {}) };
  const isPullRequest = kind === "pr" || kind === "pull_request";
  return { artifact_type: isPullRequest ? "PULL_REQUEST" : "EXTERNAL_REFERENCE", data };
}

async function answer(given: string | undefined, options: Printed & { file?: string }): Promise<void> {
  const { api, path } = connectOwn();
  const text = await givenText(given, { file: options.file, name: "answer" });
  const kept = await api.call("post", "/agent/runs/{runId}/answer", { path, body: { text } }, {});
  if (options.json) printJson(kept);
  else print("The answer of this turn was stored.");
}

async function status(given: string | undefined, options: Printed): Promise<void> {
  const { api, path } = connectOwn();
  if (given === undefined) {
    const run = await api.call("get", "/agent/runs/{runId}", { path }, {});
    if (options.json) printJson(run);
    else print([run.run_id, run.state, run.title].join("  "));
    return;
  }
  const kept = await api.call("post", "/agent/runs/{runId}/status", { path, body: { text: given } }, {});
  if (options.json) printJson(kept);
  else print("The status was stored.");
}
