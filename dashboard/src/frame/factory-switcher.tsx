import { ChevronsUpDown } from "lucide-react";
import { useEffect } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { useLocation } from "wouter";
import type { Models } from "../api/client.ts";
import styles from "./factory-switcher.module.css";
import { chooseFactory, factoryPath, useFactory } from "./use-factory.ts";

/** Which factory pages are about, with how its sync stands as a dot and a word. */
export function FactorySwitcher() {
  const { factory, factories } = useFactory();
  const [path, navigate] = useLocation();
  useEffect(() => {
    if (factory) chooseFactory(factory.uid);
  }, [factory]);
  if (!factory) return null;
  const goTo = (uid: string) => {
    const chosen = factories.find((each) => each.uid === uid);
    if (!chosen) return;
    chooseFactory(uid);
    const section = /^\/factories\/[^/]+\/([^/]+)/.exec(path)?.[1];
    navigate(factoryPath(chosen.name, section ?? "webhooks"));
  };
  if (factories.length === 1) {
    return (
      <div className={styles.alone}>
        <Standing factory={factory} />
      </div>
    );
  }
  return (
    <MenuTrigger>
      <Button className={styles.button ?? ""}>
        <span className="visually-hidden">Factory </span>
        <Standing factory={factory} />
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom start">
        <Menu className={styles.list ?? ""} aria-label="Factories" onAction={(uid) => goTo(String(uid))}>
          {factories.map((each) => (
            <MenuItem key={each.uid} id={each.uid} textValue={each.name} className={styles.item ?? ""}>
              <Standing factory={each} />
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function Standing({ factory: { name, sync } }: { factory: Models["Factory"] }) {
  return (
    <span className={styles.standing}>
      <span className={styles.name}>{name}</span>{" "}
      <span className={styles.status}>
        <span className={`${styles.dot} ${styles[sync.status]}`} aria-hidden="true" />
        {sync.status}
      </span>
    </span>
  );
}
