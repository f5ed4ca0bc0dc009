import { MillraceError } from "../../errors/error.ts";

/** Sockets that were open before this process, as their file descriptors. */
export interface InheritedSockets {
  /** For everything. */
  all: number | undefined;
  /** For senders and forges alone. */
  webhooks: number | undefined;
  /** For a proxy of this machine, which says who sent a request. */
  proxy: number | undefined;
}

const FIRST_DESCRIPTOR = 3;
/** What `FileDescriptorName=` says of sockets that are not for everybody and everything. */
const NAMES = ["webhooks", "proxy"] as const;

/**
 * The sockets that a service manager listens on and hands over (sd_listen_fds(3)): they stay open while one process takes
 * the place of another, so that no one who connects in the meantime is refused.
 * @throws MillraceError `invalid_request` when there are more than this program knows what to do with
 */
export function inheritedSockets(
  env: Record<string, string | undefined>,
  pid = process.pid,
): InheritedSockets {
  const none: InheritedSockets = { all: undefined, webhooks: undefined, proxy: undefined };
  // They may have been meant for a program that has started this one.
  if (Number(env.LISTEN_PID) !== pid) return none;
  const count = Number(env.LISTEN_FDS ?? 0);
  const names = (env.LISTEN_FDNAMES ?? "").split(":");
  const passed = Array.from({ length: count }, (_, index) => ({
    name: NAMES.find((name) => name === names[index]) ?? ("all" as const),
    descriptor: FIRST_DESCRIPTOR + index,
  }));
  const sockets = Object.fromEntries(passed.map(({ name, descriptor }) => [name, descriptor]));
  if (Object.keys(sockets).length === count) return { ...none, ...sockets };
  throw new MillraceError(
    "invalid_request",
    `The service manager passed ${count} sockets, which is too many.`,
    {
      remedy: `Configure one socket for all requests, and at most one more for each FileDescriptorName of ${NAMES.join(" and ")}.`,
    },
  );
}
