import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import type { EarlierWrite, ProgramSpec } from "./supervisor-messages.ts";

/** The standard input of a supervised program. */
export interface SupervisedInput {
  /** @returns whether the pipe has taken the text */
  write(request: { text: string; key: string | undefined }): Promise<boolean>;
  end(): void;
  /** Says that the program has written something. */
  heard(): void;
  /** What was written with a key, in its order. */
  written(): EarlierWrite[];
}

/** A program need not read its standard input; one that does not makes the pipe break, which is fine. */
export function createProgramInput(
  { stdin }: Pick<ChildProcess, "stdin">,
  { input, keepsInput }: Pick<ProgramSpec, "input" | "keepsInput">,
): SupervisedInput {
  const writes = new Map<string, EarlierWrite>();
  let unanswered: EarlierWrite[] = [];
  stdin?.on("error", () => {});
  if (keepsInput) stdin?.write(input);
  else stdin?.end(input);
  return {
    async write({ text, key }) {
      const write: EarlierWrite = { key: key ?? "", taken: false, isAnswered: false };
      if (key !== undefined) writes.set(key, write);
      write.taken = stdin !== null && (await writeTo(stdin, text));
      if (write.taken) unanswered.push(write);
      return write.taken;
    },
    end: () => void stdin?.end(),
    heard() {
      for (const write of unanswered) write.isAnswered = true;
      unanswered = [];
    },
    written: () => [...writes.values()],
  };
}

function writeTo(input: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // A program that ends while it should read closes the pipe, and the callback of a full one never comes.
    const onClose = () => resolve(false);
    input.once("close", onClose);
    input.write(text, (error) => {
      input.off("close", onClose);
      resolve(!error);
    });
  });
}
