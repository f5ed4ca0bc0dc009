import { basename, extname } from "node:path";
import type { Models } from "../../client/client.ts";
import { readBytesFile } from "../input.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".json": "application/json",
  ".pdf": "application/pdf",
};

/** A file as a run is given it; what it is, its name tells. @throws MillraceError `invalid_request` */
export async function readAttachment(path: string): Promise<Models["AttachmentInput"]> {
  return {
    file_name: basename(path),
    mime_type: MEDIA_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
    data: (await readBytesFile(path)).toString("base64"),
  };
}
