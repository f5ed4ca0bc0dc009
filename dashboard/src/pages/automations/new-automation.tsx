import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { webhooksQuery } from "../../api/queries.ts";
import { EditableFactory } from "../../editor/editable-factory.tsx";
import { Editing } from "../../editor/editing.tsx";
import { ALSO_OF_FOLDER } from "../../editor/name-field.tsx";
import { AUTOMATION } from "../../editor/templates.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { AutomationViews } from "./automation-views.tsx";

const TITLE = "Add automation";
const PATH = "automations/*/automation.md";

/** Writes an automation that is not there yet. */
export function NewAutomation() {
  return (
    <EditableFactory title={TITLE} path="automations/">
      {(factory) => <AutomationDraft factory={factory} />}
    </EditableFactory>
  );
}

function AutomationDraft({ factory }: { factory: Models["Factory"] }) {
  const webhooks = useQuery(webhooksQuery(factory.name));
  const [search] = useSearchParams();
  const meant = search.get("webhook") ?? "";
  const list = factoryPath(factory.name, "automations");
  return (
    <Loaded query={webhooks} title={TITLE}>
      {(all) => {
        const content = AUTOMATION(all.find(({ name }) => name === meant)?.name);
        return (
          <Editing
            title={TITLE}
            lead="Choose triggers and filters, and write the prompt for the agent."
            factory={factory}
            draftKey={`${list} new ${meant}`}
            given={[{ path: PATH, etag: undefined, base: content, content }]}
            naming={{ hint: ALSO_OF_FOLDER }}
            leaveTo={list}
            savedTo={(name) => factoryPath(factory.name, "automations", name)}
          >
            {(session) => <AutomationViews session={session} />}
          </Editing>
        );
      }}
    </Loaded>
  );
}
