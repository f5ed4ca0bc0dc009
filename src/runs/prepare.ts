import { errorMessage } from "../error.ts";
import type { Vault } from "../secrets/vault.ts";
import { setupFailed } from "./ending.ts";
import type { Harnesses, HarnessRow } from "./harness/harness.ts";
import type { Ending, Run, RunStore } from "./run.ts";
import { prepareWorkspace, type Workspace } from "./workspace/workspace.ts";

export interface PrepareParts {
  store: Pick<RunStore, "listAttachments" | "findAttachment">;
  vault: Pick<Vault, "open">;
  harnesses: Harnesses;
  /** The folder in which each run gets one of its own. */
  workspaces: string;
}

/** What a turn needs to start. */
export interface Prepared {
  program: HarnessRow;
  workspace: Workspace;
  /** The granted secrets by name, read now. */
  secrets: Map<string, string>;
}

/** Finds what a run needs and puts it into its workspace. @returns the end of the run when something is not to be had */
export async function prepareRun(run: Run, prompt: string, parts: PrepareParts): Promise<Prepared | Ending> {
  const { unprepared = [] } = run.execution;
  if (unprepared.length > 0) {
    return setupFailed(
      `The run asks for ${unprepared.join(", ")}, and this server cannot prepare that yet. Ask again without it.`,
    );
  }
  const program = parts.harnesses.find(run.execution.harness);
  if ("missing" in program) return setupFailed(program.missing);
  try {
    const attachments = [];
    for (const { name } of await parts.store.listAttachments(run.id)) {
      const attachment = await parts.store.findAttachment(run.id, name);
      if (attachment) attachments.push(attachment);
    }
    const workspace = await prepareWorkspace(parts.workspaces, run, prompt, attachments);
    return { program, workspace, secrets: await parts.vault.open(run.execution.secrets) };
  } catch (error) {
    return setupFailed(`The workspace could not be prepared: ${errorMessage(error)}.`);
  }
}
