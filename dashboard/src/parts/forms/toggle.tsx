import { Switch } from "react-aria-components";
import styles from "./toggle.module.css";

interface ToggleProps {
  label: string;
  isSelected: boolean;
  onChange?: (isSelected: boolean) => void;
  isDisabled?: boolean;
}

/** Something that is on or off. */
export function Toggle({ label, ...props }: ToggleProps) {
  return (
    <Switch {...props} className={styles.toggle ?? ""}>
      <span className={styles.track} aria-hidden="true" />
      {label}
    </Switch>
  );
}
