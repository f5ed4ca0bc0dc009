import type { ReactNode } from "react";
import { isWebAddress } from "./web-address.ts";

/** A link that someone else wrote. It opens a tab that knows nothing of this one; what is no web address stays a text. */
export function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!isWebAddress(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
