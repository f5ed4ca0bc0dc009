import { spawn } from "node:child_process";

/**
 * Reads many blobs with one `git cat-file --batch` process, whose answers come in the order of the questions:
 * `<oid> blob <size>\n<bytes>\n`, or `<oid> missing\n`.
 * @param environment git's own, which names the repository
 * @returns the bytes by object id
 */
export async function readBlobs(
  ids: readonly string[],
  environment: Record<string, string>,
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const output = await catFile(ids, environment);
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(0x0a, at);
    const header = output.toString("latin1", at, lineEnd);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    if (lineEnd < 0 || size === undefined)
      throw new Error(`git cat-file answered "${header}" for the blob ${id}`);
    const start = lineEnd + 1;
    // A copy, so that keeping one small file does not keep the whole answer alive.
    blobs.set(id, Buffer.from(output.subarray(start, start + Number(size))));
    at = start + Number(size) + 1;
  }
  return blobs;
}

function catFile(ids: readonly string[], environment: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const process = spawn("git", ["cat-file", "--batch"], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    let complaint = "";
    process.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    process.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, 2_000);
    });
    process.on("error", reject);
    process.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(`git cat-file ended with ${code}: ${complaint.trim()}`));
    });
    // When git ends early, writing fails with EPIPE; its exit code says why.
    process.stdin.on("error", () => {});
    process.stdin.end(`${ids.join("\n")}\n`);
  });
}
