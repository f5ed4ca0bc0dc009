import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { fileQuery } from "../../api/file-queries.ts";
import { DeleteFiles } from "../../editor/delete-files.tsx";
import { Gone } from "../../editor/editable-factory.tsx";
import { Editing } from "../../editor/editing.tsx";
import { FileEditor } from "../../editor/file-editor.tsx";
import { useFactory } from "../../frame/use-factory.ts";
import { useMayEdit } from "../../frame/use-role.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Page, Section } from "../../parts/page.tsx";
import { ReadOnlyNote } from "../../parts/read-only-note.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { ScrollText } from "../../parts/text/scroll-text.tsx";

/** A file of the definition: written where that can be done here, and read everywhere else. */
export function File() {
  const params = useParams<{ factory: string; "*": string }>();
  const { factory: name = "", "*": path = "" } = params;
  const { factory } = useFactory();
  const mayEdit = useMayEdit(factory);
  const file = useQuery(fileQuery(name, path));
  return (
    <Loaded query={file} title={path}>
      {(found) => {
        if (found === null) return <Gone title={path} path={path} />;
        const isText = found.encoding === "utf-8";
        if (factory && mayEdit && isText) return <FileDraft factory={factory} file={found} />;
        return <FileText factory={factory} file={found} />;
      }}
    </Loaded>
  );
}

type Content = Models["FactoryFileContent"];

function FileDraft({
  factory,
  file: { path, etag, content },
}: {
  factory: Models["Factory"];
  file: Content;
}) {
  const list = factoryPath(factory.name, "files");
  return (
    <Editing
      title={titleOf(path)}
      lead={<code>{path}</code>}
      factory={factory}
      draftKey={`${list} ${path}`}
      given={[{ path, etag, base: content, content }]}
      leaveTo={list}
      savedTo={() => list}
      destructive={
        <DeleteFiles
          factory={factory}
          what={path}
          name={path}
          isPart={(each) => each === path}
          leaveTo={list}
        />
      }
    >
      {(session) => (
        <Section title="Text">
          <FileEditor session={session} path={path} />
        </Section>
      )}
    </Editing>
  );
}

function FileText({ factory, file }: { factory: Models["Factory"] | undefined; file: Content }) {
  const { path, content, encoding } = file;
  return (
    <Page title={titleOf(path)} lead={<code>{path}</code>}>
      <ReadOnlyNote factory={factory} path={path} />
      <Section title="Text">
        {encoding === "utf-8" ? (
          <ScrollText label={path} text={content} />
        ) : (
          <p>This file is not text and cannot be shown.</p>
        )}
      </Section>
    </Page>
  );
}

/** What most people call it. */
function titleOf(path: string): string {
  const [, kind, name] =
    /^(agent|runner|webhook|automation|skill)s\/([^/]+?)(?:\.\w+|\/.*)$/.exec(path) ?? [];
  return kind ? `${kind[0]?.toUpperCase()}${kind.slice(1)} ${name}` : path;
}
