/** An agent reports addresses: one that runs a script, or opens a program, is no link. */
export function isWebAddress(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
}
