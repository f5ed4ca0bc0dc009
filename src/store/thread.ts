import { basename, dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { serial } from "../concurrency/shared-work.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import { type CallOutcome, commitTogether, readOnce } from "./group-commit.ts";
import { TRANSCRIPT_SCHEMA, transcriptsBeside } from "./runs/transcript-file.ts";
import { migrate } from "./schema/migrate.ts";
import { explainFullDisk } from "./sqlite/disk-reserve.ts";
import { openSqlite, type SqliteConnection } from "./sqlite/sqlite.ts";
import { writerOnFullDisk } from "./sqlite/writer-on-full-disk.ts";
import { createPorts } from "./store.ts";
import type { StoreCall } from "./store-call.ts";

/** What a store thread is started with. */
export interface ThreadOptions {
  path: string;
  /**
   * The writer migrates and commits; the one of transcripts does so in their own database; the reader answers queries to
   * both, so that a long one holds up no one else.
   */
  role: "writer" | "transcripts" | "reader";
  /** Disk space that is reserved for the writer, on the file system of the data folder. */
  reserve?: string | undefined;
}

/** Messages to a store thread: that it may open the database, a batch of calls, or the wish that it ends. */
export type ToThread = { open: true } | { calls: StoreCall[] } | { close: true };
/** Messages from it: that it is open, or the outcomes of a batch in order. */
export type FromThread =
  | { opened: true }
  | { failed: string; remedy?: string }
  | { outcomes: CallOutcome[] }
  | { full: true };

if (parentPort) serveCalls(workerData as ThreadOptions, parentPort);

/** Opens the database when told to, and answers batches of calls, one after the other. */
function serveCalls(options: ThreadOptions, port: NonNullable<typeof parentPort>): void {
  port.once("message", async () => {
    try {
      answerCalls(await open(options), options, port);
    } catch (error) {
      const { message, remedy } = error as Error & { remedy?: string };
      port.postMessage({ failed: message, ...(remedy ? { remedy } : {}) } satisfies FromThread);
    }
  });
}

const OPEN_OPTIONS = {
  writer: {},
  // A power failure may take the last of what agents wrote; the death of this process takes nothing.
  transcripts: { sync: "NORMAL" },
  reader: { readonly: true },
} as const;

async function open({ path, role }: ThreadOptions): Promise<SqliteConnection> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(role === "transcripts" ? transcriptsBeside(path) : path, OPEN_OPTIONS[role]);
    if (role === "writer") await migrate(connection, new Date());
    if (role === "transcripts") await migrate(connection, new Date(), TRANSCRIPT_SCHEMA);
    if (role === "reader")
      await connection.run("ATTACH DATABASE $1 AS transcripts", [transcriptsBeside(path)]);
    return connection;
  } catch (error) {
    connection?.close();
    const explained = explainFullDisk(dirname(path), error);
    throw explained instanceof MillraceError ? explained : unusable(path, explained);
  }
}

/** The one of transcripts is opened while the main one is looked into: only its own examination tells them apart. */
function unusable(path: string, cause: unknown): MillraceError {
  const message = `The database ${path}, or ${basename(transcriptsBeside(path))} next to it, cannot be used: ${errorMessage(cause)}.`;
  return new MillraceError("service_unavailable", message, {
    remedy:
      "Run `millrace doctor` with the same settings to find out which one is damaged, then restore the last backup into an empty folder (docs/backup.md).",
    cause,
  });
}

function answerCalls(
  connection: SqliteConnection,
  { role, reserve }: ThreadOptions,
  port: NonNullable<typeof parentPort>,
): void {
  const ports = createPorts(connection);
  const commit = (calls: readonly StoreCall[]) => commitTogether(connection, ports, calls);
  const onFull = () => port.postMessage({ full: true } satisfies FromThread);
  const write =
    role === "writer" && reserve !== undefined
      ? writerOnFullDisk({ reserve, carryOut: commit, onFull })
      : commit;
  const batches = serial();
  port.on("message", (message: ToThread) => {
    void batches.run(async () => {
      if ("open" in message) return;
      if ("close" in message) {
        connection.close();
        port.close();
        return;
      }
      const outcomes = await carryOut(message.calls);
      port.postMessage({ outcomes } satisfies FromThread);
    });
  });
  port.postMessage({ opened: true } satisfies FromThread);

  async function carryOut(calls: readonly StoreCall[]): Promise<CallOutcome[]> {
    if (role !== "reader") return write(calls);
    const outcomes: CallOutcome[] = [];
    for (const call of calls) outcomes.push(await readOnce(connection, ports, call));
    return outcomes;
  }
}
