import type { Models } from "../../api/models.ts";
import { Chip } from "../chip.tsx";
import { RUN_TONES, RUN_WORDS } from "../tones.ts";

/** How a run stands. */
export function RunChip({ state }: { state: Models["RunState"] }) {
  return <Chip tone={RUN_TONES[state]}>{RUN_WORDS[state]}</Chip>;
}
