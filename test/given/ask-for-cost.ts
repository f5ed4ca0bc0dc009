// biome-ignore lint/suspicious/noExplicitAny: what comes is held to its description elsewhere
type Ask = (method: string, path: string, body?: object) => Promise<any>;

/** Plans that start other runs of an automation, whose last run has told what it cost. */
export async function askForCost(
  ask: Ask,
  delivery: string,
  { path, text }: { path: string; text: string },
): Promise<void> {
  const { run_ids } = await ask("GET", `/factories/acme/deliveries/${delivery}`);
  await ask("GET", `/agent/runs/${run_ids?.[0]}?wait=60s`);
  for (const [from, to] of [
    ["go: [true]", "go: [false]"],
    ["millrace: {", "millrace: { debounce: { quiet: 1s },"],
  ] as const) {
    await ask("POST", "/factories/acme/plan", { changes: [{ path, content: text.replace(from, to) }] });
  }
}
