import type { Chance } from "./chance.ts";
import { TOKEN } from "./sent.ts";

/** A request that no honest sender makes. */
export interface BadRequest {
  path: string;
  init: RequestInit;
  /** Bytes for a connection of their own, instead of a request. */
  raw?: (string | Buffer)[];
  /** Answers below 500 that it must not get. */
  neverAnswered: number[];
  /** What it is, for whoever has to find out. */
  says: string;
}

export interface Targets {
  /** As `METHOD /path/{name}`. */
  operations: readonly string[];
  /** The webhooks by way. */
  paths: Readonly<Record<string, string>>;
  adminKey: string;
}

const ODD_TEXTS = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%00",
  "%zz",
  "__proto__",
  "constructor",
  "null",
  "é",
  "a".repeat(5_000),
];
const ODD_VALUES = [null, true, 0, -1, 1e308, 2 ** 53, "", "\u0000", "a".repeat(70_000), [], {}, [[[]]]];
const METHODS = ["GET", "PUT", "PATCH", "DELETE", "POST", "OPTIONS"];

/** Any of the kinds, each as likely as the next. */
export function badRequest(chance: Chance, targets: Targets): BadRequest {
  return chance.oneOf([wrongCredential, wrongBody, wrongPath, wrongCall, noHttp])(chance, targets);
}

function wrongCredential(chance: Chance, { paths }: Targets): BadRequest {
  const text = oddText(chance, 100);
  const headers = {
    authorization: chance.oneOf([`Bearer ${text}`, text, "Bearer", `Basic ${TOKEN}`]),
    "x-hub-signature-256": `sha256=${text}`,
    "webhook-signature": `v1,${text}`,
  };
  const path = `${chance.oneOf(Object.values(paths))}${chance.of(0.5) ? `/${encodeURIComponent(text)}` : ""}`;
  const init = { method: "POST", headers, body: "{}" };
  return { path, init, neverAnswered: [200, 202], says: `a wrong credential, ${text}, for ${path}` };
}

/** With the right credential: not JSON, in one of the ways in which a body can fail to be it. */
function wrongBody(chance: Chance, { paths }: Targets): BadRequest {
  const whole = JSON.stringify({ n: chance.below(1e9), list: [1, "ü", null] });
  const body = chance.oneOf([
    () => Buffer.concat([Buffer.from([0xff]), chance.bytes(chance.below(2_000))]),
    () => Buffer.from(whole.slice(0, 1 + chance.below(whole.length - 1))),
    () => Buffer.from(`\ufeff${whole}`),
    () => Buffer.from("[".repeat(1 + chance.below(100_000))),
    () => Buffer.from(`payload=${encodeURIComponent(whole)}`),
    () => Buffer.alloc(262_145 + chance.below(100_000), "1"),
  ])();
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "content-encoding": chance.oneOf(["gzip", "identity"]),
  };
  const init = { method: "POST", headers, body };
  return { path: paths.token ?? "", init, neverAnswered: [200, 202], says: `a body of ${body.length} bytes` };
}

function wrongPath(chance: Chance): BadRequest {
  const parts = Array.from({ length: chance.below(5) }, () =>
    encodeURI(oddText(chance, 30)).replace(/^\/+/, "x"),
  );
  const path = `${chance.oneOf(["/", "/webhooks/w/", "/api/v1/", "/hooks/git/", "/runs/"])}${parts.join("/")}`;
  const method = chance.oneOf(METHODS);
  const body = method === "GET" || method === "OPTIONS" ? {} : { body: oddText(chance, 200) };
  return { path, init: { method, ...body }, neverAnswered: [202], says: `${method} ${path}` };
}

/** A call of the API with a right key, with nothing right in its path, query and body: none may change anything. */
function wrongCall(chance: Chance, { operations, adminKey }: Targets): BadRequest {
  const [method = "", template = ""] = chance.oneOf(operations).split(" ");
  const odd = () => encodeURIComponent(`zz${oddText(chance, 40)}`);
  const path = `${template.replaceAll(/\{\w+\}/g, odd)}?limit=${odd()}&cursor=${odd()}&${odd()}=${odd()}`;
  const value = chance.oneOf(ODD_VALUES);
  const body = chance.oneOf([value, { zz: value }, { zz: value, prompt: value, name: value, config: value }]);
  const text = chance.of(0.2) ? JSON.stringify(body).slice(1) : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${adminKey}`,
    "content-type": "application/json",
    "if-match": odd(),
  };
  const init = { method, headers, ...(method === "GET" ? {} : { body: text }) };
  return { path, init, neverAnswered: [201], says: `${method} ${path} with ${text.slice(0, 200)}` };
}

/** Bytes that are no request, or the beginning of one that never ends. */
function noHttp(chance: Chance, { paths }: Targets): BadRequest {
  const head = `POST ${paths.token} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n`;
  const raw = chance.oneOf([
    () => [chance.bytes(1 + chance.below(500)), "\r\n\r\n"],
    () => [`${head}content-length: 100\r\n\r\n{`],
    () => [`${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`],
    () => [`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    () => [`${head}x: ${"y".repeat(20_000)}\r\n\r\n`],
    () => [`${head}authorization: Bearer ${TOKEN}\r\ncontent-length: 2\r\n\r\n{}`],
  ])();
  return { path: "", init: {}, raw, neverAnswered: [200, 202], says: `bytes: ${raw.join("").slice(0, 200)}` };
}

function oddText(chance: Chance, longest: number): string {
  if (chance.of(0.3)) return chance.oneOf(ODD_TEXTS).replaceAll(/[^\x20-\x7e]/g, "~");
  return chance
    .bytes(chance.below(longest))
    .toString("latin1")
    .replaceAll(/[^\x20-\x7e]/g, "~")
    .trim();
}
