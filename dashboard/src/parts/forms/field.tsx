import { useId } from "react";
import { Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components";
import styles from "./field.module.css";

export { Choice } from "./choice.tsx";

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
