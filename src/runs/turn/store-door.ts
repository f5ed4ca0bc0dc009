import { errorMessage, MillraceError } from "../../errors/error.ts";
import { isChosenByProgram, type PriceTable, priceUsage } from "../../insight/prices.ts";
import type { Log } from "../../log.ts";
import { storable } from "../../platform/storable-text.ts";
import type { LiveQuestions } from "../agents/live-questions.ts";
import type { AnswerChecker } from "../answers/answer-checker.ts";
import { findRoot } from "../family-root.ts";
import type { RunMasks } from "../output/run-masks.ts";
import type { TranscriptStore } from "../output/transcript.ts";
import type { TurnResources } from "../output/usage.ts";
import { fileArtifact, isArtifactPath, MAX_FILES, MAX_OF_RUN } from "../rules/artifact.ts";
import {
  type Budgets,
  countsUsd,
  overBudgetMessage,
  skippedMessage,
  turnBudgetOf,
  unpricedMessage,
} from "../rules/budget.ts";
import { conversationSoFar } from "../rules/conversation.ts";
import { answerSchema, type CheckedAnswer, NO_ANSWER, repairText } from "../rules/output-answer.ts";
import type { Claim, Ending, Run } from "../run.ts";
import type { RunStore } from "../run-store.ts";
import type { TurnMeter } from "../turn-meter.ts";
import { callOf, doorOf } from "./turn-calls.ts";
import type { SessionDoor, TurnDoor } from "./turn-door.ts";

export interface StoreDoorDeps extends BudgetDeps {
  store: RunStore;
  transcripts: TranscriptStore;
  questions: Pick<LiveQuestions, "open" | "reply">;
  /** Where API calls find what must not be shown of a run. */
  masks: Pick<RunMasks, "hide" | "unhiding" | "maskOf">;
  meter: TurnMeter;
  /** Hears that runs may wait for a provider from now on. */
  onHold(): void;
  answers: Pick<AnswerChecker, "check">;
  log: Log;
  now: () => Date;
}

/** What a door has to know of a claim. */
export type OpenClaim = Pick<Claim, "run" | "ticket">;

/** The door of one claimed turn: what its executor asks is found in the store, and what it tells is kept there. */
export function storeDoor(
  { run, ticket }: OpenClaim,
  deps: StoreDoorDeps,
  findSkills: TurnDoor["findSkills"],
): TurnDoor {
  const { store, transcripts, masks, meter, prices, budgets, log, now } = deps;
  const { id } = run;
  const claim = { id, ticket };
  const at = () => now().toISOString();
  let startedAt: Date | undefined;
  let unhide: (() => void) | undefined;
  let root: Run | undefined;
  const usageOfTurn = async () =>
    ((await store.listUsage([id]))[id] ?? []).filter(({ turn }) => turn === run.turn);
  return storableDoor({
    async hide(values) {
      unhide?.();
      unhide = await masks.hide(id, values);
    },
    async start(start) {
      const instant = now();
      const started = await store.start({ ...claim, ...start }, instant.toISOString());
      if (!started) return false;
      // A worker that has not heard the answer may ask another server.
      if (started === "first") startedAt = instant;
      if (started === "first")
        meter.started(run, run.turn === 1 ? instant.getTime() - Date.parse(run.createdAt) : undefined);
      return true;
    },
    async finish(unchecked) {
      const ending = await withCheckedAnswer(unchecked, run, deps);
      const instant = now();
      // A worker's calls may come to any server, and to one that was started since: the store knows what all have heard.
      const started = startedAt?.toISOString() ?? (await store.findTurnStart(claim));
      // Another server may have hidden it. What hides the secrets of a later turn stays.
      const unhideFound = masks.unhiding(id);
      const state = await store.finish(claim, ending, instant.toISOString()).catch((error) => {
        if (error instanceof MillraceError) throw error;
        // The store is there, and would refuse this ending for ever.
        log.error({ run: id, error: errorMessage(error) }, "the outcome of a turn cannot be stored");
        return store.finish(claim, UNSTORABLE, instant.toISOString());
      });
      if (unhide) unhide();
      else if (state) unhideFound();
      if (ending.limit) deps.onHold();
      if (state) {
        meter.ended(run, state, started === undefined ? undefined : instant.getTime() - Date.parse(started));
        meter.used(run, await usageOfTurn());
        const reaches = await store.listReaches(id, run.turn);
        if (reaches.reached.length + reaches.refused.length > 0) meter.reached(run, reaches);
      }
      log.info({ run: id, turn: run.turn, state, title: run.title }, "turn ended");
    },
    listAttachments: () => store.listAttachments(id),
    findAttachment: (name) => store.findAttachment(id, name),
    findSkills,
    async listMessages() {
      // Until a program has been started, everything is still to be read.
      const isFor = (turn: number | null) => turn === run.turn || (run.startedAt === null && turn !== null);
      return (await store.listFollowUps(id)).filter(({ turn }) => isFor(turn));
    },
    findConversation: () =>
      conversationSoFar(run, (page) => store.listMessages(id, page), masks.maskOf(id) ?? ((text) => text)),
    append: (chunks) => transcripts.append(id, chunks),
    findEventSize: () => transcripts.findEventSize(id),
    keepReport: (report) => store.keepReport(claim, report, at()),
    async keepReaches(told) {
      await store.keepReaches(claim, told, at());
    },
    async keepUsage(usage, source = "harness") {
      const priced = priceUsage(usage, prices);
      root ??= await findRoot(run, store);
      const over = await store.keepUsage(claim, priced, source, at(), turnBudgetOf(run, budgets(), root));
      return over ? { overBudget: overBudgetMessage(over) } : {};
    },
    keepResources: (resources) => store.keepResources(claim, wholeResources(resources), at()),
    listUsage: async () => (await store.listUsage([id]))[id] ?? [],
    async addFile(file) {
      // An agent names its files, and a worker can name anything: others store them under these names.
      if (!isArtifactPath(file.path)) return "unfit path";
      return store.addArtifact(id, fileArtifact(file, { turn: run.turn, at: now() }), MAX_FILES, ticket);
    },
    listArtifacts: async () => (await store.listArtifacts([id]))[id] ?? [],
    proposePlan: (plan) => store.proposePlan(claim, { ...plan, most: MAX_OF_RUN }, at()),
    session: sessionDoor({ run, ticket }, deps),
  });
}

