import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import type { Models } from "../../api/client.ts";
import { filesQuery } from "../../api/file-queries.ts";
import type { Draft } from "../../editor/drafts.ts";
import { EditableFactory } from "../../editor/editable-factory.tsx";
import { Editing } from "../../editor/editing.tsx";
import { FileEditor } from "../../editor/file-editor.tsx";
import { ALSO_OF_FOLDER, type Naming } from "../../editor/name-field.tsx";
import { AGENT, FACTORY, FOREMAN, RUNNER } from "../../editor/templates.ts";
import { factoryPath } from "../../parts/factory-path.ts";
import { Choice } from "../../parts/forms/field.tsx";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";

const TITLE = "Add file";

interface Kind {
  label: string;
  naming: Naming;
  files: (factory: string) => readonly (readonly [path: string, content: string])[];
}

const AGENT_NAMING = { label: "Agent name", hint: ALSO_OF_FOLDER };

const KINDS: Readonly<Record<string, Kind>> = {
  agent: {
    label: "an agent",
    naming: AGENT_NAMING,
    files: () => [["agents/*/agent.md", AGENT]],
  },
  foreman: {
    label: "factory.yaml with the first agent, the foreman",
    naming: AGENT_NAMING,
    files: (factory) => [
      ["factory.yaml", FACTORY(factory)],
      ["agents/*/agent.md", FOREMAN],
    ],
  },
  runner: {
    label: "a runner",
    naming: { label: "Runner name", hint: "Also the file name. It cannot be changed later." },
    files: () => [["runners/*.yaml", RUNNER]],
  },
  skill: {
    label: "a skill",
    naming: { label: "Skill name", hint: ALSO_OF_FOLDER },
    files: () => [["skills/*/SKILL.md", "---\nname: \ndescription: \n---\n"]],
  },
  other: {
    label: "another file",
    naming: {
      label: "Path",
      hint: "Relative to the root of the definition, for example automations/NAME/tests/one.yaml.",
    },
    files: () => [["*", ""]],
  },
};

/** Writes a file that is not there yet. */
export function NewFile() {
  return (
    <EditableFactory title={TITLE} path="factory.yaml">
      {(factory) => <OfKind factory={factory} />}
    </EditableFactory>
  );
}

function OfKind({ factory }: { factory: Models["Factory"] }) {
  const files = useQuery(filesQuery(factory.name));
  const [search, setSearch] = useSearchParams();
  return (
    <Loaded query={files} title={TITLE}>
      {(all) => {
        const hasFactory = all.some(({ path }) => path === "factory.yaml");
        const kinds = Object.entries(KINDS).filter(([name]) => name !== (hasFactory ? "foreman" : "agent"));
        const asked = search.get("kind") ?? "";
        const [chosen = "other", kind] = kinds.find(([name]) => name === asked) ?? kinds[0] ?? [];
        return (
          kind && (
            <KindDraft
              key={chosen}
              factory={factory}
              kind={kind}
              choice={
                <Choice
                  label="Kind"
                  value={chosen}
                  onChange={(name) => setSearch({ kind: name }, { replace: true })}
                  options={kinds.map(([value, { label }]) => ({ value, label }))}
                />
              }
            />
          )
        );
      }}
    </Loaded>
  );
}

interface KindDraftProps {
  factory: Models["Factory"];
  kind: Kind;
  choice: ReactNode;
}

function KindDraft({ factory, kind, choice }: KindDraftProps) {
  const list = factoryPath(factory.name, "files");
  const [given] = useState(() =>
    kind
      .files(factory.name)
      .map(([path, content]): Draft => ({ path, etag: undefined, base: content, content })),
  );
  return (
    <Editing
      title={TITLE}
      lead="Checked with the rest of the definition as you type, and applied when you save."
      factory={factory}
      draftKey={`${list} new ${kind.label}`}
      given={given}
      naming={{ ...kind.naming, first: choice }}
      leaveTo={list}
      savedTo={() => list}
    >
      {(session) => (
        <>
          {session.drafts.files.map(({ path }) => (
            <Section key={path} title={path}>
              <FileEditor session={session} path={path} />
            </Section>
          ))}
        </>
      )}
    </Editing>
  );
}
