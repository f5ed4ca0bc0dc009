import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { useLocation } from "wouter";
import { whoamiQuery } from "../api/queries.ts";
import { later, openLater } from "../parts/time/later.tsx";
import styles from "./finder.module.css";
import { PALETTE_KEY } from "./key-hints.ts";
import { useEntries } from "./navigation.tsx";
import { allPageLinks, type PageLink } from "./page-links.ts";
import { useFactory } from "./use-factory.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const palette = later(async () => (await import("./palette.tsx")).Palette);
export const keys = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);

interface FinderProps {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  showsKeys: boolean;
  setShowsKeys: (showsKeys: boolean) => void;
}

/** Opens the search of everything and the list of keys, by their keys. */
export function Finder({ isOpen, setOpen, showsKeys, setShowsKeys }: FinderProps) {
  const { data: who } = useQuery(whoamiQuery);
  const { isLoading } = useFactory();
  const pages = allPageLinks(useEntries());
  const goTo = useGoTo(pages, isLoading || who === undefined);
  useShortcuts({
    onPalette: () => openLater(palette, () => setOpen(true)),
    onHelp: () => openLater(keys, () => setShowsKeys(true)),
    onGo: goTo,
  });
  return (
    <>
      {isOpen && <palette.Part keyId={who?.key_id ?? ""} onClose={() => setOpen(false)} />}
      {showsKeys && <keys.Part pages={pages} onClose={() => setShowsKeys(false)} />}
    </>
  );
}

/**
 * Goes to the page of a letter. Which pages there are is known only when the factories have been loaded: a letter that is typed
 * before that leads there then.
 */
function useGoTo(pages: PageLink[], isLoading: boolean): (letter: string) => void {
  const [, navigate] = useLocation();
  const [letter, setLetter] = useState<string>();
  const href = pages.find(({ key }) => key === letter)?.href;
  useEffect(() => {
    if (letter === undefined) return;
    if (href !== undefined) navigate(href);
    if (href !== undefined || !isLoading) setLetter(undefined);
  }, [letter, href, isLoading, navigate]);
  return setLetter;
}

/** The way to it for who does not know its key, or has no keyboard. */
export function FinderButton({ onOpen, isIcon = false }: { onOpen: () => void; isIcon?: boolean }) {
  return (
    <Button
      className={(isIcon ? styles.icon : styles.button) ?? ""}
      {...(isIcon ? { "aria-label": "Search or go to" } : {})}
      aria-haspopup="dialog"
      onPress={() => openLater(palette, onOpen)}
    >
      <Search size={isIcon ? 20 : 15} aria-hidden />
      {!isIcon && (
        <>
          <span className={styles.words}>Search or go to</span>
          <kbd>{PALETTE_KEY}</kbd>
        </>
      )}
    </Button>
  );
}
