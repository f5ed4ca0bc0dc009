import type { Millrace, Models } from "../../client/client.ts";
import { filesRead, loadDefinition } from "../../definitions/loading/load.ts";
import { hasErrors } from "../../definitions/problem.ts";
import type { Tree } from "../../git/revision.ts";
import { filesToSend } from "../../git/sent-files.ts";
import { locateSource, sourceName } from "../../git/source-location.ts";
import { reportPlan } from "../../plans/plan-report.ts";

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
