/**
 * What stands before every path of this server in a browser: `/millrace` where the public URL is `https://example.com/millrace`,
 * and mostly nothing. The server has written it into the page.
 */
export const BASE = (
  document.querySelector('meta[name="millrace-base"]')?.getAttribute("content") ?? "/"
).replace(/\/+$/, "");
