import type { IncomingHttpHeaders } from "node:http";
import { newUuid } from "../id.ts";

const HEADER = "x-millrace-test";

/** The deliveries that this server sends to itself as tests, each known by a word that nobody else has heard. */
export interface OwnDeliveries {
  /** Sends one. @param post is given the headers that tell it from others' */
  sending<T>(post: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Whether a request is one of them. */
  includes(headers: IncomingHttpHeaders): boolean;
}

/** What a person here writes is signed as if its provider had sent it: only the way of the request tells the two apart. */
export function ownDeliveries(): OwnDeliveries {
  const underWay = new Set<string>();
  return {
    async sending(post) {
      const word = newUuid();
      underWay.add(word);
      try {
        return await post({ [HEADER]: word });
      } finally {
        underWay.delete(word);
      }
    },
    includes(headers) {
      const word = headers[HEADER];
      return typeof word === "string" && underWay.has(word);
    },
  };
}
