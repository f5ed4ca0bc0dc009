/** The data of an answer, when it is awaited; and ways to the answer itself. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #response: Promise<Response>;
  readonly #parse: (response: Response) => Promise<Data>;
  #data: Promise<Data> | undefined;

  constructor(response: Promise<Response>, parse: (response: Response) => Promise<Data>) {
    // What this promise itself resolves with is never seen: whoever awaits it calls `then`.
    super((resolve) => resolve(undefined as Data));
    this.#response = response;
    this.#parse = parse;
  }

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The answer with its status and headers, its body unread. */
  asResponse(): Promise<Response> {
    return this.#response;
  }

  /** The data and the answer that it was read from. */
  async withResponse(): Promise<{ data: Data; response: Response }> {
    const [data, response] = await Promise.all([this.#read(), this.#response]);
    return { data, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: the body is read when the data is asked for, and not for `asResponse`
  override then<Result = Data, Failure = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as every promise has it
    onFailure?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#read().then(onData, onFailure);
  }

  #read(): Promise<Data> {
    this.#data ??= this.#response.then(this.#parse);
    return this.#data;
  }
}
