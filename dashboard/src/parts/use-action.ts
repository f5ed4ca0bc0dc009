import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, newIdempotencyKey } from "../api/client.ts";

/** What makes all attempts of one action one request to the server. */
export interface Once {
  idempotencyKey: string;
}

interface ActionOptions<Result, Input> {
  /** Sends it. What it throws is the action's error. */
  send: (once: Once, input: Input) => Promise<Result>;
  onDone?: (result: Result) => unknown;
  /** Whether it was done or not. */
  onSettled?: () => unknown;
}

/**
 * Something that is written: sent once, however often it is asked for while it is sent. An attempt that failed is repeated
 * with the same idempotency key, so that the server does not do it twice when only its answer was lost.
 */
export function useAction<Result, Input = void>({ send, onDone, onSettled }: ActionOptions<Result, Input>) {
  // A second key press can come before the page is drawn again, so the state of the mutation is too late.
  const isSending = useRef(false);
  const key = useRef(newIdempotencyKey());
  const renew = () => {
    key.current = newIdempotencyKey();
  };
  const mutation = useMutation({
    mutationFn: (input: Input) => send({ idempotencyKey: key.current }, input),
    onSuccess: (result) => {
      renew();
      return onDone?.(result);
    },
    onError: (error) => {
      if (isOfOtherRequest(error)) renew();
    },
    onSettled: () => {
      isSending.current = false;
      return onSettled?.();
    },
  });
  const { data, error, isPending, variables } = mutation;
  return {
    data,
    error,
    isPending,
    /** Whether it is being sent, also when the page has not been drawn since. */
    isSending: () => isSending.current,
    /** What is being sent. */
    sending: isPending ? variables : undefined,
    /** Sends it, unless it is being sent. */
    run(input: Input): void {
      if (isSending.current) return;
      isSending.current = true;
      mutation.mutate(input);
    },
    /** Forgets how it went; what is sent next is another request. */
    reset(): void {
      renew();
      mutation.reset();
    },
  };
}

/** Whether an attempt was refused because an earlier one, with other content, may have taken effect. */
export function isOfOtherRequest(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.problem.field === "Idempotency-Key";
}
