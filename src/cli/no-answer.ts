import { ConnectionError } from "../client/errors.ts";

/** Nothing of ours answered: the server is not there, is silent, or is another program. Who waits is told at once. */
export class NoAnswer extends ConnectionError {
  override readonly name = "NoAnswer";
  readonly title: string;
  readonly remedy: string;

  constructor(title: string, message: string, remedy: string, retryable = false) {
    super(message, { retryable });
    this.title = title;
    this.remedy = remedy;
  }
}
