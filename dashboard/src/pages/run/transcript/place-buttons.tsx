import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "../../../parts/button.tsx";

interface PlaceButtonsProps {
  what: string;
  whats: string;
  /** The rows to step through, in their order. */
  places: readonly number[];
  /** The row that is looked at. */
  current: number | undefined;
  onStep: (place: number | undefined) => void;
}

/** Goes from one of several rows to another: from the row that is looked at, or from the end of all rows. */
export function PlaceButtons({ what, whats, places, current, onStep }: PlaceButtonsProps) {
  const at = current === undefined ? -1 : places.indexOf(current);
  const next = places.find((place) => current !== undefined && place > current) ?? places[0];
  const previous = places.findLast((place) => current === undefined || place < current) ?? places.at(-1);
  return (
    <>
      <span role="status">
        {places.length === 0
          ? `No ${whats}`
          : at >= 0
            ? `${at + 1} of ${places.length}`
            : `${places.length} ${places.length === 1 ? what : whats}`}
      </span>
      <Button isSmall kind="quiet" aria-label={`Previous ${what}`} onPress={() => onStep(previous)}>
        <ArrowUp size={14} aria-hidden />
      </Button>
      <Button isSmall kind="quiet" aria-label={`Next ${what}`} onPress={() => onStep(next)}>
        <ArrowDown size={14} aria-hidden />
      </Button>
    </>
  );
}
