import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { fileQuery } from "../../api/file-queries.ts";
import { automationQuery } from "../../api/queries.ts";
import { EditableFactory, Gone } from "../../editor/editable-factory.tsx";
import { Editing } from "../../editor/editing.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { AutomationViews } from "./automation-views.tsx";

/** Writes an automation that is there, as a form or as text. */
export function EditAutomation() {
  const { factory: factoryName = "", name = "" } = useParams<{ factory: string; name: string }>();
  const automation = useQuery(automationQuery(factoryName, name));
  return (
    <EditableFactory title={`Edit ${name}`} path="automations/">
      {(factory) => (
        <Loaded query={automation} title={`Edit ${name}`}>
          {({ defined_in: { path } }) => <AutomationFile factory={factory} name={name} path={path} />}
        </Loaded>
      )}
    </EditableFactory>
  );
}

function AutomationFile(props: { factory: Models["Factory"]; name: string; path: string }) {
  const { factory, name, path } = props;
  const file = useQuery(fileQuery(factory.name, path));
  const title = `Edit ${name}`;
  const place = factoryPath(factory.name, "automations", name);
  return (
    <Loaded query={file} title={title}>
      {(found) =>
        found === null ? (
          <Gone title={title} path={path} />
        ) : (
          <Editing
            title={title}
            lead={<code>{path}</code>}
            factory={factory}
            draftKey={place}
            given={[{ path, etag: found.etag, base: found.content, content: found.content }]}
            leaveTo={place}
            savedTo={() => place}
          >
            {(session) => <AutomationViews session={session} />}
          </Editing>
        )
      }
    </Loaded>
  );
}
