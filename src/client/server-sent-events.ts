// Own file: a parser with tests by itself, which knows nothing of the API.

/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** The `Last-Event-ID` to resume after this event; undefined until an event has one. */
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * Reads events as defined by the HTML standard; an incomplete event is dropped. The client has no dependencies, so that it works
 * in a browser and can be installed alone: this is the one parser of such events, for its users, the commands and the dashboard.
 */
export async function* parseServerSentEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id: string | undefined;
  let told: string | undefined;
  let event = "";
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
    if (line === "") {
      // An event without data says how far the reader has come, and nothing else.
      if (data.length > 0 || (id !== undefined && id !== told)) {
        yield { id, event: event || "message", data: data.join("\n") };
        told = id;
      }
      event = "";
      data = [];
      continue;
    }
    const { name, value } = fieldOf(line);
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }
}

/** A line that starts with a colon is a comment: it has no name. */
function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}

/** Lines end with CR LF, LF or CR; what is behind the last end is not yet a line. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of chunks) {
    unread += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a line end: the next chunk decides.
    const lines = unread.split(/\r\n|\n|\r(?!$)/);
    unread = lines.pop() ?? "";
    yield* lines;
  }
}
