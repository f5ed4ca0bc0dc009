import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The descriptor on which bubblewrap reads the filter: the one after those of the start gate. */
export const FILTER_DESCRIPTOR = 5;

/** Numbers of system calls, and how the kernel names the processor (linux/audit.h). */
const MACHINES: Readonly<Record<string, { audit: number; socket: number }>> = {
  x64: { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
};
/** The same on all processors. It could open sockets past this filter. */
const IO_URING_SETUP = 425;
/** Calls of x32, another ABI of x64, have this bit. */
const X32 = 0x40000000;

/** What programs need: AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, by which they list the interfaces of their own network. */
const FAMILIES = [1, 2, 10, 16];

const [ENOSYS, EAFNOSUPPORT] = [38, 97];
/** From linux/seccomp.h and linux/filter.h. */
const [ALLOW, FAIL] = [0x7fff0000, 0x00050000];
const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
/** Where struct seccomp_data has the number of a call, the machine, and the first argument. */
const [NUMBER, MACHINE, FIRST_ARGUMENT] = [0, 4, 16];

/**
 * A filter of system calls for programs whose network is held (seccomp(2)): a network namespace does not hold every kind of socket
 * back. Those of AF_VSOCK, for example, lead from a virtual machine to its host.
 * @returns nothing for a processor whose calls are not known here
 */
export function socketFilter(arch: string = process.arch): Buffer | undefined {
  const machine = MACHINES[arch];
  if (!machine) return undefined;
  return assemble([
    [LOAD, 0, 0, MACHINE],
    // Calls of another ABI have other numbers.
    [EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, FAIL | ENOSYS],
    [LOAD, 0, 0, NUMBER],
    [AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, FAIL | ENOSYS],
    [EQUAL, 0, 1, IO_URING_SETUP],
    [RETURN, 0, 0, FAIL | ENOSYS],
    [EQUAL, 1, 0, machine.socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    ...FAMILIES.map((family, index): Instruction => [EQUAL, FAMILIES.length - index, 0, family]),
    [RETURN, 0, 0, FAIL | EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ]);
}

/** Writes the filter of this machine into a folder for this user alone. @returns its path; nothing where there is none */
export function writeSocketFilter(folder: string): string | undefined {
  const filter = socketFilter();
  if (!filter) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "sockets.bpf");
  writeFileSync(path, filter);
  return path;
}

/** The code, how many instructions to skip if a comparison holds and if it does not, and the value (struct sock_filter). */
type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

function assemble(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
