import { useEffect, useRef, useState } from "react";
import { type Models, millrace } from "../../../api/client.ts";
import { hasEnded } from "../../../parts/runs/has-ended.ts";
import { usePageSeen } from "../../../parts/use-page-seen.ts";
import { NO_TEXT, type TranscriptText, withPieces } from "./transcript-lines.ts";

type Step = Models["RunStep"];
type Piece = Parameters<typeof withPieces>[1][number];

/** Pieces come faster than a page can be drawn. */
const DRAW_EVERY_MS = 80;

/**
 * What the agent of a run has written and writes, until the run ends; another turn goes on where it was. A tab that no
 * one sees lets go of its stream and goes on there when it is seen again: over HTTP/1.1 a browser has six connections
 * to a server.
 */
export function useTranscript({ run_id, state }: Models["RunItem"]): {
  text: TranscriptText;
  steps: readonly Step[];
  error: unknown;
} {
  const [text, setText] = useState(NO_TEXT);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [error, setError] = useState<unknown>();
  const reached = useRef<string | undefined>(undefined);
  const isOver = hasEnded(state);
  const isSeen = usePageSeen();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that has ended and goes on again is followed again
  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    let waiting: Piece[] = [];
    let done: Step[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      const pieces = waiting;
      const told = done;
      waiting = [];
      done = [];
      if (pieces.length > 0) setText((before) => withPieces(before, pieces));
      if (told.length > 0) setSteps((before) => [...before, ...told]);
    };
    const follow = async () => {
      const from = reached.current === undefined ? {} : { lastEventId: reached.current };
      for await (const { event, id, data } of millrace.runs.followSteps(run_id, {
        signal: leaving.signal,
        ...from,
      })) {
        if (leaving.signal.aborted) return;
        reached.current = id ?? reached.current;
        if (event === "end") continue;
        if (event === "step") done.push(data);
        else {
          waiting.push(data);
          done.push(...stepOf(data, Number(id)));
        }
        timer ??= setTimeout(draw, DRAW_EVERY_MS);
      }
    };
    follow().catch((thrown) => {
      if (!leaving.signal.aborted) setError(thrown);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      if (waiting.length > 0 || done.length > 0) draw();
    };
  }, [run_id, isOver, isSeen]);
  return { text, steps, error };
}

/** What is in the text alone: standard error, and lines of millrace. The rest of the text has the steps once more. */
function stepOf({ stream, text, turn, at }: Piece & { turn: number; at: string }, id: number): Step[] {
  if (stream === "stdout") return [];
  return [{ id, turn, time: at, type: "output", text: text.replace(/\n$/, "") }];
}
