import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { isSslMode, type PostgresAddress, SSL_MODES, type SslMode } from "../../config/database-url.ts";
import { isLoopbackAddress } from "../../config/loopback.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How the connection to an address is protected. */
export interface PostgresTls {
  mode: SslMode;
  /** What `pg` is given. */
  ssl: false | ConnectionOptions;
  /** The file of the authorities that certificates are checked by, where there is one. */
  rootFile?: string | undefined;
}

/** What libpq takes for the authorities of the system. */
const SYSTEM = "system";
const MAY_BE_PLAIN: ReadonlySet<SslMode> = new Set(["disable", "allow", "prefer"]);

/** Whether a connection without TLS will do, where PostgreSQL offers none. */
export const mayBePlain = ({ mode }: PostgresTls) => MAY_BE_PLAIN.has(mode);

/**
 * What libpq means by the URL and the environment, and where it means less than the strictest thing that was written, that. Without
 * a mode, a connection that leaves this machine has to be encrypted: libpq would send everything in the clear where it has to.
 * @throws MillraceError that names the parameter or the variable that is wrong
 */
export function tlsOf(address: PostgresAddress, env: Environment): PostgresTls {
  const host = hostOf(address, env);
  // libpq ignores modes for sockets of the file system.
  if (host.startsWith("/")) return { mode: "disable", ssl: false };
  const mode = modeOf(address, env) ?? (isThisMachine(host) ? "prefer" : "require");
  if (mode === "disable") return { mode, ssl: false };
  const rootFile = rootFileOf(address, env, mode);
  const isSystem = rootFile === undefined && mode === "verify-full";
  return {
    mode,
    rootFile,
    ssl: {
      ...(rootFile === undefined ? {} : { ca: certificates(rootFile) }),
      rejectUnauthorized: rootFile !== undefined || isSystem,
      ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
      ...ofClient(address, env),
    },
  };
}

/** The host that is connected to: `pg` would say the same. */
export function hostOf({ host }: PostgresAddress, env: Environment): string {
  return host ?? (env.PGHOST || "localhost");
}

const isThisMachine = (host: string) => host === "localhost" || isLoopbackAddress(host);

function modeOf({ sslmode, sslrootcert }: PostgresAddress, env: Environment): SslMode | undefined {
  const named = sslmode ?? (env.PGSSLMODE || undefined);
  if (named !== undefined && !isSslMode(named))
    throw new MillraceError(
      "invalid_request",
      `PGSSLMODE "${named}": expected one of ${SSL_MODES.join(", ")}.`,
      {
        remedy: "Correct it, or name sslmode in MILLRACE_DATABASE_URL, which is used instead.",
      },
    );
  if ((sslrootcert ?? env.PGSSLROOTCERT) !== SYSTEM) return named;
  if (named === undefined || named === "verify-full") return "verify-full";
  throw new MillraceError("invalid_request", `sslrootcert=system was named with sslmode=${named}.`, {
    remedy: "Name sslmode=verify-full: everybody can have a certificate of an authority of the system.",
  });
}

function rootFileOf({ sslrootcert }: PostgresAddress, env: Environment, mode: SslMode): string | undefined {
  const named = sslrootcert ?? (env.PGSSLROOTCERT || undefined);
  if (named === SYSTEM) return undefined;
  if (named !== undefined) return named;
  const ofUser = join(homedir(), ".postgresql", "root.crt");
  if (!MAY_BE_PLAIN.has(mode) && existsSync(ofUser)) return ofUser;
  if (mode !== "verify-ca") return undefined;
  throw new MillraceError("invalid_request", "sslmode=verify-ca was named without sslrootcert.", {
    remedy:
      "Name the file of the authority as sslrootcert, or use sslmode=verify-full: everybody can have a certificate of a public authority.",
  });
}

function ofClient({ sslcert, sslkey }: PostgresAddress, env: Environment): ConnectionOptions {
  const [cert, key] = [sslcert ?? env.PGSSLCERT, sslkey ?? env.PGSSLKEY];
  return {
    ...(cert ? { cert: readNamed("sslcert", cert) } : {}),
    ...(key ? { key: readNamed("sslkey", key) } : {}),
  };
}

function certificates(file: string): string {
  const text = readNamed("sslrootcert", file);
  // Node takes what has none for no authority at all, and finds fault with the certificate of the server.
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new MillraceError("invalid_request", `The file ${file} (sslrootcert) contains no certificate.`, {
    remedy: "Name a file in the PEM format.",
  });
}

/** Read for each connection: a file may be replaced before a certificate expires. */
function readNamed(parameter: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new MillraceError(
      "invalid_request",
      `The file of ${parameter} cannot be read: ${errorMessage(error)}.`,
      {
        remedy: "Name a file that the user of the server can read.",
      },
    );
  }
}
