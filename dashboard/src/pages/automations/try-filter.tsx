import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useParams } from "wouter";
import { fileQuery } from "../../api/file-queries.ts";
import { automationQuery } from "../../api/queries.ts";
import { readText, withItem, withValue } from "../../editor/definition-text.ts";
import { Gone } from "../../editor/editable-factory.tsx";
import { splitFrontMatter } from "../../editor/front-matter.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { CopyBlock } from "../../parts/text/copyable.tsx";
import styles from "./automation.module.css";
import { NEW_TRIGGER, TriggerForm } from "./trigger-form.tsx";

/** Changes the triggers of an automation without writing anything: for a definition that is changed somewhere else. */
export function TryFilter() {
  const { factory: factoryName = "", name = "" } = useParams<{ factory: string; name: string }>();
  const title = `Try a filter: ${name}`;
  const automation = useQuery(automationQuery(factoryName, name));
  return (
    <Loaded query={automation} title={title}>
      {({ defined_in: { path } }) => <OfFile factory={factoryName} name={name} path={path} title={title} />}
    </Loaded>
  );
}

interface OfFileProps {
  factory: string;
  name: string;
  path: string;
  title: string;
}

function OfFile({ factory, name, path, title }: OfFileProps) {
  const file = useQuery(fileQuery(factory, path));
  return (
    <Loaded query={file} title={title}>
      {(found) =>
        found === null ? (
          <Gone title={title} path={path} />
        ) : (
          <Trial factory={factory} name={name} path={path} title={title} base={found.content} />
        )
      }
    </Loaded>
  );
}

function Trial({ factory: factoryName, name, path, title, base }: OfFileProps & { base: string }) {
  const { factory } = useFactory();
  const [text, setText] = useState(base);
  const triggers = useMemo(() => {
    const listed = readText(path, text)?.data.triggers;
    return Array.isArray(listed) ? listed : [];
  }, [path, text]);
  const set = (at: readonly (string | number)[], value: unknown) => setText(withValue(path, text, at, value));
  return (
    <Page
      title={title}
      lead="Changes on this page are not saved. Test a filter on stored deliveries, and copy the result."
      actions={
        <>
          {text !== base && <Button onPress={() => setText(base)}>Start again</Button>}
          <ButtonLink href={factoryPath(factoryName, "automations", name)}>Back to the automation</ButtonLink>
        </>
      }
    >
      <ReadOnlyNote factory={factory} path={path} />
      {triggers.map((trigger, place) => (
        <TriggerForm
          // biome-ignore lint/suspicious/noArrayIndexKey: triggers have nothing but their places
          key={place}
          factory={factoryName}
          trigger={trigger}
          place={place}
          onChange={(at, value) => set(["triggers", place, ...at], value)}
          {...(triggers.length > 1 ? { onRemove: () => set(["triggers", place], undefined) } : {})}
        />
      ))}
      <div>
        <Button onPress={() => setText(withItem(path, text, ["triggers"], NEW_TRIGGER))}>Add trigger</Button>
      </div>
      <Section title="YAML to copy">
        <div className={styles.trigger}>
          <p className={styles.muted}>
            The front matter of <code>{path}</code>, with these triggers. It goes between the two{" "}
            <code>---</code> lines.
          </p>
          <CopyBlock text={splitFrontMatter(text)?.head ?? text} what="the YAML" />
        </div>
      </Section>
    </Page>
  );
}
