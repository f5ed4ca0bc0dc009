import type { Models } from "../api/models.ts";

type Source = Models["Factory"]["source"];

/** Where the host of a repository shows a commit; nothing for folders, and for hosts whose pages are not known. */
export function commitUrl(source: Source, revision: string): string | undefined {
  const host = hostOf(source);
  return host && `${host.base}${host.infix}/commit/${revision}`;
}

/** Where it shows a file of the definition at a commit. */
export function fileUrl(source: Source, revision: string, path: string, line?: number): string | undefined {
  const host = hostOf(source);
  if (!host) return undefined;
  const inRepository = source.path === "." ? path : `${source.path}/${path}`;
  const encoded = inRepository.split("/").map(encodeURIComponent).join("/");
  return `${host.base}${host.infix}/blob/${revision}/${encoded}${line === undefined ? "" : `#L${line}`}`;
}

function hostOf({ url }: Source): { base: string; infix: string } | undefined {
  const match = /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(
    url ?? "",
  );
  const [, host = "", repository = ""] = match ?? [];
  if (/(^|\.)github\./.test(host)) return { base: `https://${host}/${repository}`, infix: "" };
  if (/(^|\.)gitlab\./.test(host)) return { base: `https://${host}/${repository}`, infix: "/-" };
  return undefined;
}
