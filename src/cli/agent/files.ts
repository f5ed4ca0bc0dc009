import { lstat } from "node:fs/promises";
import { Command } from "commander";
import type { Models } from "../../client/typed-paths.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { artifactText, isBranch } from "../../runs/rules/artifact.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printError, printJson } from "../output.ts";
import { safePath, writeSafely } from "../safe-file.ts";
import { connectOwn, type OwnRun } from "./connect-own.ts";

/** What all files of a call may come to, in bytes. */
const MAX_FETCHED_BYTES = 256 * 1024 * 1024;

/** How an agent gets what another run has left. */
export function agentFilesCommands(): Command[] {
  return [
    new Command("fetch")
      .description(
        "download the files and patches of a run that you started into your workspace, and name its branches",
      )
      .argument("<id>", "ID of the run")
      .argument("[names...]", "paths of the files; default: all")
      .option("--to <dir>", "folder for the files; created if missing", "fetched")
      .option("--force", "replace existing files")
      .action(fetchFiles),
  ];
}

interface FetchOptions {
  to: string;
  force?: boolean;
  json?: true;
}

async function fetchFiles(
  runId: string,
  names: string[],
  { to, force = false, json }: FetchOptions,
): Promise<void> {
  const own = connectOwn();
  await refuseLink(to);
  const { artifacts = [] } = await own.api.call("get", "/agent/runs/{runId}", { path: { runId } }, {});
  const files = wanted(newestFiles(artifacts), names, runId);
  const written: { artifact_uid: string; filepath: string; path: string }[] = [];
  for (const { data } of files) {
    const filepath = pathOf(data);
    try {
      const path = await writeSafely(to, safePath(filepath), contentOf(own, data), {
        replaces: force,
        folderOption: "--to",
      });
      written.push({ artifact_uid: data.artifact_uid, filepath, path });
      if (!json) print(`wrote ${path}`);
    } catch (error) {
      process.exitCode = EXIT_CODES.no;
      const remedy = error instanceof MillraceError && error.remedy ? ` ${error.remedy}` : "";
      printError(`Cannot fetch ${filepath}: ${errorMessage(error)}${remedy}`);
    }
  }
  if (json) return printJson(written);
  if (files.length === 0) print(`Run ${runId} has left no files.`);
  if (names.length === 0) printBranches(artifacts);
}

/** Git fetches a branch: it is not in the store of the server. */
function printBranches(artifacts: readonly Artifact[]): void {
  for (const { artifact_type: type, data } of artifacts) {
    if (!isBranch({ type, data })) continue;
    print(`${artifactText(data)}: run \`git fetch origin '${data.branch}'\` in a clone of the repository`);
  }
}

/** A repository can contain a link by this name, which leads to wherever its author likes. */
async function refuseLink(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isSymbolicLink()) return;
  throw new MillraceError("conflict", `${folder} is a link, so nothing is written to where it leads.`, {
    remedy: "Specify another folder with --to.",
    retryable: false,
  });
}

type Artifact = Models["Artifact"];

const pathOf = ({ filepath, filename, artifact_uid }: Artifact["data"]) =>
  filepath ?? filename ?? artifact_uid;

/** Of the files that several turns left at one path, the last one counts. */
function newestFiles(all: readonly Artifact[]): Artifact[] {
  const files = all.filter(({ artifact_type }) => artifact_type === "FILE");
  return [...new Map(files.map((file) => [pathOf(file.data), file])).values()];
}

function wanted(files: Artifact[], names: readonly string[], runId: string): Artifact[] {
  const missing = names.find((name) => !files.some(({ data }) => pathOf(data) === name));
  if (missing !== undefined) {
    throw new MillraceError("resource_not_found", `Run ${runId} has no file ${JSON.stringify(missing)}.`, {
      remedy: `Its files: ${files.map(({ data }) => pathOf(data)).join(", ") || "none"}.`,
    });
  }
  const chosen = names.length === 0 ? files : files.filter(({ data }) => names.includes(pathOf(data)));
  const bytes = chosen.reduce((sum, { data }) => sum + (data.size_bytes ?? 0), 0);
  if (bytes <= MAX_FETCHED_BYTES) return chosen;
  throw new MillraceError("payload_too_large", `The files are ${bytes} bytes; the limit is 256 MiB a call.`, {
    remedy: "Name some of them.",
  });
}

/** How often a file is downloaded again whose server was killed in the middle. */
const MAX_CUTS = 4;

/**
 * As it comes, and never more than was announced: the room for all files was checked with that. What was downloaded before the
 * connection was cut is not written again.
 */
async function* contentOf(
  { api }: OwnRun,
  { artifact_uid: artifactUid, size_bytes = 0 }: Artifact["data"],
): AsyncGenerator<Uint8Array> {
  const path = { artifactUid };
  let written = 0;
  for (let cuts = 0; ; cuts += 1) {
    const response = await api.bytes("/agent/artifacts/{artifactUid}/download", { path }, {}).asResponse();
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        const before = bytes;
        bytes += chunk.length;
        if (bytes > size_bytes) throw new MillraceError("conflict", `It is larger than ${size_bytes} bytes.`);
        if (bytes <= written) continue;
        const rest = chunk.subarray(Math.max(0, written - before));
        written = bytes;
        yield rest;
      }
      return;
    } catch (error) {
      if (error instanceof MillraceError || cuts >= MAX_CUTS) throw error;
    }
  }
}
