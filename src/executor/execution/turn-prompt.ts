import { type FollowUp, givenText } from "../../runs/rules/follow-up.ts";
import { isPlanning, PLAN_ONLY } from "../../runs/rules/plan.ts";
import type { Run } from "../../runs/run.ts";

interface TurnPromptOptions {
  /** What the run's skill says to the agent. */
  skill?: string;
  /** Whether the agent has the command `millrace` and is not told of it in another way. */
  tellsCommand?: boolean;
  /** What was said in earlier turns, to an agent that starts in a new workspace. */
  conversation?: string | undefined;
  /** The files with its deliveries, oldest first, of a run that has several. */
  joined?: readonly string[];
}

/**
 * What an agent is asked in a turn: in the first one its own prompt, the text of its skill, the request
 * with its envelope and what came while that waited, one empty line between them; later what was said since. A
 * later turn in a new workspace begins like the first one, with the conversation so far in place of the request. A run
 * whose first turn ended before an agent was started has its whole prompt still to be read.
 */
export function turnPrompt(
  run: Pick<Run, "config" | "prompt" | "turn" | "startedAt" | "execution" | "planState">,
  messages: readonly Pick<FollowUp, "message" | "from" | "creator" | "isRepeated">[],
  { skill = "", tellsCommand = false, conversation, joined = [] }: TurnPromptOptions = {},
): string {
  const said = messages.map((message) =>
    message.isRepeated ? `${REPEATED}\n${givenText(message)}` : givenText(message),
  );
  const isFirst = run.turn === 1 || run.startedAt === null;
  const request = isFirst ? [run.prompt, ...joinedText(joined)].join("\n") : conversation;
  const parts =
    request === undefined
      ? said
      : [tellsCommand ? COMMAND : "", run.config.base_prompt ?? "", skill, request, ...said];
  return [isPlanning(run) ? PLAN_ONLY : "", ...parts]
    .map(withoutEmptyEdges)
    .filter((part) => part !== "")
    .join("\n\n");
}

/** At the start: scripts that stand in for agents read their request from the end. */
const COMMAND =
  "[millrace: `millrace agent --help` lists what you can do in this run, for example ask a person, report a result, give your answer, or start another agent.]";

/** Deliveries that came while the run waited are one with the one that its prompt names. */
function joinedText(joined: readonly string[]): string[] {
  if (joined.length < 2) return [];
  return [
    `This run is about ${joined.length} deliveries. Their JSON bodies are these files, oldest first, with the id of the delivery at the end of the name; event-payload.json is the newest of them:`,
    ...joined.map((name) => `- ${name}`),
  ];
}

const REPEATED =
  "[millrace: The previous turn ended before its agent confirmed the following message. If you have already acted on it, do not act on it again.]";

/** The body of a Markdown file begins with the empty line that people leave after its front matter. */
function withoutEmptyEdges(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
