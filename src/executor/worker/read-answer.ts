import { ServerBroken } from "./server-answer.ts";

/**
 * Reads an answer of a server, which may be any that says it is one.
 * @param most how many bytes of it are kept in memory, unpacked
 * @throws ServerBroken for a longer one
 */
export async function readAnswer(response: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > most) throw new ServerBroken(`its answer is larger than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
