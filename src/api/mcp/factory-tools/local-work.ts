import type { Task } from "./named-task.ts";

/** Where somebody continues a task. */
export interface WorkPlace {
  workspace_dir?: string;
  branch?: string;
}

/** What follows for somebody who continues a task on their own machine. */
export interface LocalWork {
  /** The commands to run, in their order. */
  next_actions: string[];
  /** The same in words. */
  lines: string[];
  /** What the foreman is told. */
  announcement: string;
}

/** Agents report branches, and people run these commands: whatever a shell or git could take for something else is left out. */
const PLAIN_BRANCH = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/;

const MAX_TITLE = 200;

/** The git commands that set up a worktree for a task. The server runs none of them. */
export function localWork(task: Task, { workspace_dir: clone, branch: asked }: WorkPlace): LocalWork {
  const branch = asked ?? reportedBranch(task);
  const isPlain = branch === undefined || PLAIN_BRANCH.test(branch);
  // The title can be that of a stranger's issue, and the foreman takes the message for one of the caller's.
  const title = JSON.stringify(task.title.slice(0, MAX_TITLE));
  const place = branch !== undefined && isPlain ? `, on the branch ${branch}` : "";
  const announcement = `The task ${title} is being continued outside the factory${place}.`;
  if (!isPlain) {
    const lines = ["The branch has characters that are not safe in a command, so no commands are given."];
    return { next_actions: [], lines, announcement };
  }
  const git = clone === undefined ? "git" : `git -C ${quoted(clone)}`;
  const folder = quoted(`${clone === undefined ? ".." : `${clone.replace(/\/+$/, "")}/..`}/task-${task.uid}`);
  const next_actions =
    branch === undefined
      ? [`${git} fetch origin`, `${git} worktree add -b task-${task.uid} ${folder} origin/HEAD`]
      : [`${git} fetch origin ${branch}`, `${git} worktree add ${folder} ${branch}`];
  return { next_actions, lines: ["Run these commands:", ...next_actions], announcement };
}

/** The branch of the newest pull request that names one. */
function reportedBranch({ outputs = [] }: Task): string | undefined {
  return outputs.find(({ artifact_type, data }) => artifact_type === "PULL_REQUEST" && data.branch)?.data
    .branch;
}

/** One word of a shell's command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
