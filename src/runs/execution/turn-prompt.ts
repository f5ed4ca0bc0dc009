import type { FollowUp } from "../rules/follow-up.ts";
import type { Run } from "../run.ts";

/**
 * What an agent is asked in a turn: in the first one its own prompt, the text of its skill, the request
 * with its envelope and what came while that waited, one empty line between them; later what was said since. A run
 * whose first turn ended before an agent was started has its whole prompt still to be read.
 */
export function turnPrompt(
  run: Pick<Run, "config" | "prompt" | "turn" | "startedAt">,
  messages: readonly Pick<FollowUp, "message">[],
  skill = "",
): string {
  const said = messages.map(({ message }) => message);
  const isFirst = run.turn === 1 || run.startedAt === null;
  const parts = isFirst ? [run.config.base_prompt ?? "", skill, run.prompt, ...said] : said;
  return parts
    .map(withoutEmptyEdges)
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The body of a Markdown file begins with the empty line that people leave after its front matter. */
function withoutEmptyEdges(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
