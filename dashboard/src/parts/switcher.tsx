import styles from "./switcher.module.css";

interface SwitcherProps {
  /** What is chosen, for who does not see it. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}

/** One of two or three views of the same thing. */
export function Switcher({ label, value, onChange, options }: SwitcherProps) {
  return (
    <fieldset className={styles.switcher} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
