import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { AuthenticationError } from "./client.ts";

/** Where it is kept who is signed in; null is no one. */
export const WHOAMI = ["whoami"] as const;

/** Someone was signed in, and the server says that it is over: the frame asks to sign in again, at the same address. */
function endOnRefusal(error: unknown): void {
  if (error instanceof AuthenticationError && queryClient.getQueryData(WHOAMI)) {
    queryClient.setQueryData(WHOAMI, null);
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endOnRefusal }),
  mutationCache: new MutationCache({ onError: endOnRefusal }),
  defaultOptions: {
    queries: {
      // The client itself tries again what is worth it, and events tell when something has changed.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
  },
});
