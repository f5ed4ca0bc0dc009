const ON_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** The key that opens the search of everything, as it is written on the keyboard. */
export const PALETTE_KEY = ON_APPLE ? "⌘K" : "Ctrl K";

/** Whether someone has pressed it. Control and K are another command in the fields of an Apple. */
export function isPaletteKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const hasModifier = ON_APPLE ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return key.toLowerCase() === "k" && hasModifier && !altKey && !shiftKey;
}

const OFF = "millrace-single-keys";

/** Whether keys without a modifier do anything: who speaks to the computer may switch them off. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(OFF) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "off");
}
