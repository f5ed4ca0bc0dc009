/** An answer that a server has given, to be given again by a script. */
export interface RecordedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What HTTP itself writes anew for each answer. */
const OF_THE_CONNECTION = ["connection", "keep-alive", "transfer-encoding", "content-length", "date"];

export async function record(response: Response): Promise<RecordedAnswer> {
  const headers = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name));
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}
