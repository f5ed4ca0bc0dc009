import { Field } from "./field.tsx";

interface CronFieldProps {
  value: string;
  onChange: (cron: string) => void;
}

/** When something is due. */
export function CronField({ value, onChange }: CronFieldProps) {
  return (
    <Field
      label="When"
      isMono
      autoComplete="off"
      value={value}
      onChange={onChange}
      hint="Cron expression with five fields, or @hourly, @daily, @weekly, @every 30m. In UTC, unless a time zone is set."
    />
  );
}
