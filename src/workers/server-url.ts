import { readFile } from "node:fs/promises";
import { staysOnThisMachine } from "../config/loopback.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";

/**
 * Refuses URLs of a server that a worker cannot use. Over http, the token and the secrets of runs would go over the network for
 * everybody to read.
 * @throws MillraceError `invalid_request`
 */
export function requireServerUrl(server: string): void {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw new MillraceError(
      "invalid_request",
      `--server ${JSON.stringify(server)} is not a URL with http or https.`,
      {
        remedy: "Specify where the server is, for example --server https://millrace.example.com.",
      },
    );
  }
  if (new URL(server).protocol === "https:" || staysOnThisMachine(server)) return;
  throw new MillraceError(
    "invalid_request",
    `The token of the worker and the secrets of its runs would be sent to ${new URL(server).host} unencrypted.`,
    { remedy: "Use an https:// URL for --server: put a reverse proxy with TLS before the server." },
  );
}

/** The URL of a server as requests are made from it. */
export const withoutSlash = (server: string): string => server.replace(/\/+$/, "");

/** The token of a worker. @throws MillraceError `invalid_request` where there is none in the file */
export async function readTokenFile(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error) => {
    throw new MillraceError(
      "invalid_request",
      `The token file ${file} cannot be read: ${errorMessage(error)}.`,
      {
        remedy: "Create a worker with `millrace workers create NAME`, and write the token into this file.",
      },
    );
  });
  if (text.trim() !== "") return text.trim();
  throw new MillraceError("invalid_request", `The token file ${file} is empty.`, {
    remedy: "Write the token into it that `millrace workers create NAME` printed.",
  });
}
