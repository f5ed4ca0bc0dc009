import { spawn } from "node:child_process";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { Command } from "commander";
import { errorMessage } from "../../errors/error.ts";
import type { McpServer } from "../../executor/workspace/mcp-servers.ts";
import { decoded, proxyOf } from "../../platform/proxies.ts";
import { printJson } from "../output.ts";

/** As long as programs wait for a server that is slow to start. */
const PATIENCE_MS = 60_000;
const MAX_REASON = 300;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "millrace", version: "1" },
  },
};

/** Starts each MCP server of a run as its agent will, since few programs tell which one does not start. For millrace alone. */
export function checkServersCommand(): Command {
  return new Command("check-servers")
    .description("start the MCP servers that standard input names, and print those that do not start")
    .action(async () => {
      const servers: Record<string, McpServer> = JSON.parse(await text(process.stdin));
      const failed = await Promise.all(
        Object.entries(servers).map(async ([name, server]) => {
          const reason = await (server.url === undefined ? startProgram(server) : reach(server.url, server));
          return reason === undefined ? [] : [{ name, reason: reason.slice(0, MAX_REASON) }];
        }),
      );
      printJson(failed.flat());
      // Programs that have started need not end.
      process.exit(0);
    });
}

/** `${NAME}` is a variable of the run. */
function filled(values: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => process.env[name] ?? ""),
    ]),
  );
}

/** @returns why it has not started */
function startProgram({ command = "", args = [], env }: McpServer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const program = spawn(command, args, { env: { ...process.env, ...filled(env) } });
    const timer = setTimeout(() => end(`no answer within ${PATIENCE_MS / 1_000} s`), PATIENCE_MS);
    let said = "";
    let complaint = "";
    function end(reason?: string): void {
      clearTimeout(timer);
      program.kill("SIGKILL");
      resolve(reason);
    }
    program.once("error", (error) => end(errorMessage(error)));
    program.once("close", (code, signal) => {
      const last = complaint.trim().split("\n").at(-1) ?? "";
      const how = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
      end(last === "" ? how : `${how}: ${last}`);
    });
    program.stdin.on("error", () => {});
    program.stderr.on("data", (piece) => {
      complaint = (complaint + piece).slice(-2 * MAX_REASON);
    });
    program.stdout.on("data", (piece) => {
      const lines = (said + piece).split("\n");
      said = (lines.pop() ?? "").slice(0, 1_000_000);
      const answer = lines.map(answerIn).find(Boolean);
      if (answer) end(answer.error && `it refused: ${answer.error.message}`);
    });
    program.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  });
}

function answerIn(line: string): { error?: { message?: string } } | undefined {
  try {
    const answer = JSON.parse(line);
    return answer?.id === INITIALIZE.id && ("result" in answer || "error" in answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** @returns why it cannot be reached */
async function reach(url: string, { headers }: McpServer): Promise<string | undefined> {
  try {
    const asking = await open(new URL(url), {
      ...filled(headers),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asking.on("response", resolve).on("error", reject);
      asking.setTimeout(PATIENCE_MS, () =>
        asking.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)),
      );
      asking.end(JSON.stringify(INITIALIZE));
    });
    answer.destroy();
    return (answer.statusCode ?? 500) < 400 ? undefined : `it answered with HTTP ${answer.statusCode}`;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Through the proxy of the environment, which is the only way out where the network of a run is limited. */
async function open(url: URL, headers: Record<string, string>): Promise<ClientRequest> {
  const named = proxyOf(url, process.env);
  const isTls = url.protocol === "https:";
  const ask = isTls ? httpsRequest : httpRequest;
  if (named === undefined) return ask(url, { method: "POST", headers });
  const proxy = new URL(named);
  const user = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  const authorization =
    proxy.username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  const way = { host: proxy.hostname.replace(/^\[|\]$/g, ""), port: proxy.port || 80 };
  const { host, hostname } = url;
  if (!isTls)
    return httpRequest({
      ...way,
      method: "POST",
      path: url.href,
      headers: { ...headers, host, ...authorization },
    });
  const path = url.port === "" ? `${hostname}:443` : host;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const tunnel = httpRequest({
      ...way,
      method: "CONNECT",
      path,
      headers: { host: path, ...authorization },
    });
    tunnel.setTimeout(PATIENCE_MS, () => tunnel.destroy(new Error("the proxy does not answer")));
    tunnel.once("error", reject).once("connect", ({ statusCode }, opened) => {
      if (statusCode === 200) return resolve(opened as Socket);
      opened.destroy();
      reject(new Error(`the proxy answered with HTTP ${statusCode}`));
    });
    tunnel.end();
  });
  const createConnection = () => connectTls({ socket, servername: hostname });
  return httpsRequest(url, { method: "POST", headers, createConnection });
}
