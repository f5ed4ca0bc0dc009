import { execFile, spawnSync } from "node:child_process";
import { closeSync, constants, fchmodSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Descriptors of the two ends of a pipe. */
export interface Pipe {
  read: number;
  write: number;
}

/** @throws what the system says when there is no pipe to be had */
export type MakePipe = () => Pipe;

/** Makes pipes, and has some ready. */
export interface PipeMaker extends MakePipe {
  /** Closes what nobody has taken. */
  close(): void;
}

/** A program that makes pipes is started once for so many. */
const AT_ONCE = 32;
/** Where no more are left, others are made while the process does something else: a run takes up to six. */
const FEW = 20;
/** By then, the program whose pipes were the last of those has begun. */
const REFILL_MS = 50;
/** The environment of a supervisor has none. */
const PATHS = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin";

/**
 * Makes pipes between this process and programs of others. What Node calls a pipe is a socket, and the other end of a
 * socket can send descriptors over it (SCM_RIGHTS, unix(7)): whoever reads closes them, and waits in that for as long as
 * their sender likes (SO_LINGER, socket(7)).
 * @param folder where pipes have names for a moment: Node can make them in no other way
 */
export function pipeMaker(folder: string): PipeMaker {
  const ready: Pipe[] = [];
  let isRefilling = false;
  let isClosed = false;

  async function refill(): Promise<void> {
    try {
      const { place, paths } = newPlace(folder);
      try {
        await execute("mkfifo", mkfifoArguments(paths), { env: { PATH: PATHS } });
        ready.push(...openAll(paths));
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    } catch {
      // Whoever finds none left tries again, and hears why there are none.
    } finally {
      isRefilling = false;
      if (isClosed) close();
    }
  }

  function close(): void {
    isClosed = true;
    for (const pipe of ready.splice(0)) closePipe(pipe);
  }

  const makePipe = () => {
    if (ready.length === 0) ready.push(...makePipes(folder));
    const pipe = ready.pop() as Pipe;
    if (ready.length <= FEW && !isRefilling) {
      isRefilling = true;
      setTimeout(() => void refill(), REFILL_MS).unref();
    }
    return pipe;
  };
  return Object.assign(makePipe, { close });
}

function makePipes(folder: string): Pipe[] {
  const { place, paths } = newPlace(folder);
  try {
    const { error, status, stderr } = spawnSync("mkfifo", mkfifoArguments(paths), { env: { PATH: PATHS } });
    if (error) throw error;
    if (status !== 0) throw new Error(`pipes could not be made: ${stderr.toString("utf8").trim()}`);
    return openAll(paths);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function newPlace(folder: string): { place: string; paths: string[] } {
  const place = mkdtempSync(join(folder, "pipes-"));
  return { place, paths: Array.from({ length: AT_ONCE }, (_, number) => join(place, String(number))) };
}

const mkfifoArguments = (paths: readonly string[]) => ["-m", "600", ...paths];

function openAll(paths: readonly string[]): Pipe[] {
  const made: Pipe[] = [];
  try {
    for (const path of paths) made.push(openEnds(path));
    return made;
  } catch (error) {
    for (const pipe of made) closePipe(pipe);
    throw error;
  }
}

/** Programs wait at their ends, so neither may be one that does not block: each end is opened while another descriptor has both. */
function openEnds(path: string): Pipe {
  const both = openSync(path, constants.O_RDWR);
  const made: number[] = [];
  try {
    for (const end of [constants.O_RDONLY, constants.O_WRONLY]) made.push(openSync(path, end));
    // A program that is another user may open its own output again, as /dev/stdout. Nobody else finds what has no name. To open
    // its input again would wait without end for one who writes (fifo(7)), so that fails, as it does with a socket.
    fchmodSync(both, 0o222);
    const [read = -1, write = -1] = made;
    return { read, write };
  } catch (error) {
    for (const end of made) closeSync(end);
    throw error;
  } finally {
    closeSync(both);
  }
}

function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}
