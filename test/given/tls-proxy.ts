import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { waitFor } from "./server.ts";

export const PROXIES = ["nginx", "caddy"] as const;
export type ProxyName = (typeof PROXIES)[number];
const HOST = "millrace.example.com";

/**
 * Starts Debian's nginx or Caddy on a port of the loopback with what deploy/ has for it.
 * @param changes what else stands in it, and is to be something else
 */
export async function startTlsProxy(
  name: ProxyName,
  port: number,
  millrace: string,
  changes: Replacements = [],
): Promise<void> {
  const commandOf = { nginx: nginxCommand, caddy: caddyCommand }[name];
  await startProxy(port, (site) =>
    commandOf({ ...site, replacements: [["/run/millrace/proxy.sock", millrace], ...changes] }),
  );
}

/** Starts Debian's Caddy with what deploy/ has for several servers. @param servers the addresses of two */
export async function startBalancer(port: number, servers: readonly [string, string]): Promise<void> {
  const replacements: Replacements = [["server-1:8787 server-2:8787", servers.join(" ")]];
  await startProxy(port, (site) => caddyCommand({ ...site, replacements }, "several-servers/Caddyfile"));
}

async function startProxy(
  port: number,
  commandOf: (site: Omit<Site, "replacements">) => string[],
): Promise<void> {
  const folder = temporaryFolder("millrace-proxy");
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", `/CN=${HOST}`, "-days", "1", "-nodes"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", ...subject, "-keyout", key, "-out", certificate],
    { stdio: "ignore" },
  );
  const [program = "", ...args] = commandOf({ folder, key, certificate, port });
  const proxy = spawn(program, args, {
    env: {
      PATH: `${process.env.PATH}:/usr/sbin`,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [proxy.stdout, proxy.stderr]) {
    stream.on("data", (text: Buffer) => {
      said += text;
    });
  }
  onFinished(async () => {
    const ended = new Promise((resolve) => proxy.once("exit", resolve));
    if (proxy.exitCode === null && proxy.kill("SIGTERM")) await ended;
  });
  await waitFor(async () => {
    if (proxy.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return through(port, "GET", "/healthz").then(
      ({ status }) => status === 200,
      () => false,
    );
  });
}

type Replacements = [said: string, meant: string][];

interface Site {
  folder: string;
  key: string;
  certificate: string;
  port: number;
  replacements: Replacements;
}

/** What somebody who deploys it puts in place of what the file says: the host, its certificate, and the socket of millrace. */
function deployed(file: string, replacements: Replacements): string {
  let text = readFileSync(fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url)), "utf8");
  for (const [said, meant] of replacements) {
    if (!text.includes(said)) throw new Error(`deploy/${file} does not say ${said}`);
    text = text.replaceAll(said, meant);
  }
  return text;
}

function nginxCommand({ folder, key, certificate, port, replacements }: Site): string[] {
  const site = deployed("nginx/millrace.conf", [
    [`/etc/letsencrypt/live/${HOST}/fullchain.pem`, certificate],
    [`/etc/letsencrypt/live/${HOST}/privkey.pem`, key],
    ["listen 443", `listen 127.0.0.1:${port}`],
    ...replacements,
  ]);
  writeFileSync(join(folder, "site.conf"), site);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const http = [`access_log off;`, ...paths, `include ${folder}/site.conf;`].join(" ");
  const settings = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { ${http} }`;
  writeFileSync(join(folder, "nginx.conf"), settings);
  return ["nginx", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
}

function caddyCommand(
  { folder, key, certificate, port, replacements }: Site,
  file = "caddy/Caddyfile",
): string[] {
  const site = deployed(file, [
    [`${HOST} {`, `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ...replacements,
  ]);
  writeFileSync(
    join(folder, "Caddyfile"),
    `{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace_period 1s\n}\n${site}`,
  );
  return ["caddy", "run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
}

export interface Sent {
  headers?: Record<string, string>;
  body?: string;
  /** Whoever sends has this address: all of 127.0.0.0/8 are of this machine. */
  from?: string;
}

/** One request over TLS. @returns the status, and all that came */
export async function through(port: number, method: string, path: string, sent: Sent = {}) {
  const answer = await openThrough(port, method, path, sent);
  let text = "";
  for await (const bytes of answer) text += bytes;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

/** One request over TLS, whose answer is not read yet. */
export function openThrough(
  port: number,
  method: string,
  path: string,
  { headers = {}, body, from }: Sent = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, servername: HOST, rejectUnauthorized: false };
    const asked = request(
      {
        ...options,
        agent: false,
        ...(from ? { localAddress: from } : {}),
        headers: { host: HOST, ...headers },
      },
      resolve,
    );
    asked.once("error", reject);
    asked.end(body);
  });
}
