import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram, untilClosed } from "../../../src/executor/sandbox/start-program.ts";
import { createOutbox } from "../../../src/executor/supervisor/outbox.ts";
import { readOutput } from "../../../src/executor/supervisor/read-output.ts";
import { pipeMaker } from "../../../src/platform/pipes.ts";
import { temporaryFolder } from "../../given/folder.ts";

const KIB = 1024;

/** Starts programs that each fill a pipe and say so, and then reads them. @returns in which order, and what came of each */
async function readTogether(scripts: Record<string, string>) {
  const cwd = temporaryFolder();
  const makePipe = pipeMaker(temporaryFolder());
  const order: string[] = [];
  const said: Record<string, string> = {};
  const read = Object.entries(scripts).map(([name, script]) => {
    const launch = {
      command: "perl",
      args: ["-e", `${script}; <STDIN>`.replace("FULL", `open(my $full, ">", "${name}"); close $full`)],
      cwd,
      environment: { PATH: process.env.PATH ?? "" },
    };
    const child = startProgram(launch, makePipe);
    const spec = {
      launch,
      input: "",
      keepsInput: false,
      output: "text" as const,
      secrets: ["a-secret-value"],
    };
    said[name] = "";
    const outbox = createOutbox((pieces) => {
      said[name] += pieces.map(({ bytes }) => Buffer.from(bytes).toString("utf8")).join("");
      outbox.kept();
    });
    const output = readOutput(child, spec, outbox, { tell() {}, onWork: () => void order.push(name) });
    return { child, closed: untilClosed(child), output };
  });
  // Nothing is read before all have written, since this thread does nothing else.
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!Object.keys(scripts).every((name) => existsSync(join(cwd, name)))) Atomics.wait(clock, 0, 0, 20);
  await expect.poll(() => Object.values(said).every((text) => text.includes("end\n"))).toBe(true);
  for (const { child, closed, output } of read) {
    child.stdin?.end();
    await closed;
    output.end();
  }
  return { order, said };
}

/** So much fits into a pipe that nobody reads. */
const FITTING = 60;
const text = (kib: number) => `"x" x ${kib * KIB}`;
const LITTLE = `$| = 1; print ${text(FITTING)}; FULL; print "end\\n"`;

test("a program that has written much waits after each piece until another has been read", async () => {
  const much = `$| = 1; print ${text(FITTING)}; FULL; print ${text(1024)}; print "end\\n"`;
  const { order, said } = await readTogether({ much, little: LITTLE });
  // Whichever comes first, and one turn in which only that has been seen to have something.
  const turns = order.flatMap((name, at) => (name === "little" ? [at] : []));
  expect(order.slice(0, turns[3]).join(" ")).not.toContain("much much much");
  expect(turns.length).toBeGreaterThan(3);
  expect([said.much?.length, said.little?.length]).toEqual([(FITTING + 1024) * KIB + 4, FITTING * KIB + 4]);
});

test("two streams of a program have one turn together", async () => {
  const both = `$| = 1; print ${text(FITTING)}; print STDERR ${text(FITTING)}; FULL; print "end\\n"`;
  const { order, said } = await readTogether({ both, little: LITTLE });
  // Six, if each stream had a turn of its own.
  expect(order.slice(0, 8).filter((name) => name === "both").length).toBeLessThan(6);
  expect([said.both?.length, said.little?.length]).toEqual([2 * FITTING * KIB + 4, FITTING * KIB + 4]);
});

test.each(["STDOUT STDERR STDOUT", "STDERR STDOUT STDERR"])(
  "what comes on two streams stays in the order in which it came: %s",
  async (streams) => {
    const cwd = temporaryFolder();
    const said: string[] = [];
    const [first, second, last] = streams.split(" ");
    // Both have been read once when two of three lines come, which nobody can read before both have come.
    const script = `$| = 1; print STDOUT "-"; print STDERR "-"; select(undef, undef, undef, 0.01) until -e "go";
      print ${first} "a"; print ${second} "b"; open(my $f, ">", "both"); close $f; <STDIN>; print ${last} "c"`;
    const launch = {
      ...{ command: "perl", args: ["-e", script], cwd },
      environment: { PATH: process.env.PATH ?? "" },
    };
    const child = startProgram(launch, pipeMaker(temporaryFolder()));
    const outbox = createOutbox((pieces) => {
      for (const { stream, bytes } of pieces) said.push(`${stream} ${Buffer.from(bytes)}`);
      outbox.kept();
    });
    const spec = { launch, input: "", keepsInput: false, output: "text" as const, secrets: [] };
    const output = readOutput(child, spec, outbox, { tell() {}, onWork() {} });
    const closed = untilClosed(child);
    await expect.poll(() => said.length).toBe(2);
    writeFileSync(join(cwd, "go"), "");
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(join(cwd, "both"))) Atomics.wait(clock, 0, 0, 20);
    await expect.poll(() => said.length).toBe(4);
    child.stdin?.end("\n");
    await closed;
    output.end();
    expect(said.slice(2)).toEqual(
      [`${first} a`, `${second} b`, `${last} c`].map((each) => each.replace("STD", "std").toLowerCase()),
    );
  },
);
