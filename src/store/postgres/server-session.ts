import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Leadership } from "../../concurrency/rounds.ts";
import { MillraceError } from "../../errors/error.ts";
import { missingPostgresSteps, NewerSchema, showKnownSteps } from "./migrate-postgres.ts";
import { connectPostgres, cutOff } from "./postgres-client.ts";
import { postgresConnection } from "./postgres-connection.ts";

/** What a server is among those of its database. */
export interface ServerSession extends Leadership {
  /** By the clock of the database. */
  now(): Date;
  /** Tells the other servers that something was committed. @param isNews whether executors of runs may have to know it */
  committed(isNews: boolean): void;
  /** Lets another server lead. This one does not lead any more. */
  resign(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerSessionOptions {
  url: string;
  /** Of this process: what it tells is not for itself. */
  uid: string;
  /** Hears that another server has committed something, or that this one may have missed it. */
  onOthers(isNews: boolean): void;
  /** Hears that this server must not write any more: the database is being moved elsewhere, or is one of newer servers alone. */
  onShutOut(error: Error): void;
  /** Hears that PostgreSQL does not answer: what was sent to it may wait for ever. */
  onSilence(): void;
}

/** Every server holds this lock, together with the others: it is free when none is there. */
const SERVERS_LOCK = 0x73657276;
/** Whoever holds this lock leads. */
const LEADER_LOCK = 0x6c656164;
const CHANNEL = "millrace_commits";
/** At the end of what is told: executors of runs look, too. */
const NEWS = " news";
const BEAT_MS = 500;
/** A server that has heard of PostgreSQL no later than this leads no more, whatever locks it holds. */
const LEADS_FOR_MS = 2_000;
/** PostgreSQL ends a session that says nothing for so long, so that another server leads: longer than the above. */
const SILENT_FOR_MS = 3_000;
/** A connection on which nothing was heard for so long is given up, and opened again. */
const ANSWER_MS = 5_000;
/** Commits are told at most so often. */
const BETWEEN_TELLING_MS = 20;
const SETTINGS = { idle_session_timeout: String(SILENT_FOR_MS) };

/**
 * Opens the session that makes this process one of the servers of a database. When it is lost, it is opened again: until then the
 * server does not lead, and finds what others commit by looking.
 * @throws MillraceError `service_unavailable` when the first one cannot be opened
 */
export async function openServerSession({
  url,
  uid,
  onOthers,
  onShutOut,
  onSilence,
}: ServerSessionOptions): Promise<ServerSession> {
  const clock = databaseClock();
  const listeners = new Set<() => void>();
  let client: Client | undefined;
  let isLeading = false;
  /** When the last question that was answered was asked. */
  let heardAt = Number.NEGATIVE_INFINITY;
  let hasJoined = false;
  let hasResigned = false;
  let isClosed = false;
  let isBeating = false;
  let isNewsToTell = false;
  let telling: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const opened = await connectPostgres({ url, name: "server", settings: SETTINGS });
    opened.on("end", () => lose(opened));
    opened.on("error", () => lose(opened));
    opened.on("notification", ({ payload }) => {
      if (!payload?.startsWith(uid)) onOthers(payload?.endsWith(NEWS) ?? true);
    });
    heardAt = performance.now();
    client = opened;
    try {
      await join(opened);
      // It is migrated after the first session was opened.
      if (hasJoined) await missingPostgresSteps(postgresConnection(opened));
      hasJoined = true;
      await ask(opened);
    } catch (error) {
      lose(opened);
      cutOff(opened);
      throw error;
    }
    // What was committed while nobody listened.
    onOthers(true);
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = undefined;
    isLeading = false;
  }

  async function ask(of: Client): Promise<void> {
    const askedAt = performance.now();
    const wantsToLead = !isLeading && !hasResigned;
    const { rows } = await of.query<{ ms: number; leads: number }>(
      `SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS ms, ${wantsToLead ? `pg_try_advisory_lock(${LEADER_LOCK})` : "TRUE"} AS leads`,
    );
    const [answer] = rows;
    if (!answer || client !== of) return;
    clock.hear(Number(answer.ms), askedAt, performance.now());
    heardAt = askedAt;
    if (!wantsToLead || !answer.leads || hasResigned) return;
    isLeading = true;
    for (const listener of listeners) listener();
  }

  function giveUp(): void {
    const silent = client;
    if (!silent) return;
    lose(silent);
    cutOff(silent);
    onSilence();
  }

  async function beat(): Promise<void> {
    if (isBeating || isClosed) return;
    isBeating = true;
    const silence = setTimeout(giveUp, ANSWER_MS);
    try {
      await (client ? ask(client) : open());
    } catch (error) {
      // Otherwise the next beat opens it again.
      if (error instanceof BeingMoved || error instanceof NewerSchema) onShutOut(error);
    } finally {
      clearTimeout(silence);
      isBeating = false;
    }
  }

  function tell(): void {
    telling = undefined;
    // Who misses it looks by itself.
    const payload = isNewsToTell ? uid + NEWS : uid;
    isNewsToTell = false;
    client?.query("SELECT pg_notify($1, $2)", [CHANNEL, payload]).catch(() => {});
  }

  await open();
  const beats = setInterval(() => void beat(), BEAT_MS);
  return {
    now: clock.now,
    isLeader: () => isLeading && performance.now() - heardAt < LEADS_FOR_MS,
    onLeading(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    committed(isNews) {
      isNewsToTell ||= isNews;
      telling ??= setTimeout(tell, BETWEEN_TELLING_MS);
    },
    async resign() {
      hasResigned = true;
      // The lock may have been asked for just now.
      if (!isLeading && !isBeating) return;
      isLeading = false;
      await client?.query(`SELECT pg_advisory_unlock(${LEADER_LOCK})`).catch(() => {});
    },
    async close() {
      isClosed = true;
      clearInterval(beats);
      clearTimeout(telling);
      if (telling) tell();
      await client?.end();
    },
  };
}

/** @throws MillraceError `service_unavailable` while the database is being moved */
async function join(client: Client): Promise<void> {
  const [{ rows }] = await Promise.all([
    client.query<{ joins: number }>("SELECT pg_try_advisory_lock_shared($1) AS joins", [SERVERS_LOCK]),
    client.query(`LISTEN ${CHANNEL}`),
    showKnownSteps(client),
  ]);
  if (rows[0]?.joins) return;
  throw new BeingMoved();
}

class BeingMoved extends MillraceError {
  constructor() {
    super("service_unavailable", "The database is in use by `millrace move`.", {
      remedy: "Wait until it has ended, and start the server again.",
    });
  }
}

/** A server that was stopped just now may not be gone yet. */
const ATTEMPTS = 8;
const BETWEEN_ATTEMPTS_MS = 250;

/**
 * Keeps every server away from a database until the session of this client ends.
 * @throws MillraceError `service_unavailable` when a server uses it
 */
export async function keepServersAway(client: Client): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(BETWEEN_ATTEMPTS_MS);
    // No server can have it at the same time, however servers share it among themselves.
    const { rows } = await client.query<{ held: number }>("SELECT pg_try_advisory_lock($1) AS held", [
      SERVERS_LOCK,
    ]);
    if (rows[0]?.held) return;
  }
  throw new MillraceError(
    "service_unavailable",
    "A millrace server or another move uses the PostgreSQL database.",
    {
      remedy: "Stop every server that uses it, and try again.",
    },
  );
}

