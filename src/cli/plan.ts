import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Models } from "../client/client.ts";
import { planMarkdown } from "../definitions/plan-markdown.ts";
import type { PlanReport } from "../definitions/plan-report.ts";
import { planText } from "../definitions/plan-text.ts";
import { errorMessage, MillraceError } from "../error.ts";
import { readLocalCommit } from "../git/local-commit.ts";
import { SourceError, type Tree } from "../git/revision.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { readDefinitionFolder } from "./definition-folder.ts";
import { print, printJson } from "./output.ts";
import { planOfFiles } from "./plan-of-files.ts";
import { type Finding, githubAnnotation, sarifLog, seenFrom } from "./problem-formats.ts";

const FORMATS = ["text", "json", "markdown", "github", "sarif"] as const;

interface PlanOptions extends ConnectOptions {
  ref?: string;
  pullRequest?: number;
  traffic: boolean;
  format: (typeof FORMATS)[number];
  summary?: string;
}

export function planCommand(): Command {
  return asClientCommand(
    new Command("plan").argument(
      "[dir]",
      "the root of a definition tree; with --ref, one in a working copy of git. Without it and with --ref, the " +
        "server looks into the factory's own repository",
    ),
    { ofFactory: true },
  )
    .description("show what applying a folder or a commit would change on a server; nothing is changed")
    .option("--ref <ref>", "a branch, a tag or a commit, instead of the files as they are")
    .addOption(
      new Option(
        "--pull-request <number>",
        "a pull request of the factory's own repository, merged into its production branch",
      )
        .argParser(wholeNumber)
        .conflicts("ref"),
    )
    .option("--no-traffic", "do not hold the deliveries of the last days against the filters")
    .addOption(new Option("--format <format>", "how to print the plan").choices(FORMATS).default("text"))
    .option("--summary <file>", "append it to a file too, as Markdown; $GITHUB_STEP_SUMMARY is such a file")
    .addHelpText("after", "\nExit code 0: it can be applied. 1: it cannot.")
    .action(plan);
}

async function plan(dir: string | undefined, options: PlanOptions): Promise<void> {
  const root = resolve(dir ?? ".");
  const report = (await planOf(dir, root, options)) as PlanReport;
  const format = options.json ? "json" : options.format;
  const findings = () => [...report.problems, ...warningsAsProblems(report)].map(seenFrom(root));
  if (format === "json") printJson(report);
  else if (format === "markdown") print(planMarkdown(report));
  else if (format === "sarif") printJson(sarifLog(findings()));
  else if (format === "github") for (const finding of findings()) print(githubAnnotation(finding));
  else print(planText(report));
  if (options.summary !== undefined) await appendSummary(options.summary, report);
  process.exitCode = report.applicable ? 0 : 1;
}

async function planOf(dir: string | undefined, root: string, options: PlanOptions): Promise<Models["Plan"]> {
  const { ref, pullRequest, traffic } = options;
  if (pullRequest !== undefined && dir !== undefined) {
    throw new MillraceError("invalid_request", "A pull request is looked up by the server: leave DIR out.");
  }
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  if (pullRequest !== undefined) {
    return client.factories.plan(factory, { pull_request: pullRequest, traffic });
  }
  if (dir === undefined && ref !== undefined) return client.factories.plan(factory, { ref, traffic });
  const tree = await readProposal(root, ref);
  const sent = await planOfFiles(tree, root, { client, factory, traffic });
  return { ...sent, revision: ref === undefined ? null : tree.revision.id };
}

async function readProposal(root: string, ref: string | undefined): Promise<Tree> {
  try {
    return await (ref === undefined
      ? readDefinitionFolder(root, "millrace plan")
      : readLocalCommit(root, ref));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new MillraceError("invalid_request", error.message);
  }
}

async function appendSummary(file: string, report: PlanReport): Promise<void> {
  try {
    await appendFile(file, `${planMarkdown(report)}\n`);
  } catch (error) {
    throw new MillraceError("invalid_request", `${file} cannot be written: ${errorMessage(error)}.`);
  }
}

/** Warnings at their lines, as annotations and logs of findings have them. */
function warningsAsProblems({ warnings }: PlanReport): Finding[] {
  return warnings.map(({ blocking, ...warning }) => {
    return { ...warning, severity: blocking ? "error" : "warning" };
  });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new MillraceError("invalid_request", `"${text}" is not the number of a pull request.`);
}
