import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { SourceError, type Tree } from "../../git/revision.ts";
import { readLocalCommit } from "../../git/work-tree.ts";
import { planMarkdown } from "../../plans/plan-markdown.ts";
import type { PlanReport } from "../../plans/plan-report.ts";
import { planText } from "../../plans/plan-text.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { print, printJson } from "../output.ts";
import { planOfFiles, readDefinitionFolder } from "./definition-folder.ts";
import { githubAnnotation, type ReportedProblem, sarifLog, seenFrom } from "./problem-formats.ts";

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
      "definition folder; with --ref, inside a git working copy. With --ref but without DIR, the " +
        "server reads the factory's repository",
    ),
    { ofFactory: true },
  )
    .description(
      "show what applying a folder or a commit would change on a server, without changing anything",
    )
    .option("--ref <ref>", "branch, tag or commit to plan instead of the working files")
    .addOption(
      new Option(
        "--pull-request <number>",
        "pull request of the factory's repository, as merged into its production branch",
      )
        .argParser(wholeNumber)
        .conflicts("ref"),
    )
    .option("--no-traffic", "skip replaying recent deliveries")
    .addOption(new Option("--format <format>", "output format").choices(FORMATS).default("text"))
    .option(
      "--summary <file>",
      "also append the plan to a file as Markdown, for example to $GITHUB_STEP_SUMMARY",
    )
    .addHelpText("after", "\nExit code 0: the plan can be applied. 1: it cannot.")
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
    throw new MillraceError(
      "invalid_request",
      "DIR cannot be combined with --pull-request: the server fetches the pull request.",
    );
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
    throw new MillraceError("invalid_request", `Cannot write ${file}: ${errorMessage(error)}.`);
  }
}

/** Warnings at their lines, as annotations and logs of findings have them. */
function warningsAsProblems({ warnings }: PlanReport): ReportedProblem[] {
  return warnings.map(({ blocking, ...warning }) => {
    return { ...warning, severity: blocking ? "error" : "warning" };
  });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new MillraceError("invalid_request", `"${text}" is not a valid pull request number.`);
}
