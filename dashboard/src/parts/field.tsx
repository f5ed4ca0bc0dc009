import { useId } from "react";
import { Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components";
import styles from "./field.module.css";

interface FieldProps extends TextFieldProps {
  label: string;
  /** What to write there, in a sentence. */
  hint?: string;
  /** More than one makes a field of several lines. */
  rows?: number;
  /** For code, ids and keys. */
  isMono?: boolean;
  isLabelHidden?: boolean;
  placeholder?: string;
  /** What the browser offers while someone writes. */
  suggestions?: readonly string[];
}

/** A labelled field for text. */
export function Field(props: FieldProps) {
  const {
    label,
    hint,
    rows = 1,
    isMono = false,
    isLabelHidden = false,
    placeholder,
    suggestions = [],
    ...rest
  } = props;
  const listId = useId();
  const more = {
    ...(placeholder ? { placeholder } : {}),
    ...(suggestions.length > 0 ? { list: listId } : {}),
  };
  const classes = [styles.input, isMono ? styles.mono : ""].join(" ");
  return (
    <TextField {...rest} className={styles.field ?? ""}>
      <Label className={isLabelHidden ? "visually-hidden" : (styles.label ?? "")}>{label}</Label>
      {rows > 1 ? <TextArea className={classes} rows={rows} /> : <Input className={classes} {...more} />}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
    </TextField>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  isLabelHidden?: boolean;
}

/** One of a few. The browser's own select works best on phones and with screen readers. */
export function Choice({ label, value, onChange, options, isLabelHidden = false }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : styles.label}>
        {label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