/** An agent's word for its answer does not count: what the program gave, what the agent said, or its text is checked here. */
async function withCheckedAnswer(
  { answerJson, ...ending }: Ending,
  run: OpenClaim["run"],
  { store, answers }: Pick<StoreDoorDeps, "store" | "answers">,
): Promise<Ending> {
  const schema = answerSchema(run);
  if (schema === undefined || ending.state !== "SUCCEEDED") return ending;
  const given = answerJson === undefined ? undefined : await answers.check(schema, answerJson);
  if (given && "json" in given) return { ...ending, checked: given };
  const said = await store.findTurnAnswer(run);
  if (said.json !== null) return { ...ending, checked: { json: said.json } };
  const text = ending.isOutput ? (said.text ?? ending.answer) : (ending.answer ?? said.text);
  const ofText = text == null || text === "" ? undefined : await answers.check(schema, text);
  if (ofText && "json" in ofText) return { ...ending, checked: ofText };
  const wrong: Exclude<CheckedAnswer, { json: string }> = given ?? ofText ?? { problems: [NO_ANSWER] };
  const { problems, isFinal } = wrong;
  return { ...ending, checked: { problems, ...(isFinal ? {} : { repair: repairText(problems, schema) }) } };
}

/**
 * A door through which every text that an agent, its program or a worker tells can be stored: no caller could be told that one
 * cannot. Output goes through as it is, since a transcript holds bytes, and so do the values to be hidden in it.
 */
function storableDoor(door: TurnDoor): TurnDoor {
  return doorOf((name, { hasTexts }) => {
    const call = callOf(door, name);
    return hasTexts ? (...told) => call(...told.map(storable)) : call;
  });
}

/** What is stored of a turn whose own outcome cannot be. */
const UNSTORABLE: Ending = {
  state: "ERROR",
  exitCode: null,
  statusMessage: {
    message:
      "The outcome of the turn could not be stored. The log of the server says why. Send a follow-up to start another turn.",
    error_code: "internal_error",
    retryable: true,
  },
};

/** Workers can say anything; the store has whole numbers, and sums of them that must not overflow. */
function wholeResources({ cpuMs, peakMemoryBytes }: TurnResources): TurnResources {
  const whole = (value: number | null, most: number) => value && Math.round(Math.min(value, most));
  return { cpuMs: whole(cpuMs, MAX_CPU_MS), peakMemoryBytes: whole(peakMemoryBytes, MAX_MEMORY_BYTES) };
}

const MAX_CPU_MS = 1e12;
const MAX_MEMORY_BYTES = 1e15;

function sessionDoor(
  { run: { id, turn }, ticket }: OpenClaim,
  { store, questions, now }: StoreDoorDeps,
): SessionDoor {
  const at = () => now().toISOString();
  const claim = { id, ticket };
  let closeQuestions: (() => void) | undefined;
  let isClosed = false;
  const replied = new Map<string, Promise<boolean>>();
  return {
    async open(idleMs) {
      // Told again, it would take the place of the session whose question is open; told late, nobody would close it.
      if (!isClosed) closeQuestions ??= questions.open({ id, turn }, idleMs);
    },
    async close() {
      isClosed = true;
      closeQuestions?.();
    },
    listUngiven: () => store.listUngiven(claim),
    offer: (followUpId) => store.offer(claim, followUpId),
    give: (followUpIds) => store.give(claim, followUpIds, at()),
    confirm: (followUpId) => store.confirm(claim, followUpId),
    keepRest: () => store.keepRest(claim, at()),
    findIsWaiting: () => store.findIsWaiting(id, turn),
    async reply(followUpId, text) {
      // Asked again when an answer was lost: the agent gets a text once.
      const earlier = replied.get(followUpId);
      if (earlier) return earlier;
      const reply = questions.reply({ id, turn }, text);
      if (reply) replied.set(followUpId, reply);
      return reply;
    },
  };
}

interface BudgetDeps {
  store: Pick<RunStore, "find" | "findOverBudget">;
  /** What models cost. */
  prices: PriceTable;
  /** The active budgets. */
  budgets: () => Budgets;
}

/** Why a claimed turn ends before anything of it is prepared: a budget does not let it begin. */
export async function whyOverBudget(
  { run, refusal }: Claim,
  { store, prices, budgets }: BudgetDeps,
): Promise<string | undefined> {
  if (refusal) return skippedMessage(refusal);
  const budget = turnBudgetOf(run, budgets(), await findRoot(run, store));
  if (!budget) return undefined;
  const { model } = run.execution.harness;
  // A budget that cannot be counted would be none.
  if (countsUsd(budget) && model !== undefined && !isChosenByProgram(model) && !prices.priceOf(model))
    return unpricedMessage(model);
  const isFirst = run.turn === 1 && run.ancestors.length === 0;
  const over = isFirst ? undefined : await store.findOverBudget(run.id, budget);
  return over && overBudgetMessage(over);
}
