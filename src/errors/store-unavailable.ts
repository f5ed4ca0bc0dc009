import { MillraceError } from "./error.ts";

/** The store cannot be used now. Nobody knows whether what it was asked has taken effect; whoever asks again later is told. */
export class StoreUnavailable extends MillraceError {
  /** @param why what a database says of itself, which is for the log */
  constructor(why: string) {
    super("service_unavailable", "The store is unavailable.", { retryAfter: 5, cause: new Error(why) });
  }
}
