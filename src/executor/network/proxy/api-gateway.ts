import { forwardRequest } from "./forward-request.ts";
import type { OwnPaths } from "./http-proxy.ts";
import { Refusal } from "./refusal.ts";

/** What of the server a run reaches: its API, and neither its metrics nor its dashboard. */
const API = "/api/v1/";

/** Passes requests for the API of the server on, which programs of a run make to their proxy as if that was the server. */
export function apiGateway(apiUrl: string): OwnPaths {
  return (request, response, refuse) => {
    const url = urlOf(request.url ?? "", apiUrl);
    if (url) forwardRequest(request, response, { url }, refuse);
    else
      refuse(new Refusal("not_allowed", `only the paths of the server's API, ${API}…, can be reached here`));
  };
}

/** Dots in a path are resolved before it is looked at, as the server will do. */
function urlOf(path: string, apiUrl: string): URL | undefined {
  // A path that begins with two slashes would be read as a host.
  const text = `http://proxy${path}`;
  if (!URL.canParse(text)) return undefined;
  const { pathname, search } = new URL(text);
  if (!pathname.startsWith(API) || pathname.includes("//") || /%2f|%5c/i.test(pathname)) return undefined;
  return urlBelow(apiUrl, pathname, search);
}

/** A path on a server that may be behind a path of its own. */
export function urlBelow(base: string, pathname: string, search: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, "")}${pathname}`;
  url.search = search;
  return url;
}
