import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useLocation } from "wouter";
import type { Choice } from "./matching.ts";
import styles from "./palette.module.css";
import { rememberChoice } from "./recent-choices.ts";
import { useChoices } from "./use-choices.ts";

interface PaletteProps {
  /** Whose recent choices are shown. */
  keyId: string;
  onClose: () => void;
}

/** Goes to anything by its name or id, and does what the page offers: with the keyboard alone. */
export function Palette({ keyId, onClose }: PaletteProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""} aria-label="Search or go to">
          <Finder keyId={keyId} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ keyId, onClose }: PaletteProps) {
  const id = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [reached, setReached] = useState(0);
  const { choices, isSearching } = useChoices(text);
  const current = Math.min(reached, choices.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    rememberChoice(keyId, choice);
    onClose();
    // What it opens takes the focus, which this window gives back first.
    setTimeout(() => (choice.href === undefined ? choice.run?.() : navigate(choice.href)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = choices.length - 1;
    if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(choices[current]);
    else if (event.key === "ArrowDown") setReached(current >= last ? 0 : current + 1);
    else if (event.key === "ArrowUp") setReached(current <= 0 ? last : current - 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.field}>
        <Search size={18} aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: the window is opened to write here
          autoFocus
          role="combobox"
          aria-label="Search or go to"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
          placeholder="A page, a name, a title or the beginning of an ID"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setReached(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
        {groupsOf(choices).map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of a listbox, which no fieldset can be
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} className={styles.group} role="presentation">
              {group}
            </div>
            {members.map(({ choice, place }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
              <div
                key={choice.id}
                id={`${id}-${place}`}
                className={styles.choice}
                role="option"
                tabIndex={-1}
                aria-selected={place === current}
                onPointerMove={() => setReached(place)}
                onClick={() => choose(choice)}
              >
                <span className={styles.name}>{choice.name}</span>
                {choice.note && <span className={styles.note}>{choice.note}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={styles.foot} role="status">
        {isSearching ? "Searching…" : choices.length === 0 ? "Nothing found" : <Hint />}
      </p>
    </>
  );
}

function Hint() {
  return (
    <>
      <kbd>↑</kbd> <kbd>↓</kbd> to select, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
    </>
  );
}

function groupsOf(choices: readonly Choice[]) {
  const groups: { group: string; members: { choice: Choice; place: number }[] }[] = [];
  for (const [place, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last?.group === choice.group) last.members.push({ choice, place });
    else groups.push({ group: choice.group, members: [{ choice, place }] });
  }
  return groups;
}
