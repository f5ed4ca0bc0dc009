import { optional, required } from "./setting.ts";
import { byteSize, text, wholeNumber } from "./values.ts";

/** What the server and its runs may take of the disk. */
export const diskSettings = {
  workspacesDir: optional({
    env: "MILLRACE_WORKSPACES_DIR",
    inFile: true,
    parse: text,
    help: "folder of the workspaces, for example on a separate volume (default: workspaces in the data folder)",
  }),
  workspaceQuota: required({
    env: "MILLRACE_WORKSPACE_QUOTA",
    inFile: true,
    parse: byteSize,
    fallback: "10GiB",
    help: "maximum size of the workspace of one run (0: no limit)",
  }),
  workspaceFiles: required({
    env: "MILLRACE_WORKSPACE_FILES",
    inFile: true,
    parse: wholeNumber,
    fallback: "1000000",
    help: "maximum number of files and folders in the workspace of one run (0: no limit)",
  }),
  diskTotal: required({
    env: "MILLRACE_DISK_TOTAL",
    inFile: true,
    parse: byteSize,
    fallback: "50GiB",
    help: "total size of workspaces and mirrors above which workspaces of ended runs are removed, oldest first (0: no limit)",
  }),
  mirrorLimit: required({
    env: "MILLRACE_MIRROR_LIMIT",
    inFile: true,
    parse: byteSize,
    fallback: "20GiB",
    help: "maximum size of the mirror of one repository (0: no limit)",
  }),
  diskReserve: required({
    env: "MILLRACE_DISK_RESERVE",
    inFile: true,
    parse: byteSize,
    fallback: "128MiB",
    help: "disk space reserved for the store, and minimum free space required to start turns (0: none); at most a tenth of the volume",
  }),
} as const;
