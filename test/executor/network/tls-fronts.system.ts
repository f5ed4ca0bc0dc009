import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Duplex } from "node:stream";
import {
  connect as connectTls,
  createSecureContext,
  createServer,
  type SecureContextOptions,
} from "node:tls";
import { describe, expect, test } from "vitest";
import { openRunProxy } from "../../../src/executor/network/proxy/run-proxy.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { ownAuthority } from "../../given/own-authority.ts";
import { freePort, listening } from "../../given/port.ts";

/** The host that connections are for, and another one of the same servers. */
const ASKED = "localhost";
const OTHER = "other.example";

/** A server of TLS that supports one group of keys, so that it asks whoever begins with another one to greet again. */
interface TlsServer {
  port: number;
  /** The names that it was asked for so far, in small letters. */
  heard: string[];
}

const certificate = sharedByFile(async () => ownAuthority().certify(ASKED));

async function nodeServer(): Promise<TlsServer> {
  const heard: string[] = [];
  const server = createServer({
    ...certificate(),
    ecdhCurve: "X25519",
    SNICallback(name, done) {
      heard.push(name);
      done(null, createSecureContext(certificate()));
    },
  });
  server.on("tlsClientError", () => {});
  onFinished(() => void server.close());
  return { port: await listening(server), heard };
}

/** Starts a program that writes the names it hears. @returns the line by which it says that it listens, and the names */
async function programHearing(
  [command = "", ...args]: string[],
  { listens, name, cwd }: { listens: RegExp; name: RegExp; cwd: string },
) {
  const heard: string[] = [];
  const program = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  onFinished(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
  });
  const ready = await new Promise<string>((resolve, reject) => {
    program.once("exit", (code) => reject(new Error(`${command} ended with ${code}`)));
    createInterface({ input: program.stdout }).on("line", (line) => {
      if (listens.test(line)) resolve(line);
      const found = name.exec(line)?.[1];
      if (found !== undefined) heard.push(found);
    });
  });
  return { ready, heard };
}

function withCertificate(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "cert.pem"), certificate().cert);
  writeFileSync(join(folder, "key.pem"), certificate().key);
  return folder;
}

async function opensslServer(): Promise<TlsServer> {
  const port = await freePort();
  const own = ["-accept", `127.0.0.1:${port}`, "-cert", "cert.pem", "-key", "key.pem", "-groups", "X25519"];
  // With a second certificate, it writes the names that it is asked for; with stdbuf, it writes at once.
  const second = ["-servername", "second.example", "-cert2", "cert.pem", "-key2", "key.pem"];
  const { heard } = await programHearing(["stdbuf", "-oL", "openssl", "s_server", ...own, ...second], {
    listens: /^ACCEPT$/,
    name: /^Hostname in TLS extension: "(.*)"$/,
    cwd: withCertificate(),
  });
  return { port, heard };
}

const GO_SERVER = `package main
import ("crypto/tls"; "fmt"; "net")
func main() {
	certificate, err := tls.LoadX509KeyPair("cert.pem", "key.pem")
	if err != nil { panic(err) }
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil { panic(err) }
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	hear := func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		fmt.Printf("name %s\\n", hello.ServerName)
		return nil, nil
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate},
		CurvePreferences: []tls.CurveID{tls.X25519},
		GetConfigForClient: hear,
	}
	for {
		connection, err := listener.Accept()
		if err != nil { return }
		go func() {
			tls.Server(connection, config).Handshake()
			connection.Close()
		}()
	}
}`;

async function goServer(): Promise<TlsServer> {
  const folder = withCertificate();
  writeFileSync(join(folder, "main.go"), GO_SERVER);
  execFileSync("go", ["build", "-o", "server", "main.go"], { cwd: folder });
  const { ready, heard } = await programHearing([join(folder, "server")], {
    listens: /^port \d+$/,
    name: /^name (.*)$/,
    cwd: folder,
  });
  return { port: Number(ready.slice("port ".length)), heard };
}

/** @property read what each of them reads on after, without a proxy, so that it hears the other name */
const SERVERS = [
  { name: "Node", serve: nodeServer, read: "records of one byte" },
  {
    name: "OpenSSL",
    serve: opensslServer,
    read: "a second greeting, when asked",
  },
  { name: "Go", serve: goServer, read: "a warning" },
] as const;

/** What a client of TLS begins with. */
function greeting(name: string, options: SecureContextOptions = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read() {},
      write(bytes: Buffer, _, done) {
        resolve(bytes);
        done();
      },
    });
    connectTls({ socket: wire, servername: name, ...options }).on("error", () => {});
  });
}

/** Two greetings of one connection: the first one has no key that the servers support. */
async function twoGreetings(first: string, second: string): Promise<[Buffer, Buffer]> {
  const version = { minVersion: "TLSv1.3" } as const;
  const before = await greeting(first, { ...version, ecdhCurve: "P-521:X25519" });
  const after = await greeting(second, { ...version, ecdhCurve: "X25519:P-521" });
  // The random bytes and the name of the session, which stand at the beginning of both.
  before.copy(after, 11, 11, 76);
  return [before, after];
}

