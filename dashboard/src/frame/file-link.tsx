import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Models } from "../api/client.ts";
import { factoryPath } from "../parts/factory-path.ts";

interface FileLinkProps {
  factory: Models["Factory"];
  /** Below the root of the definition. */
  path: string;
  children: ReactNode;
}

/** Leads to the file that describes something: there it is read, or written, or found at its host. */
export function FileLink({ factory, path, children }: FileLinkProps) {
  return <Link href={factoryPath(factory.name, "files", ...path.split("/"))}>{children}</Link>;
}
