import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { Actions, Dialog } from "../parts/forms/dialog.tsx";
import { Toggle } from "../parts/forms/toggle.tsx";
import { DataTable } from "../parts/tables/data-table.tsx";
import { hasSingleKeys, PALETTE_KEY, setSingleKeys } from "./key-hints.ts";
import type { PageLink } from "./page-links.ts";

interface KeysDialogProps {
  pages: readonly PageLink[];
  onClose: () => void;
}

/** The keys that work on every page. */
export function KeysDialog({ pages, onClose }: KeysDialogProps) {
  const [isOn, setOn] = useState(hasSingleKeys);
  const keys = [
    { key: PALETTE_KEY, name: "Search, or go to anything" },
    { key: "/", name: "Search the list of the page" },
    { key: "?", name: "Show the keyboard shortcuts" },
    ...pages.flatMap(({ key, name }) => (key === undefined ? [] : [{ key: `g ${key}`, name }])),
  ];
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <DataTable label="Keyboard shortcuts" columns={[{ title: "Keys" }, { title: "Effect" }]}>
        {keys.map(({ key, name }) => (
          <tr key={key}>
            <td>
              <kbd>{key}</kbd>
            </td>
            <td>{name}</td>
          </tr>
        ))}
      </DataTable>
      <Toggle
        label="Shortcuts without Ctrl or ⌘"
        isSelected={isOn}
        onChange={(next) => {
          setSingleKeys(next);
          setOn(next);
        }}
      />
      <Actions>
        <Button onPress={onClose}>Close</Button>
      </Actions>
    </Dialog>
  );
}
