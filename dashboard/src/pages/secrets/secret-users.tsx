import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import type { Models } from "../../api/models.ts";
import { factoryPath } from "../../parts/factory-path.ts";

type User = Models["SecretUser"];

/** More would make rows that nobody reads. */
const SHOWN = 3;

/** What uses a secret, each with the way to it where it has a page. @param isWhole whether all are named */
export function SecretUsers({ users, isWhole = false }: { users: readonly User[]; isWhole?: boolean }) {
  if (users.length === 0) return "nothing";
  const shown = isWhole ? users : users.slice(0, SHOWN);
  return (
    <>
      {shown.map((user, place) => (
        <Fragment key={`${user.kind} ${user.factory} ${user.name}`}>
          {place > 0 && ", "}
          <UserName user={user} />
        </Fragment>
      ))}
      {users.length > shown.length && ` and ${users.length - shown.length} more`}
    </>
  );
}

function UserName({ user: { kind, name, factory } }: { user: User }): ReactNode {
  const text = kind === "settings" ? "the server's settings" : `${kind} ${name}`;
  const href = factory === null ? PAGES[kind] : pageIn(factory, kind, name);
  return href === undefined ? text : <Link href={href}>{text}</Link>;
}

const PAGES: Partial<Record<User["kind"], string>> = { environment: "/environments", agent: "/agents" };

function pageIn(factory: string, kind: User["kind"], name: string): string | undefined {
  if (kind === "automation") return factoryPath(factory, "automations", name);
  if (kind === "webhook") return factoryPath(factory, "webhooks");
  if (kind === "agent") return "/agents";
  if (kind === "runner") return factoryPath(factory, "runners");
  return kind === "source" ? factoryPath(factory, "revisions") : undefined;
}
