import { type ReactNode, useId } from "react";
import styles from "./radio-choice.module.css";

interface RadioChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; hint: ReactNode }[];
}

/** One of a few, where each has to be explained. */
export function RadioChoice<Value extends string>(props: RadioChoiceProps<Value>) {
  const { label, value, onChange, options } = props;
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            <span className={styles.hint}>{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
