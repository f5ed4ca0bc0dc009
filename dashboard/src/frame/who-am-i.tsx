import { useQuery } from "@tanstack/react-query";
import { whoamiQuery } from "../api/queries.ts";
import { signOut } from "../api/session.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/forms/choice.tsx";
import { APPEARANCES, type Appearance, setAppearance, useAppearance } from "./appearance.ts";
import styles from "./who-am-i.module.css";

const WORDS: Readonly<Record<Appearance, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};

/** Who is signed in and as what, how pages look to them, and the way out. */
export function WhoAmI() {
  const { data: who } = useQuery(whoamiQuery);
  const chosen = useAppearance();
  if (!who) return null;
  const leave = async () => {
    try {
      await signOut();
      // Nothing of what was seen stays in the memory of the page.
      window.location.reload();
    } catch {
      announce("The server is not responding. You are still signed in.");
    }
  };
  return (
    <div className={styles.who}>
      <div className={styles.name}>{who.key_name}</div>
      <Button isSmall kind="quiet" onPress={leave}>
        Sign out
      </Button>
      <div className={styles.about}>
        <span>{who.role}</span> · <span>millrace {who.server_version}</span>
      </div>
      <Choice
        label="Appearance"
        isLabelHidden
        value={chosen}
        onChange={(value) => setAppearance(value as Appearance)}
        options={APPEARANCES.map((value) => ({ value, label: WORDS[value] }))}
      />
    </div>
  );
}
