import { type Injection, injectionsFor } from "../../../runs/turn/injection.ts";
import { targetOfUrl } from "../../../runs/turn/network-guard.ts";
import { forwardRequest } from "./forward-request.ts";
import type { OwnPaths } from "./http-proxy.ts";
import { Refusal } from "./refusal.ts";
import type { SecureForwarding } from "./secure-forwarding.ts";

/** A service that programs reach under a URL of the proxy, so that they need to trust no other authority. */
export interface ServiceEndpoint {
  /** A part of the path. */
  name: string;
  /** Where the service really is. */
  url: string;
  /** The run has named the URL itself: what answers there speaks for this run only. */
  isOfRun?: true;
}

const ENDPOINTS = "/endpoints/";

/** The path of the proxy under which a program reaches a service. */
export const endpointPath = (name: string): string => `${ENDPOINTS}${name}`;

interface OwnPathsOptions {
  apiUrl: string;
  endpoints: readonly ServiceEndpoint[];
  injections: readonly Injection[];
  forwarding: SecureForwarding;
}

/** What programs ask of their proxy itself: services in whose place it stands, and the API of the server. */
export function ownPaths({ apiUrl, ...services }: OwnPathsOptions): OwnPaths {
  const gateway = apiGateway(apiUrl);
  const service = serviceEndpoints(services);
  return (request, response, refuse) => {
    if (!service(request, response, refuse)) gateway(request, response, refuse);
  };
}

/** Answers requests to services in whose place it stands. @returns whether a request was one */
export function serviceEndpoints({
  endpoints,
  injections,
  forwarding,
}: Omit<OwnPathsOptions, "apiUrl">): (...asked: Parameters<OwnPaths>) => boolean {
  return (request, response, refuse) => {
    const [, name, rest = "/"] = /^\/endpoints\/([^/?]+)(\/.*|\?.*)?$/.exec(request.url ?? "") ?? [];
    if (name === undefined) return false;
    const endpoint = endpoints.find((each) => each.name === name);
    const asked = `http://proxy${rest.startsWith("/") ? rest : `/${rest}`}`;
    if (!endpoint || !URL.canParse(asked)) {
      refuse(new Refusal("not_allowed", `there is no service at ${ENDPOINTS}${name}`));
      return true;
    }
    const { pathname, search } = new URL(asked);
    const url = urlBelow(endpoint.url, pathname, search);
    const target = targetOfUrl(url);
    const own = target ? injectionsFor(injections, target) : [];
    forwarding.send(request, response, { url, injections: own, isService: !endpoint.isOfRun }, refuse);
    return true;
  };
}

/** What of the server a run reaches: its API, and neither its metrics nor its dashboard. */
const API = "/api/v1/";

/** Passes requests for the API of the server on, which programs of a run make to their proxy as if that was the server. */
function apiGateway(apiUrl: string): OwnPaths {
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
