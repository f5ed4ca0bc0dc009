import { chanceFrom } from "./given/chance.ts";
import { hear } from "./given/hearing.ts";
import type { Figures, Part, ProofOptions } from "./given/part.ts";
import { startSenders } from "./given/senders.ts";
import { openStage } from "./given/stage.ts";
import { judge } from "./given/verdict.ts";

/** Lets senders send while one kind of harm is done, lets everything come to rest, and judges what is there. */
export async function prove(part: Part, options: ProofOptions): Promise<Figures> {
  if ("prove" in part) return part.prove(options);
  const chance = chanceFrom(options.seed);
  const { options: stageOptions, tools } = part.prepare();
  const stage = await openStage(stageOptions);
  const began = performance.now();
  // Senders have chances of their own: how often they come round must not change which faults are chosen.
  const senders = startSenders(stage, chanceFrom(options.seed + 1), { large: part.large ?? true });
  const isOver = () => performance.now() - began > options.seconds * 1_000;
  const { faults, mostCutOff, broken = [], note } = await part.harm({ stage, chance, isOver, tools });
  await senders.settle();
  const seconds = (performance.now() - began) / 1_000;
  const { ledger } = senders;
  const { accepted, runs, duplicates, disagreements } = await hear(stage);
  const witnesses = stage.witnesses();
  const verdict = judge({ sent: ledger.sent, accepted, runs, witnesses, mostCutOff });
  return {
    part: part.name,
    seconds,
    faults,
    requests: ledger.requests,
    taken: ledger.taken,
    duplicates,
    refused: ledger.refused,
    runs: runs.length,
    cutOff: verdict.cutOff,
    lost: verdict.lost,
    doubled: verdict.doubled,
    stuck: verdict.stuck,
    broken: [...ledger.broken, ...broken, ...disagreements],
    note,
  };
}