const record = (type: number, content: Buffer, version = 0x0303) => {
  const header = Buffer.from([type, version >> 8, version & 255, content.length >> 8, content.length & 255]);
  return Buffer.concat([header, content]);
};
/** That a name is not known. */
const WARNING = Buffer.from([1, 112]);
const joined = (...parts: Buffer[]) => Buffer.concat(parts);

/** A greeting, in records of a few bytes each. @param between what stands between two records */
function inRecords(whole: Buffer, size: number, between = Buffer.alloc(0)): Buffer {
  const handshake = whole.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < handshake.length; at += size)
    records.push(record(0x16, handshake.subarray(at, at + size), 0x0301), between);
  return Buffer.concat(records.slice(0, -1));
}

/** Numbers that are the same in every run of the test (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What programs could begin with so that a server hears another name than the proxy does. */
async function fronts(): Promise<Record<string, Buffer>> {
  const [asked, other] = [await greeting(ASKED), await greeting(OTHER)];
  const [asksAgain, again] = await twoGreetings(ASKED, OTHER);
  const changeCipher = record(0x14, Buffer.from([1]));
  const named: Record<string, Buffer> = {
    "a warning": joined(record(0x15, WARNING), other),
    "a warning of another version": joined(record(0x15, WARNING, 0x0f00), other),
    "several warnings": joined(record(0x15, WARNING), record(0x15, WARNING), other),
    "a second greeting at once": joined(asked, other),
    "a second greeting, when asked": joined(asksAgain, again),
    "a second greeting behind a change of ciphers": joined(asksAgain, changeCipher, again),
    "a second greeting in small records": joined(asksAgain, inRecords(again, 40)),
    "a second greeting behind early data": joined(asksAgain, record(0x17, Buffer.alloc(64)), again),
    "records of one byte": inRecords(other, 1),
    "warnings between records": inRecords(other, 100, record(0x15, WARNING)),
    "two greetings in one record": record(0x16, joined(asked.subarray(5), other.subarray(5)), 0x0301),
    "a greeting in the form of SSL 2": Buffer.from(
      `802e0103010015000000100000050000040000330000390000160000130000${"ff".repeat(16)}`,
      "hex",
    ),
  };
  for (let type = 0; type < 256; type += 1) {
    named[`an empty record of the type ${type}`] = joined(record(type, Buffer.alloc(0)), other);
    named[`a record of the type ${type}`] = joined(record(type, WARNING), other);
  }
  const below = numbers(20);
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => below(256)));
  for (let index = 0; index < 150; index += 1) {
    named[`random bytes ${index}`] = joined(bytes(1 + below(8)), other);
    named[`random records ${index}`] = joined(
      ...Array.from({ length: 1 + below(3) }, () => record(0x14 + below(5), bytes(below(4)), below(0x0400))),
      other,
    );
    const changed = Buffer.from([asked, other, asksAgain][below(3)] ?? asked);
    for (let count = 1 + below(3); count > 0; count -= 1) changed[below(changed.length)] = below(256);
    named[`changed bytes ${index}`] = joined(changed, again);
  }
  return named;
}

/** Sends bytes, and the end of them. @returns when the other side has ended the connection */
async function say(to: { port: number } | { path: string }, bytes: Buffer): Promise<void> {
  const socket = connect(to);
  socket.on("error", () => {});
  socket.resume();
  socket.end(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
}

async function aProxyTo(port: number) {
  const folder = temporaryFolder();
  const policy = { allow: [[`${ASKED}:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]] };
  const spec = {
    socat: "socat",
    folder,
    name: "p",
    apiUrl: "http://127.0.0.1:1",
    injections: [],
    endpoints: [],
    policy,
  };
  const proxy = await openRunProxy(spec, () => {});
  onFinished(proxy.close);
  const connecting = Buffer.from(`CONNECT ${ASKED}:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return {
    proxy,
    begin: (bytes: Buffer) => say({ path: join(folder, "p.sock") }, joined(connecting, bytes)),
  };
}

describe.each(SERVERS)("the name that a server made with $name hears", ({ serve, read }) => {
  test("is that of the connection, whatever a program begins with", async () => {
    const { port, heard } = await serve();
    const { proxy, begin } = await aProxyTo(port);
    const all = await fronts();
    await say({ port }, all[read] ?? Buffer.alloc(0));
    await expect.poll(() => heard.at(-1)).toBe(OTHER);
    heard.length = 0;

    for (const front of Object.values(all)) await begin(front);
    const refused = proxy.reaches().refused;
    await begin(await greeting(ASKED));
    await begin(joined(...(await twoGreetings(ASKED, ASKED))));
    await say({ port }, await greeting("last.example"));
    await expect.poll(() => heard.at(-1)).toBe("last.example");

    expect([...new Set(heard)].sort()).toEqual(["last.example", ASKED]);
    expect(heard.slice(-3, -1)).toEqual([ASKED, ASKED]);
    expect(refused).toMatchObject([{ host: ASKED, port, reason: "host_mismatch" }]);
    expect(proxy.reaches().refused).toEqual(refused);
  }, 120_000);
});
