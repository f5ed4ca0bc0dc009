import { forwardingProxy } from "./forwarding-proxy.ts";

/**
 * Stands before a server as nginx does with `location /millrace/ { proxy_pass http://127.0.0.1:8787/; }`: what begins with the
 * path goes to the server without it, and nothing else does.
 */
export async function pathProxy(path: string, port: number): Promise<{ url: string }> {
  const proxy = await forwardingProxy(({ url = "" }) =>
    url.startsWith(`${path}/`) ? new URL(`http://127.0.0.1:${port}${url.slice(path.length)}`) : undefined,
  );
  return { url: proxy + path };
}
