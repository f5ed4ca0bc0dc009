/** The server could not be reached, or could not answer: what was asked can be asked again. */
export class ServerUnreachable extends Error {
  override name = "ServerUnreachable";
  /** How long the server wants not to be asked. */
  readonly retryAfterMs: number;

  constructor(reason: string, retryAfterMs = 0) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server has answered with an internal error: it may do better the next time. */
export class ServerFailed extends ServerUnreachable {
  override name = "ServerFailed";
}

/** The server is there, and cannot do what was asked, however often that is. */
export class ServerBroken extends Error {
  override name = "ServerBroken";
}

/** The server has answered that it does not do what was asked, and would say the same again. */
export class ServerRefusal extends Error {
  override name = "ServerRefusal";
  readonly status: number;

  /** @param problem what the server says, in the form of its API */
  constructor(status: number, problem: unknown) {
    const { detail, remedy } = isObject(problem) ? problem : {};
    const sentences = [detail, remedy].filter((text) => typeof text === "string");
    super(sentences.join(" ") || `The server answered with status ${status}.`);
    this.status = status;
  }

  /** Whether the turn that was asked about is no longer this worker's. */
  get isLostTurn(): boolean {
    return this.status === 409;
  }

  /** Whether it is the worker that is refused, whatever it asks. */
  get isOfWorker(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 422;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
