import type { Located } from "../../forge/forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { answerProblem } from "./answers.ts";
import { fromWire, toWire } from "./bytes.ts";

/** A repository as a worker gets it: the name of its forge, and how to open it is the server's. */
type WireRemote = { forge: string; originUrl: string; tokenIn: string } | { missing: string };

/** An assignment as it goes to a worker: without anything that opens a forge. */
export function assignmentToWire({ secrets, repositories, ...assignment }: Assignment): unknown {
  return toWire({
    ...assignment,
    secrets: [...secrets],
    repositories: repositories.map(({ owner, name, remote }) => ({
      owner,
      name,
      remote:
        "missing" in remote
          ? remote
          : { forge: remote.forge, originUrl: remote.url, tokenIn: remote.tokenIn },
    })),
  });
}

/**
 * @param locate where the server serves a repository of a forge
 * @throws Error for one of another form: its names become parts of paths on the worker's machine
 */
export function assignmentFromWire(
  wire: unknown,
  locate: (
    forge: string,
    repository: { owner: string; name: string },
  ) => Pick<Located<GitAccess>, "url" | "access">,
): Assignment {
  const problem = answerProblem("assignment", wire);
  if (problem !== undefined) throw new Error(`The assignment of a turn is not valid: ${problem}.`);
  const { secrets, repositories, ...assignment } = fromWire(wire) as Omit<
    Assignment,
    "secrets" | "repositories"
  > & {
    secrets: [string, string][];
    repositories: { owner: string; name: string; remote: WireRemote }[];
  };
  return {
    ...assignment,
    secrets: new Map(secrets),
    repositories: repositories.map(({ owner, name, remote }) => ({
      owner,
      name,
      remote:
        "missing" in remote
          ? { missing: remote.missing }
          : { ...remote, ...locate(remote.forge, { owner, name }) },
    })),
  };
}
