import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { serverWithAgent } from "./agent.ts";
import { agentHostOf } from "./processes.ts";
import { waitFor } from "./server.ts";

/**
 * A program of perl that sends sockets over every socket that it has, and over one that it can connect to: descriptors that
 * whoever reads there has to close, and each of them takes an hour to be closed (SO_LINGER with bytes that nobody reads). It says
 * which descriptors have taken them, and `sent` at the end. Then it floods its output byte by byte and closes all that it has.
 */
export const DESCRIPTOR_SENDER = `
  use Socket; use POSIX (); use Fcntl;
  $| = 1;
  my %sendmsg = (x86_64 => 46, aarch64 => 211);
  my @kept;
  sub send_over {
    my ($descriptor) = @_;
    socket(my $listener, PF_INET, SOCK_STREAM, 0); bind($listener, sockaddr_in(0, INADDR_LOOPBACK)); listen($listener, 5);
    push @kept, $listener;
    # A process that ends does not wait in closing, so that only whoever reads can have to.
    my $sender = fork();
    if (!$sender) {
      socket(my $slow, PF_INET, SOCK_STREAM, 0); connect($slow, getsockname($listener));
      setsockopt($slow, SOL_SOCKET, SO_LINGER, pack("ii", 1, 3600));
      fcntl($slow, F_SETFL, O_NONBLOCK);
      1 while syswrite($slow, "x" x 65536);
      my $bytes = "\\n";
      my $vector = pack("PL!", $bytes, 1);
      my $control = pack("L!iiix4", 20, SOL_SOCKET, 1, fileno($slow));
      my $message = pack("L!IIPL!PL!ix4", 0, 0, 0, $vector, 1, $control, 24, 0);
      my $sent = syscall($sendmsg{(POSIX::uname())[4]}, $descriptor, $message, 0);
      POSIX::_exit($sent > 0 ? 0 : 1);
    }
    waitpid($sender, 0);
    return $? == 0;
  }
  $SIG{PIPE} = "IGNORE";
  my @sockets = grep { -S "/proc/self/fd/$_" } (0 .. 30);
  my @taken = grep { send_over($_) } @sockets;
  print "descriptors: @taken\\n";
  for my $path (@ARGV) {
    socket(my $proxy, PF_UNIX, SOCK_STREAM, 0);
    next unless connect($proxy, sockaddr_un($path));
    send_over(fileno($proxy)) for (1 .. 3);
    push @kept, $proxy;
    print "connected\\n";
  }
  print "sent\\n";
  fcntl(STDOUT, 1031, 4096);
  fcntl($_, F_SETFL, O_NONBLOCK) for (*STDIN, *STDOUT, *STDERR);
  for (1 .. 20000) { syswrite(STDOUT, "."); syswrite(STDERR, ","); }
  POSIX::close($_) for (0 .. 2);
  # Somebody has to hold the other ends.
  if (!fork()) { sleep 3600; }
  POSIX::_exit(0);
`;

const RUN_SENDER = `
  const program = Buffer.from("${Buffer.from(DESCRIPTOR_SENDER).toString("base64")}", "base64").toString();
  spawnSync("perl", ["-e", program, "/run/millrace/network.sock"], { stdio: "inherit" });`;

/** Stands by until it is told to go on, sends descriptors where it is asked to, and does nothing otherwise. */
export const STANDS_BY_OR_SENDS = `
  import { spawnSync } from "node:child_process";
  import { readFileSync } from "node:fs";
  const asked = () => readFileSync("prompt.md", "utf8");
  if (asked().includes("Stand by.")) {
    console.log("ready");
    while (!asked().includes("go on")) await new Promise((next) => setTimeout(next, 50));
    console.log("done");
  } else if (asked().includes("Send.")) {${RUN_SENDER}}`;

type Sending = Pick<Awaited<ReturnType<typeof serverWithAgent>>, "start" | "story"> & { dataDir: string };

/** Lets a run send descriptors that take an hour to be closed, beside one that works, and waits until both have ended. */
export async function sendingBeside(
  { start, story, dataDir }: Sending,
  request: object = {},
  ofBoth: object = {},
) {
  const working = await start({ prompt: "Stand by.", ...ofBoth });
  await waitFor(async () => (await story.transcript(working)) === "ready\n" || undefined);
  const supervisor = agentHostOf({ dataDir });
  const run = await story.ended(await start({ prompt: "Send.", ...ofBoth, ...request }));
  // Written by whoever may: the workspace is the other run's.
  writeFileSync(join(dataDir, "workspaces", working, "prompt.md"), "go on");
  expect(await story.ended(working)).toMatchObject({ state: "SUCCEEDED" });
  expect(await story.transcript(working)).toBe("ready\ndone\n");
  expect(agentHostOf({ dataDir })).toBe(supervisor);
  // Standard error is flooded with commas, which may be read before what was written to standard output first.
  return { run, transcript: (await story.transcript(run.run_id)).replaceAll(",", "") };
}
