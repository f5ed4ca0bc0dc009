import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An agent that writes lines with numbers until it may end. It notes in its workspace what it does. */
export function countingProgram({ linesAtOnce = 20, before = "" } = {}): string {
  return `
    import { appendFileSync, existsSync, writeFileSync } from "node:fs";
    const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
    appendFileSync("starts", "started\\n");
    let last = 0;
    while (!existsSync("enough")) {
      let text = ${before === "" ? '""' : before};
      for (let i = 0; i < ${linesAtOnce}; i += 1) text += "line " + ++last + "\\n";
      await write(text);
      writeFileSync("count", String(last));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    writeFileSync("last", String(last));`;
}

/** What an agent with such a program does in the workspace of a run, as it is seen from outside. */
export function countingIn(dataDir: string, runId: string) {
  const at = (name: string) => join(dataDir, "workspaces", runId, name);
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : "");
  return {
    /** Lets it come to its end. */
    end: () => writeFileSync(at("enough"), ""),
    hasEnded: () => existsSync(at("last")),
    /** How many lines it has written so far. */
    count: () => Number(read("count")),
    /** All that it has written, once it has ended. */
    wrote: () => Array.from({ length: Number(read("last")) }, (_, n) => `line ${n + 1}\n`).join(""),
    starts: () => read("starts").split("\n").filter(Boolean).length,
  };
}

/** A transcript without what millrace has noted in between. */
export function withoutNotes(transcript: string): string {
  return transcript.replaceAll(/^\[millrace: .*\n/gm, "");
}
