import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useParams, useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { deliveryTestQuery, explanationQuery } from "../../api/queries.ts";
import { Editing } from "../../editor/editing.tsx";
import { FileEditor } from "../../editor/file-editor.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Choice } from "../../parts/forms/field.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";

const TITLE = "Make a test of a delivery";

/** Makes a stored delivery a test of an automation: a file to save, or to copy where the definition is kept elsewhere. */
export function MakeTest() {
  const { factory: name = "", id = "" } = useParams<{ factory: string; id: string }>();
  const { factory } = useFactory();
  const query = useQuery(explanationQuery(name, id));
  if (!factory) return <Skeleton rows={6} />;
  return (
    <Loaded query={query} title={TITLE}>
      {({ automations, summary }) =>
        automations.length === 0 ? (
          <Page title={TITLE}>
            <Section title="Not possible">
              <EmptyState title="There is no automation to test with this delivery">{summary}</EmptyState>
            </Section>
          </Page>
        ) : (
          <ForAutomation factory={factory} id={id} automations={automations} />
        )
      }
    </Loaded>
  );
}

interface ForAutomationProps {
  factory: Models["Factory"];
  id: string;
  /** The closest first. */
  automations: readonly Models["AutomationExplanation"][];
}

function ForAutomation({ factory, id, automations }: ForAutomationProps) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("automation");
  const automation = automations.find(({ name }) => name === asked) ?? automations[0];
  const chosen = automation?.name ?? "";
  const query = useQuery(deliveryTestQuery(factory.name, id, chosen));
  const mayEdit = useMayEdit(factory);
  const choice = (
    <Choice
      label="Automation"
      value={chosen}
      onChange={(name) => setSearch({ automation: name }, { replace: true })}
      options={automations.map(({ name }) => ({ value: name, label: name }))}
    />
  );
  return (
    <Loaded query={query} title={TITLE}>
      {(test) =>
        mayEdit ? (
          <TestDraft
            key={chosen}
            factory={factory}
            id={id}
            automation={chosen}
            content={test.content}
            fires={test.fires}
            choice={choice}
          />
        ) : (
          <Page title={TITLE} lead={<Lead fires={test.fires} />}>
            <ReadOnlyNote factory={factory} path={test.path} />
            <Section title="General">{choice}</Section>
            <Section title={test.path}>
              <CopyBlock text={test.content} what="the test" />
            </Section>
          </Page>
        )
      }
    </Loaded>
  );
}

function Lead({ fires }: { fires: boolean }) {
  return (
    <>
      This delivery {fires ? "starts" : "does not start"} a run under the active definition, and the test
      expects the same. To expect the opposite, change <code>fires</code>. The file contains the whole
      payload, and no header except the event of GitHub.
    </>
  );
}

interface TestDraftProps {
  factory: Models["Factory"];
  id: string;
  automation: string;
  content: string;
  fires: boolean;
  choice: ReactNode;
}

function TestDraft({ factory, id, automation, content, fires, choice }: TestDraftProps) {
  const back = factoryPath(factory.name, "automations", automation);
  const path = `automations/${automation}/tests/*.yaml`;
  return (
    <Editing
      title={TITLE}
      lead={<Lead fires={fires} />}
      factory={factory}
      draftKey={`${back} test ${id}`}
      given={[{ path, etag: undefined, base: content, content }]}
      naming={{ label: "Test name", hint: "Also the file name, for example failed-on-main.", first: choice }}
      leaveTo={back}
      savedTo={() => back}
    >
      {(session) => (
        <>
          {session.drafts.files.map((draft) => (
            <Section key={draft.path} title={draft.path}>
              <FileEditor session={session} path={draft.path} />
            </Section>
          ))}
        </>
      )}
    </Editing>
  );
}