/** The clock of a database, between the answers that it gives. */
export interface DatabaseClock {
  now(): Date;
  /**
   * Takes in what the database has answered.
   * @param databaseMs its time, in milliseconds since 1970
   * @param askedAt when it was asked, and heard, on the clock of `performance`
   */
  hear(databaseMs: number, askedAt: number, heardAt: number): void;
}

/** A measurement of before, with however short a way, is replaced after so long: clocks drift. */
const GOOD_FOR_MS = 10_000;

interface Measurement {
  /** The time of the database less that of `performance`, in milliseconds. */
  offset: number;
  /** How long the answer took; half of it is how wrong the measurement can be. */
  wayMs: number;
  at: number;
}

/**
 * One clock for all servers of a database, whose own clocks differ: what one has leased, another one takes for lost at the right
 * moment. It does not notice when the clock of this machine is set.
 */
function databaseClock(): DatabaseClock {
  let measured: Measurement | undefined;
  return {
    now: () => new Date(measured ? performance.now() + measured.offset : Date.now()),
    hear(databaseMs, askedAt, heardAt) {
      const wayMs = heardAt - askedAt;
      if (measured && wayMs > 2 * measured.wayMs && heardAt - measured.at < GOOD_FOR_MS) return;
      measured = { offset: databaseMs - (askedAt + wayMs / 2), wayMs, at: heardAt };
    },
  };
}
