import { createFileWorker, type FileWorker } from "../../src/executor/files/file-worker.ts";
import { silentLog } from "../../src/log.ts";
import { onFinished } from "./cleanup.ts";

/** The built program of the process that works on the files of runs. */
const PROGRAM = new URL("../../dist/executor/files/file-worker-main.js", import.meta.url);

/** Such a process, which ends with the test. */
export function aFileWorker(): FileWorker {
  const worker = createFileWorker(silentLog, PROGRAM);
  onFinished(worker.stop);
  return worker;
}
