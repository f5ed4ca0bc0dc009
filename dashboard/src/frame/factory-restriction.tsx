import { Checklist } from "../parts/checklist.tsx";
import { useFactory } from "./use-factory.ts";

interface FactoryRestrictionProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The factories to which a key or a worker is restricted, if there are several. */
export function FactoryRestriction({ chosen, onChange }: FactoryRestrictionProps) {
  const { factories } = useFactory();
  if (factories.length < 2) return null;
  return (
    <Checklist
      label="Restrict to factories (empty: all)"
      options={factories.map(({ uid, name }) => ({ value: uid, label: name }))}
      chosen={chosen}
      onChange={onChange}
    />
  );
}

/** As a request has it. */
export function restrictedTo(chosen: readonly string[]): string[] | null {
  return chosen.length > 0 ? [...chosen] : null;
}
