import type { Run } from "../../api/models.ts";
import { Chip } from "../chip.tsx";

/** How soon an agent needs its answer, where that is not as usual. */
export function Urgency({ question }: { question: Pick<NonNullable<Run["question"]>, "urgency"> }) {
  if (question.urgency === "high") return <Chip tone="red">Urgent</Chip>;
  if (question.urgency === "low") return <Chip tone="grey">Not urgent</Chip>;
  return null;
}
