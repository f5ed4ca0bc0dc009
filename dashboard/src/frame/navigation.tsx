import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { whoamiQuery } from "../api/queries.ts";
import { FactorySwitcher } from "./factory-switcher.tsx";
import styles from "./navigation.module.css";
import { type PageLink, pageLinks } from "./page-links.ts";
import { useFactory } from "./use-factory.ts";

/** The way to every list. Those of a factory stand below its name. */
export function Navigation() {
  const { factory } = useFactory();
  const { data: who } = useQuery(whoamiQuery);
  const { work, factory: ofFactory, server, administration } = pageLinks(who, factory);
  return (
    <nav className={styles.navigation} aria-label="Pages">
      <Items pages={work} />
      {ofFactory.length > 0 && (
        <div className={styles.factory}>
          <FactorySwitcher />
          <Items pages={ofFactory} />
        </div>
      )}
      <Items pages={server} />
      {administration.length > 0 && <Items pages={administration} />}
    </nav>
  );
}

function Items({ pages }: { pages: readonly PageLink[] }) {
  return (
    <ul>
      {pages.map((page) => (
        <Item key={page.href} page={page} />
      ))}
    </ul>
  );
}

function Item({ page: { name, href, belonging } }: { page: PageLink }) {
  const [path] = useLocation();
  const isHere = path === href;
  const isBelow =
    path === belonging || (href !== "/" && [href, belonging].some((each) => path.startsWith(`${each}/`)));
  return (
    <li>
      <Link
        href={href}
        className={isHere || isBelow ? styles.here : ""}
        aria-current={isHere ? "page" : isBelow ? "true" : undefined}
      >
        {name}
      </Link>
    </li>
  );
}
