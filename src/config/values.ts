import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { split as splitShellWords } from "shlex";
import { parseDuration } from "../time/duration.ts";

/** How a setting's text becomes a value. Throws an Error whose message says what was expected. */
export type ParseValue<T> = (text: string) => T;

export interface ListenAddress {
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

export function text(value: string): string {
  if (value === "") throw new Error("expected non-empty text");
  return value;
}

/** `127.0.0.1:8787`, `[::1]:8787`, `:8787` (every address) or `localhost:8787`. */
export function listenAddress(value: string): ListenAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  if (!match || port > 65_535)
    throw new Error("expected HOST:PORT, for example 127.0.0.1:8787 or [::1]:8787");
  const host = match[1] ?? match[2] ?? "";
  if (match[1] !== undefined && isIP(host) !== 6) throw new Error("expected an IPv6 address between [ and ]");
  return { host: host === "" ? "0.0.0.0" : host, port };
}

/** An absolute http or https URL without query, user or trailing slash. */
export function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("expected an http or https URL, for example https://millrace.example.com");
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error("expected a URL without a user name, query or fragment");
  }
  return url.href.replace(/\/+$/, "");
}

const UNITS = ["ms", "s", "m", "h"] as const;
/** The longest delay that Node's timers hold (2^31 - 1 ms); anything longer would fire at once. */
const MAX_MS = 2_147_483_647;

/** `500ms`, `3s`, `5m` or `1h`, as milliseconds. */
export function duration(value: string): number {
  const milliseconds = parseDuration(value, UNITS) ?? 0;
  if (milliseconds < 1 || milliseconds > MAX_MS) {
    throw new Error("expected a duration such as 500ms, 3s, 5m or 1h, at most 596h");
  }
  return milliseconds;
}

/** How long something is kept, as milliseconds: a duration, or days such as `30d`. No timer waits for it. */
export function period(value: string): number {
  const milliseconds = /^(\d{1,5}d|\d{1,9}[msh]+)$/.test(value)
    ? parseDuration(value, [...UNITS, "d"])
    : undefined;
  if (milliseconds !== undefined) return milliseconds;
  throw new Error("expected a duration such as 30d or 720h, at most 99999d");
}

const BYTES = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/** `500MiB` or `10GiB`, as bytes; `0` for no limit. */
export function byteSize(value: string): number {
  if (value === "0") return 0;
  const match = /^([1-9]\d{0,6})(KiB|MiB|GiB|TiB)$/.exec(value);
  if (!match)
    throw new Error("expected a size such as 500MiB or 10GiB, at most 9999999 of a unit, or 0 for no limit");
  return Number(match[1]) * BYTES[match[2] as keyof typeof BYTES];
}

/** `75%` of the memory that there is, `4GiB`, or `0` for no limit; as written, since the memory is that of where runs execute. */
export function memoryShare(value: string): string {
  if (/^[1-9]\d?%$/.test(value)) return value;
  try {
    byteSize(value);
    return value;
  } catch {
    throw new Error("expected a share from 1% to 99%, a size such as 500MiB or 4GiB, or 0 for no limit");
  }
}

/** So many bytes of a memory of this size; nothing for no limit. */
export function bytesOfShare(share: string, total: number): number | undefined {
  if (share === "0") return undefined;
  return share.endsWith("%") ? (total * Number.parseInt(share, 10)) / 100 : byteSize(share);
}

/** `2` or `0.5` processors, or `0` for no limit. */
export function processors(value: string): number {
  const number = /^\d{1,4}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
  if (number === 0 || number >= 0.1) return number;
  throw new Error("expected a number of processors such as 2 or 0.5, at least 0.1, or 0 for no limit");
}

/** Bytes as a person reads them: `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const unit = (["TiB", "GiB", "MiB", "KiB"] as const).find((each) => bytes >= BYTES[each]);
  return unit ? `${Math.round((bytes / BYTES[unit]) * 10) / 10} ${unit}` : `${bytes} bytes`;
}

export function positiveInteger(value: string): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1) throw new Error("expected a whole number from 1 to 999999999");
  return number;
}

/** A number such as `0` or `1000000`. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error("expected a whole number from 0 to 999999999999");
  return Number(value);
}

export function oneOf<const Choices extends readonly string[]>(
  choices: Choices,
): ParseValue<Choices[number]> {
  return (value) => {
    if (!choices.includes(value)) throw new Error(`expected one of ${choices.join(", ")}`);
    return value as Choices[number];
  };
}

/** A command line as words, split as a shell splits them; nothing is expanded and no shell will run. */
export function commandWords(value: string): string[] {
  let words: string[];
  try {
    words = splitShellWords(value);
  } catch {
    throw new Error("expected a command with closed quotes");
  }
  if (words.length === 0) throw new Error("expected a command, for example: node agent.mjs");
  return words;
}

export function commaList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Absolute paths, separated by commas. */
export function folderList(value: string): string[] {
  const paths = commaList(value);
  const relative = paths.find((path) => !isAbsolute(path));
  if (relative !== undefined)
    throw new Error(`expected absolute paths such as /opt/tools, found "${relative}"`);
  return paths;
}

/** Addresses and networks, such as `10.0.0.1` and `10.0.0.0/8`, separated by commas. */
export function networkList(value: string): string[] {
  const networks = commaList(value);
  for (const network of networks) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const family = isIP(address);
    if (family === 0 || Number(bits ?? 0) > (family === 4 ? 32 : 128)) {
      throw new Error(`expected addresses or networks such as 10.0.0.1 or 10.0.0.0/8, found "${network}"`);
    }
  }
  return networks;
}

export function absolutePath(value: string): string {
  if (!isAbsolute(value)) throw new Error("expected an absolute path, for example /run/millrace/proxy.sock");
  return value;
}

/** The first admin API key: 20 or more letters, digits, `_` or `-`. */
export function apiKeyText(value: string): string {
  if (!/^[A-Za-z0-9_-]{20,}$/.test(value))
    throw new Error("expected at least 20 characters of A-Z a-z 0-9 _ -");
  return value;
}

/** The master key: any text long enough not to be guessed. */
export function masterKeyText(value: string): string {
  if (value.length < 16)
    throw new Error("expected at least 16 characters, for example from: openssl rand -base64 32");
  return value;
}

export function hookSecretText(value: string): string {
  if (value.length < 16)
    throw new Error("expected at least 16 characters, for example from: openssl rand -hex 32");
  return value;
}

/** A git branch name as `git check-ref-format --branch` allows it. */
export function branchName(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git refuses here
  const refused = /^[-/.]|\.\.|\/\/|\/\.|@\{|[\u0000-\u0020\u007f~^:?*[\\]|[/.]$|\.lock(\/|$)|^@$|^$/;
  if (refused.test(value)) throw new Error("expected the name of a git branch, for example main");
  return value;
}

/** A folder inside the repository, `.` for its root, without leading or trailing slashes. */
export function repositoryFolder(value: string): string {
  const segments = value.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..") || value.includes("\0")) {
    throw new Error("expected a folder inside the repository, for example . or deploy/factory");
  }
  return segments.join("/") || ".";
}
