import { type Injection, injectionsFor } from "../../../runs/turn/injection.ts";
import { targetOfUrl } from "../../../runs/turn/network-guard.ts";
import { apiGateway, urlBelow } from "./api-gateway.ts";
import type { OwnPaths } from "./http-proxy.ts";
import { Refusal } from "./refusal.ts";
import type { SecureForwarding } from "./secure-forwarding.ts";

/** A service that programs reach under a URL of the proxy, so that they need to trust no other authority. */
export interface ServiceEndpoint {
  /** A part of the path. */
  name: string;
  /** Where the service really is. */
  url: string;
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
    forwarding.send(request, response, { url, injections: own }, refuse);
    return true;
  };
}
