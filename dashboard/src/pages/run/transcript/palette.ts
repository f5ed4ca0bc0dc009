/** The steps of a channel in the cube of 6 x 6 x 6 colours. */
const STEPS = [0, 95, 135, 175, 215, 255];
const CUBE = 16;
const GREYS = 232;

/** One of the 240 colours beyond the sixteen, as `r, g, b`. */
export function paletteColour(index: number): string {
  if (index >= GREYS) {
    const level = 8 + 10 * (index - GREYS);
    return `${level}, ${level}, ${level}`;
  }
  const place = index - CUBE;
  const channels = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
  return channels.map((channel) => STEPS[channel]).join(", ");
}
