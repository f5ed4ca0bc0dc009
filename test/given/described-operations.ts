import { API_PREFIX, listOperations } from "../../src/api/document.ts";
import type { PlacedOperation } from "../../src/api/http/operation.ts";

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
