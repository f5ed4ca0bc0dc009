import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { PostgresAddress } from "../../config/database-url.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";

/** Whose password it is, as a line of a password file names it. */
export interface PasswordOwner {
  host: string;
  port: number;
  database: string;
  user: string;
}

export interface FoundPassword {
  password?: string;
  /** Where it comes from, or would come from. */
  origin: string;
}

const OTHERS_OR_GROUP_WRITES = 0o027;

/**
 * Finds the password where libpq does: in the URL, in PGPASSWORD, in the password file.
 * @throws MillraceError for a password file that was named and cannot be used
 */
export async function findPassword(
  address: PostgresAddress,
  owner: PasswordOwner,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundPassword> {
  if (address.password !== undefined) return { password: address.password, origin: "MILLRACE_DATABASE_URL" };
  if (env.PGPASSWORD) return { password: env.PGPASSWORD, origin: "PGPASSWORD" };
  const named = address.passfile ?? (env.PGPASSFILE || undefined);
  const file = named ?? join(homedir(), ".pgpass");
  const text = await readPasswordFile(file, named !== undefined);
  const password = text === undefined ? undefined : passwordIn(text, owner);
  const origin = `the password file ${file}`;
  return password === undefined ? { origin } : { password, origin };
}

async function readPasswordFile(file: string, isNamed: boolean): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    // libpq ignores one that its group can read; Kubernetes has no other files for users that are not root.
    if ((mode & OTHERS_OR_GROUP_WRITES) === 0) return await readFile(file, "utf8");
    throw new MillraceError(
      "service_unavailable",
      `The password file ${file} is open to others: its mode is ${(mode & 0o777).toString(8)}.`,
      { remedy: `chmod 600 ${file}` },
    );
  } catch (error) {
    if (error instanceof MillraceError) throw error;
    if (!isNamed && systemCode(error) === "ENOENT") return undefined;
    throw new MillraceError(
      "service_unavailable",
      `The password file cannot be read: ${errorMessage(error)}.`,
      { remedy: "Name a file in PGPASSFILE that the user of the server can read." },
    );
  }
}

/** A colon and a backslash of a value have a backslash before them; in the password, a colon may be alone. */
const LINE = /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.+)$/;

/** The password of the first line that fits: `host:port:database:user:password`, where * is anything. */
export function passwordIn(text: string, { host, port, database, user }: PasswordOwner): string | undefined {
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    const [, ...fields] = (line.startsWith("#") ? null : LINE.exec(line)) ?? [];
    const password = fields.pop();
    if (password === undefined) continue;
    if (wanted.every((value, at) => fields[at] === "*" || unescaped(fields[at] ?? "") === value))
      return unescaped(password);
  }
  return undefined;
}

const unescaped = (field: string) => field.replace(/\\(.)/g, "$1");
