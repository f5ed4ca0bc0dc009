/** What was read, with the tag by which a change says what it was made of. */
export type Tagged<Value> = Value & { etag: string };

/** An answer that can be changed: only as it was when it was read, or the server says that someone was faster. */
export async function tagged<Value extends object>(promise: Answer<Value>): Promise<Tagged<Value>> {
  const { data, response } = await promise.withResponse();
  return { ...data, etag: response.headers.get("etag") ?? "" };
}

/** What a call of the client returns. */
export interface Answer<Value> {
  withResponse(): Promise<{ data: Value; response: Response }>;
}
