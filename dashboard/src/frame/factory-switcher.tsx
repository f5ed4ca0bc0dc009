import { ChevronsUpDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useLocation } from "wouter";
import { factoryPath } from "../parts/factory-path.ts";
import { later, openLater } from "../parts/time/later.tsx";
import { FactoryStanding } from "./factory-standing.tsx";
import styles from "./factory-switcher.module.css";
import { chooseFactory, useFactory } from "./use-factory.ts";

const menu = later(async () => (await import("./factory-menu.tsx")).FactoryMenu);

/** Which factory pages are about, with how its sync stands as a dot and a word. It can be changed on the pages of a factory. */
export function FactorySwitcher() {
  const { factory, factories } = useFactory();
  const [path, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (factory) chooseFactory(factory.uid);
  }, [factory]);
  if (!factory) return null;
  const goTo = (uid: string) => {
    const chosen = factories.find((each) => each.uid === uid);
    if (!chosen) return;
    chooseFactory(uid);
    navigate(factoryPath(chosen.name, listOf(section)));
  };
  const section = /^\/factories\/[^/]+\/([^/]+)/.exec(path)?.[1];
  // Elsewhere it would change nothing that is shown: there it only names the factory that the links below lead to.
  if (factories.length === 1 || section === undefined) {
    return (
      <div className={styles.alone}>
        <FactoryStanding factory={factory} />
      </div>
    );
  }
  const open = () => openLater(menu, () => setOpen(true));
  return (
    <>
      <Button
        ref={button}
        className={styles.button ?? ""}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={open}
        onKeyDown={({ key }) => key === "ArrowDown" && open()}
      >
        <span className="visually-hidden">Factory </span>
        <FactoryStanding factory={factory} />
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      {isOpen && (
        <menu.Part factories={factories} trigger={button} onChoose={goTo} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** The list that a page of a factory belongs to: what is written in one factory is not written in another. */
function listOf(section = "webhooks"): string {
  return { "new-automation": "automations", "new-file": "files", tasks: "board" }[section] ?? section;
}
