import { readFile } from "node:fs/promises";
import { errorMessage, MillraceError } from "../errors/error.ts";

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
