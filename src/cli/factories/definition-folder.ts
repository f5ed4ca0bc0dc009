import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Millrace, Models } from "../../client/client.ts";
import { filesRead, loadDefinition } from "../../definitions/loading/load.ts";
import { hasErrors } from "../../definitions/problem.ts";
import { MillraceError } from "../../errors/error.ts";
import { readFolder } from "../../git/folder.ts";
import type { Tree } from "../../git/revision.ts";
import { filesToSend } from "../../git/sent-files.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { reportPlan } from "../../plans/plan-report.ts";

/**
 * Reads the folder that a command was given.
 * @param command as it is called, for whoever named a file
 * @throws MillraceError `invalid_request` when it is no folder, SourceError when it cannot be read
 */
export async function readDefinitionFolder(dir: string, command: string): Promise<Tree> {
  const root = resolve(dir);
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) {
    throw new MillraceError("invalid_request", `The folder ${dir} does not exist.`, {
      remedy: "Specify the folder that contains factory.yaml.",
    });
  }
  if (found.isFile()) {
    throw new MillraceError("invalid_request", `${dir} is a file, but a definition is a folder.`, {
      remedy: `Specify the folder: \`${command} ${dirname(dir)}\`.`,
    });
  }
  return readFolder(root);
}

/**
 * What bringing the files of a folder into force would change on a server. A tree that is not valid in itself is not sent:
 * links and bytes that are no text could not be.
 */
export async function planOfFiles(
  tree: Tree,
  root: string,
  { client, factory, traffic }: { client: Millrace; factory: string; traffic: boolean },
): Promise<Models["Plan"]> {
  const { problems } = await loadDefinition(tree, sourceName(locateSource(root)));
  if (hasErrors(problems)) return reportPlan({ factory, revision: null, plan: undefined, problems });
  const entries = filesRead(tree.entries);
  const files = filesToSend(entries, await tree.read(entries));
  return client.factories.plan(factory, { files, traffic });
}
