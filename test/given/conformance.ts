import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { API_PREFIX, listOperations, openApiDocument } from "../../src/api/document.ts";
import type { PlacedOperation } from "../../src/api/http/operation.ts";

/** An answer of the API. */
export interface ApiAnswer {
  status: number;
  contentType: string | null;
  /** The body; nothing when it was not read, as of a stream or a file. */
  text: string | undefined;
}

interface DescribedResponse {
  content?: Record<string, object>;
}

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
});
addFormats.default(ajv);
ajv.addFormat("base64", true);
const description = openApiDocument("http://127.0.0.1");
ajv.addVocabulary([...Object.keys(description), "x-text"]);
ajv.addSchema({ ...description, $id: "api" });

/** The one document that is not described by itself. */
const DESCRIPTION = `${API_PREFIX}/openapi.json`;

/**
 * Holds a response of the API to its description, and hands it on.
 * @throws Error that names the request and what is wrong
 */
export async function conforming(method: string, path: string, response: Response): Promise<Response> {
  if (!path.startsWith(`${API_PREFIX}/`)) return response;
  const contentType = response.headers.get("content-type");
  const isRead = method.toUpperCase() !== "HEAD" && (contentType === null || isJson(contentType));
  const text = isRead ? await response.clone().text() : undefined;
  const why = whyNotConforming(method, path, { status: response.status, contentType, text });
  if (why !== undefined) {
    throw new Error(`${method} ${path} answered ${response.status}, against its description: ${why}`);
  }
  return response;
}

/** What of an answer its operation does not describe; nothing when it is as it should be. */
export function whyNotConforming(method: string, path: string, answer: ApiAnswer): string | undefined {
  if (path.startsWith(DESCRIPTION)) return undefined;
  const placed = findOperation(method, path);
  if (!placed) return whyNotRefused(answer);
  const { responses } = placed.operation;
  const status = String(answer.status) in responses ? String(answer.status) : "default";
  if (status === "default" && answer.status < 400) return "another status than those of success";
  const { content } = responses[status] as DescribedResponse;
  if (!content)
    return answer.text || answer.contentType ? `a body of ${answer.contentType}, expected none` : undefined;
  const mediaType = Object.keys(content).find((described) => isOfType(answer.contentType, described));
  if (mediaType === undefined) {
    return `content type ${answer.contentType}, expected ${Object.keys(content).join(" or ")}`;
  }
  return whyNotValid(answer, [
    "paths",
    placed.path,
    placed.method,
    "responses",
    status,
    "content",
    mediaType,
    "schema",
  ]);
}

/** Where nothing is described, nothing but a refusal can be answered. */
function whyNotRefused(answer: ApiAnswer): string | undefined {
  if (answer.status < 400) return "no operation has this method and path";
  if (!isOfType(answer.contentType, "application/problem+json")) return `content type ${answer.contentType}`;
  return whyNotValid(answer, ["components", "schemas", "Error"]);
}

function whyNotValid({ contentType, text }: ApiAnswer, place: string[]): string | undefined {
  if (text === undefined || !isJson(contentType)) return undefined;
  const pointer = place.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")));
  const check = ajv.getSchema(`api#/${pointer.join("/")}`);
  if (!check) throw new Error(`the description has nothing at ${place.join(" / ")}`);
  const value = parse(text);
  if (value === undefined) return `a body that is no JSON: ${text.slice(0, 200)}`;
  if (check(value.json)) return undefined;
  return ajv.errorsText(check.errors, { dataVar: "body", separator: "; " });
}

function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isOfType(contentType: string | null, described: string): boolean {
  if (contentType === null) return false;
  return described === "*/*" || essence(contentType) === essence(described);
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /[/+]json$/.test(essence(contentType));
}

function essence(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

interface Route extends PlacedOperation {
  /** Lower-case, as routes are found in any case; nothing for a parameter, which takes every segment. */
  segments: (string | undefined)[];
  /** Whether the last parameter takes every segment that is left. */
  goesOn: boolean;
}

const routes: Route[] = listOperations().map((placed) => ({
  ...placed,
  segments: segmentsOf(placed.path).map((segment) => (segment.startsWith("{") ? undefined : segment)),
  goesOn: placed.path.endsWith("/{path}"),
}));

/**
 * The operation of the API's description that a request is one of.
 * @param path with the prefix of the API, and with or without a query
 */
export function findOperation(method: string, path: string): PlacedOperation | undefined {
  const segments = segmentsOf(path.slice(API_PREFIX.length));
  // HEAD is GET without the body.
  const wanted = method.toLowerCase() === "head" ? "get" : method.toLowerCase();
  return routes
    .filter(({ method }) => method === wanted)
    .filter(({ segments: { length }, goesOn }) =>
      goesOn ? length <= segments.length : length === segments.length,
    )
    .find((route) => route.segments.every((segment, n) => segment === undefined || segment === segments[n]));
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "")
    .split("/");
}
