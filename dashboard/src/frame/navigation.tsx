import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { whoamiQuery } from "../api/queries.ts";
import styles from "./navigation.module.css";
import { factoryPath, useFactory } from "./use-factory.ts";
import { useMayForServer } from "./use-role.ts";

/** The way to every list. */
export function Navigation() {
  const { factory } = useFactory();
  const { data: who } = useQuery(whoamiQuery);
  const isAdmin = useMayForServer("admin");
  const seesServer = who?.factories === null;
  return (
    <nav className={styles.navigation} aria-label="Pages">
      <ul>
        <Item href="/">Overview</Item>
        {factory && <Item href={factoryPath(factory.name, "webhooks")}>Webhooks</Item>}
        {factory && (
          <Item
            href={factoryPath(factory.name, "automations")}
            adding={factoryPath(factory.name, "new-automation")}
          >
            Automations
          </Item>
        )}
        <Item href="/deliveries">Deliveries</Item>
        <Item href="/runs">Runs</Item>
        {factory && <Item href={factoryPath(factory.name, "revisions")}>Revisions</Item>}
      </ul>
      <ul>
        <Item href="/agents">Agents</Item>
        <Item href="/schedules">Schedules</Item>
        {seesServer && <Item href="/environments">Environments</Item>}
        {factory && <Item href={factoryPath(factory.name, "runners")}>Runners</Item>}
        {factory && (
          <Item href={factoryPath(factory.name, "files")} adding={factoryPath(factory.name, "new-file")}>
            Files
          </Item>
        )}
      </ul>
      <ul>
        <Item href="/secrets">Secrets</Item>
        {isAdmin && <Item href="/keys">Keys</Item>}
        {isAdmin && <Item href="/audit-log">Audit log</Item>}
        {isAdmin && <Item href="/settings">Settings</Item>}
      </ul>
    </nav>
  );
}

interface ItemProps {
  href: string;
  /** Where one more is written, which belongs to the list although it is not below its address. */
  adding?: string;
  children: ReactNode;
}

function Item({ href, adding, children }: ItemProps) {
  const [path] = useLocation();
  const isHere = path === href;
  const isBelow = path === adding || (href !== "/" && path.startsWith(`${href}/`));
  return (
    <li>
      <Link
        href={href}
        className={isHere || isBelow ? styles.here : ""}
        aria-current={isHere ? "page" : isBelow ? "true" : undefined}
      >
        {children}
      </Link>
    </li>
  );
}
