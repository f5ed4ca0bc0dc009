import { createHash } from "node:crypto";
import { extname } from "node:path";
import type { Request, Response } from "express";
import { listAssets, readAssetBytes } from "../../../platform/assets.ts";

/** How a file can travel, the smallest first, and what the build adds to the name of a file in that form. */
const ENCODINGS = { br: ".br", gzip: ".gz", identity: "" } as const;

/** Files that the build has made, ready to be served. */
export interface BuiltFiles {
  /** Whether there is one at this path, which begins with a slash. */
  has(path: string): boolean;
  /** One as text. */
  read(path: string): string;
  /** Answers with one, in the smallest form that the asker takes. */
  send(path: string, request: Request, response: Response): void;
}

/**
 * The files of a folder of the program. They are read once, into memory: a binary has them there anyway, and nothing that happens
 * to the folder later changes what is served.
 */
export function builtFiles(folder: string): BuiltFiles {
  const names = new Set(listAssets(folder));
  const read = readOnce();
  return {
    has: (path) => names.has(folder + path) && !isCopy(path),
    read: (path) => read(folder + path).bytes.toString(),
    send(path, request, response) {
      const encoding = encodingFor(request, folder + path, names);
      const { bytes, tag } = read(folder + path + ENCODINGS[encoding]);
      response.vary("Accept-Encoding").type(extname(path)).setHeader("etag", tag);
      // Also for who asks past its caches: what it holds is the same.
      if (request.get("if-none-match") === tag) {
        response.status(304).end();
        return;
      }
      if (encoding !== "identity") response.setHeader("content-encoding", encoding);
      response.send(bytes);
    },
  };
}

/** Whether it is a file in another form, which is sent in its place and has no address. */
function isCopy(path: string): boolean {
  return Object.values(ENCODINGS).some((ending) => ending !== "" && path.endsWith(ending));
}

function encodingFor(request: Request, name: string, names: ReadonlySet<string>): keyof typeof ENCODINGS {
  const forms = Object.entries(ENCODINGS) as [keyof typeof ENCODINGS, string][];
  const offered = forms.filter(([, ending]) => names.has(name + ending)).map(([encoding]) => encoding);
  // Who takes nothing of it is given the file as it is (RFC 9110, 12.5.3).
  const taken = request.acceptsEncodings(offered);
  return offered.find((encoding) => encoding === taken) ?? "identity";
}

function readOnce(): (name: string) => { bytes: Buffer; tag: string } {
  const known = new Map<string, { bytes: Buffer; tag: string }>();
  return (name) => {
    const before = known.get(name);
    if (before) return before;
    const bytes = readAssetBytes(name);
    const file = { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
    known.set(name, file);
    return file;
  };
}
