import { Fragment } from "react";

/** A path or a URL, or a text with one, that breaks after a slash where its line is too short, rather than inside a name. */
export function BreakablePath({ path }: { path: string }) {
  const parts = path.split(/(?<=[^/]\/)(?=[^/])/);
  return parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same part may occur twice, and the order never changes
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
