/** What a page is of, where its title is the name of a thing. */
const KINDS: Readonly<Record<string, string>> = {
  webhooks: "Webhook",
  automations: "Automation",
  files: "File",
  runs: "Run",
  tasks: "Task",
};

/** What the browser's tab shows of a page: its title, of what kind the thing is, and the factory that it belongs to. */
export function tabTitle(title: string, path: string): string {
  const [, factory, rest = path] = /^\/factories\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const [, section = "", thing] = rest.split("/");
  const kind = thing === undefined ? undefined : KINDS[section];
  const parts = [
    title,
    kind === title ? undefined : kind,
    factory && decodeURIComponent(factory),
    "millrace",
  ];
  return parts.filter(Boolean).join(" · ");
}
