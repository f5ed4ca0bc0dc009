/** An outbound webhook that nothing listens at, as a file. */
const WHAT = { events: ["run.ended"], filter: { type: ["run.ended"] } };
export const OUTBOUND_FILE = {
  "outbound/ops.yaml": JSON.stringify({ ...WHAT, url: "http://127.0.0.1:1/", secretName: "OUTBOUND_SECRET" }),
};
/** One that leads to a server that refuses what it gets, with an answer. */
export const outboundSetting = (url: string) => ({
  outbound: [{ ...WHAT, url, name: "all", secret: { env: "HOME" } }],
});

// biome-ignore lint/suspicious/noExplicitAny: what comes is held to its description elsewhere
type Ask = (method: string, path: string, body?: object) => Promise<any>;

/** Asks for everything that there is about outbound webhooks. */
export async function askForOutbound(ask: Ask): Promise<void> {
  const ofFactory = "/factories/acme/outbound";
  for (const [list, name] of [
    [ofFactory, "ops"],
    ["/outbound", "all"],
  ]) {
    await ask("GET", `${list}`);
    const { id } = await ask("POST", `${list}/${name}/test`);
    await ask("GET", `${list}/${name}`);
    await ask("GET", `${list}/${name}/deliveries?state=failed&event=test`);
    await ask("POST", `${list}/${name}/deliveries/${id}/redeliver`);
    await ask("GET", `${list}/${name}/deliveries/${id}`);
    await ask("POST", `${list}/${name}/explain`, { event: "definition.applied", subject: "acme" });
  }
  await ask("POST", `${ofFactory}/ops/rotate-secret`);
}
