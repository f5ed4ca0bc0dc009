import { tool } from "../tool.ts";

/** What an API key can send tasks to. */
export const listFactories = tool<{ search?: string; cursor?: string }>({
  name: "list_factories",
  title: "List factories",
  description:
    "Lists the factories that you can access. Other tools take the uid of a factory as factory_uid.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      search: { type: "string", minLength: 1, description: "Part of a name or an alias." },
      cursor: { type: "string", description: "The next_cursor of the previous page." },
    },
  },
  onlyReads: true,
  refusal(caller) {
    if (caller.kind === "key") return undefined;
    return "A run works in one factory: leave factory_uid out of the other tools.";
  },
  async call(query, { call }) {
    const { factories, page_info } = await call("searchFactories", { query });
    const lines = factories.map(({ uid, name, description }) => {
      return `- ${name} (factory_uid ${uid})${description ? `: ${description}` : ""}`;
    });
    const shown = factories.map((factory) => ({ factory_uid: factory.uid, ...factory }));
    return {
      text: lines.length === 0 ? "There are no factories." : lines.join("\n"),
      data: { factories: shown, ...page_info },
    };
  },
});
