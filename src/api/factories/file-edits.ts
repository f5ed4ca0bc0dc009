import { isUtf8 } from "node:buffer";
import type { Models } from "../../client/typed-paths.ts";
import { definitionEntries, isPartOfDefinition } from "../../definitions/loading/tree-path.ts";
import { MillraceError } from "../../errors/error.ts";
import type { TreeEntry } from "../../git/revision.ts";
import {
  changeFiles,
  deleteAutomation,
  type FileChange,
  fileOf,
  fileTag,
  findAutomation,
  findEntry,
  pathOfAutomation,
} from "../../reconcile/managed-edits/change-file.ts";
import type { Editable, Edits } from "../../reconcile/managed-edits/edit.ts";
import type { RunningFactory } from "../../reconcile/running-factory.ts";
import type { NextFiresDeps } from "../../runs/schedules/timetable.ts";
import { type BodyOf, type Called, type Endpoints, keyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { automationReply } from "./automations.ts";
import { type FactoryDeps, findFactory } from "./factories.ts";
import { preconditionOf, preconditionOnFile, requireManaged } from "./managed-factory.ts";

/** The files of definitions: read wherever they are kept, and changed where millrace keeps them. */
export function fileEditEndpoints(deps: FactoryDeps & NextFiresDeps) {
  const { factories, cursors } = deps;
  /** @returns whether something was new */
  async function edit(
    request: Called,
    factory: RunningFactory,
    change: (current: Editable) => Edits | undefined,
  ): Promise<boolean> {
    let isNew = false;
    await factory.edit({
      principal: keyOf(request).principal,
      change(current) {
        const edits = change(current);
        isNew = edits?.files.some(({ path }) => !findEntry(current.tree, path)) ?? false;
        return edits;
      },
    });
    return isNew;
  }

  async function automationOf(factory: RunningFactory, name: string) {
    const found = factory.active && findAutomation(name, factory.active);
    if (found) return automationReply(found, factory, deps);
    throw new MillraceError(
      "resource_not_found",
      `The automation "${name}" was deleted while the request was processed.`,
    );
  }

  return {
    putAutomation: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name } = request.path;
        const place = pathOfAutomation(name, factory.active ?? { resources: [] });
        requireManaged(factory, { verb: "Change", path: place });
        const check = preconditionOf(request);
        const content = Buffer.from(request.body.content);
        const isNew = await edit(request, factory, (current) =>
          changeFiles([{ path: pathOfAutomation(name, current.active), content, check }], undefined, current),
        );
        return { status: isNew ? 201 : 200, ...(await automationOf(factory, name)) };
      },
    },
    deleteAutomation: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name } = request.path;
        const place = pathOfAutomation(name, factory.active ?? { resources: [] });
        requireManaged(factory, { verb: "Delete", path: place });
        const check = preconditionOf(request);
        await edit(request, factory, (current) => deleteAutomation(name, check, current));
        return { status: 204 };
      },
    },
    listFiles: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { entries } = await factory.activeTree();
        const files = definitionEntries(entries);
        const { items, pageInfo } = pageOf(files, ({ path }) => path, request, cursors);
        return { json: { files: items.map(fileView), page_info: pageInfo } };
      },
    },
    getFile: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const tree = await factory.activeTree();
        const entry = fileOf(request.path.path, tree, factory.record.name);
        if (!isPartOfDefinition(entry.path)) throw noPart(entry.path);
        const bytes = (await tree.read([entry])).get(entry.id) ?? Buffer.alloc(0);
        return { json: { ...fileView(entry), ...contentView(bytes) }, etag: fileTag(entry) };
      },
    },
    changeFiles: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { message, files: asked, allow_deletes } = request.body;
        const changes: FileChange[] = asked.map(changeOf);
        for (const { path } of changes) requireManaged(factory, { verb: "Change", path });
        const isGuarded = allow_deletes !== true;
        await edit(request, factory, (current) => {
          const edits = changeFiles(changes, message, current);
          return edits && { ...edits, isGuarded };
        });
        const tree = await factory.activeTree();
        const written = changes.flatMap(({ path }) => findEntry(tree, path) ?? []);
        return { json: { revision: tree.revision.id, files: written.map(fileView) } };
      },
    },
    putFile: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { path } = request.path;
        requireManaged(factory, { verb: "Change", path });
        const { content, executable } = fileIn(request.body);
        const file = { path, content, ...executable, check: preconditionOf(request) };
        const isNew = await edit(request, factory, (current) => changeFiles([file], undefined, current));
        const entry = fileOf(path, await factory.activeTree(), factory.record.name);
        return { status: isNew ? 201 : 200, json: fileView(entry), etag: fileTag(entry) };
      },
    },
    deleteFile: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { path } = request.path;
        requireManaged(factory, { verb: "Delete", path });
        const check = preconditionOf(request);
        await edit(request, factory, (current) =>
          changeFiles([{ path, content: null, check }], undefined, current),
        );
        return { status: 204 };
      },
    },
  } satisfies Endpoints;
}

function fileIn({ content, encoding, executable }: BodyOf<"putFile">) {
  return {
    content: Buffer.from(content, encoding === "base64" ? "base64" : "utf8"),
    executable: executable === undefined ? {} : { executable },
  };
}

function changeOf(asked: BodyOf<"changeFiles">["files"][number]): FileChange {
  const { path, content, etag } = asked;
  const check = preconditionOnFile(path, etag);
  if (content === null) return { path, content, check };
  const file = fileIn({ ...asked, content });
  return { path, content: file.content, ...file.executable, check };
}

function fileView(entry: TreeEntry) {
  const { path, size, executable = false } = entry;
  return { path, size, executable, etag: fileTag(entry) };
}

function contentView(bytes: Buffer): Pick<Models["FactoryFileContent"], "encoding" | "content"> {
  return isUtf8(bytes)
    ? { encoding: "utf-8", content: bytes.toString() }
    : { encoding: "base64", content: bytes.toString("base64") };
}

function noPart(path: string): MillraceError {
  return new MillraceError("resource_not_found", `${path} is not part of the definition.`);
}
