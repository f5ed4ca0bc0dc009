import { useRef, useState } from "react";
import { type Models, newIdempotencyKey } from "../../api/client.ts";
import { fewAtATime } from "../../parts/few-at-a-time.ts";
import type { BulkAction } from "./bulk-action.ts";

type Run = Models["RunItem"];

/** How it went with one run. */
export type BulkResult = { run: Run } & ({ started: string | undefined } | { error: unknown });

/**
 * Does something with runs, once each however often it is asked for: what failed can be tried again, with the same
 * idempotency key.
 */
export function useBulk({ send }: Pick<BulkAction, "send">) {
  const key = useRef(newIdempotencyKey());
  const isSending = useRef(false);
  const isStopped = useRef(false);
  const [isPending, setPending] = useState(false);
  const [results, setResults] = useState<ReadonlyMap<string, BulkResult>>(new Map());

  async function one(run: Run): Promise<void> {
    const result = await send(run, `${key.current}-${run.run_id}`).then(
      (started): BulkResult => ({ run, started }),
      (error: unknown): BulkResult => ({ run, error }),
    );
    setResults((before) => new Map(before).set(run.run_id, result));
  }

  return {
    results,
    isPending,
    async start(runs: readonly Run[]): Promise<void> {
      if (isSending.current) return;
      isSending.current = true;
      isStopped.current = false;
      setPending(true);
      await fewAtATime(runs, one, () => isStopped.current);
      isSending.current = false;
      setPending(false);
    },
    /** What is under way ends; nothing more begins. */
    stop(): void {
      isStopped.current = true;
    },
  };
}
