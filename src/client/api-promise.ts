/** The data of a response when awaited, with access to the response itself. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #response: Promise<Response>;
  readonly #parse: (response: Response) => Promise<Data>;
  #data: Promise<Data> | undefined;

  constructor(response: Promise<Response>, parse: (response: Response) => Promise<Data>) {
    // The value of this promise itself is never used: `await` calls `then`.
    super((resolve) => resolve(undefined as Data));
    this.#response = response;
    this.#parse = parse;
  }

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The response with its status and headers; the body is not read. */
  asResponse(): Promise<Response> {
    return this.#response;
  }

  /** The data and the response that it was read from. */
  async withResponse(): Promise<{ data: Data; response: Response }> {
    const [data, response] = await Promise.all([this.#read(), this.#response]);
    return { data, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: the body is read when the data is asked for, and not for `asResponse`
  override then<Result = Data, Failure = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: same signature as Promise
    onFailure?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#read().then(onData, onFailure);
  }

  #read(): Promise<Data> {
    this.#data ??= this.#response.then(this.#parse);
    return this.#data;
  }
}
