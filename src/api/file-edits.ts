import { isUtf8 } from "node:buffer";
import { definitionEntries, isPartOfDefinition } from "../definitions/tree-path.ts";
import { MillraceError } from "../error.ts";
import type { TreeEntry } from "../git/revision.ts";
import type { Editable, Edits } from "../reconcile/edit.ts";
import {
  changeFiles,
  deleteAutomation,
  type FileChange,
  fileOf,
  findAutomation,
  pathOfAutomation,
} from "../reconcile/edits/change-file.ts";
import { fileTag, findEntry } from "../reconcile/edits/tag.ts";
import type { Factory } from "../reconcile/factories.ts";
import { automationReply } from "./automations.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { type FactoryParts, findFactory } from "./factories.ts";
import { preconditionOf, preconditionOnFile, requireKeptHere } from "./kept-here.ts";
import { pageOf } from "./page.ts";

/** The files of definitions: read wherever they are kept, and changed where millrace keeps them. */
export function fileEditEndpoints({ factories, cursors }: FactoryParts): Endpoints {
  /** @returns whether something was new */
  async function edit(
    request: ApiRequest,
    factory: Factory,
    change: (current: Editable) => Edits | undefined,
  ): Promise<boolean> {
    let isNew = false;
    await factories.edit(factory.record.uid, {
      principal: keyOf(request).principal,
      change(current) {
        const edits = change(current);
        isNew = edits?.files.some(({ path }) => !findEntry(current.tree, path)) ?? false;
        return edits;
      },
    });
    return isNew;
  }

  async function automationOf(factory: Factory, name: string) {
    const found = factory.served && findAutomation(name, factory.served);
    if (found) return automationReply(found, factory, factories);
    throw new MillraceError("resource_not_found", `The automation "${name}" has been deleted meanwhile.`);
  }

  return {
    putAutomation: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name = "" } = request.path;
        const place = pathOfAutomation(name, factory.served ?? { resources: [] });
        requireKeptHere(factory, { verb: "Change", path: place });
        const check = preconditionOf(request);
        const content = Buffer.from(request.body.content);
        const isNew = await edit(request, factory, (current) =>
          changeFiles([{ path: pathOfAutomation(name, current.served), content, check }], undefined, current),
        );
        return { status: isNew ? 201 : 200, ...(await automationOf(factory, name)) };
      },
    },
    deleteAutomation: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name = "" } = request.path;
        const place = pathOfAutomation(name, factory.served ?? { resources: [] });
        requireKeptHere(factory, { verb: "Delete", path: place });
        const check = preconditionOf(request);
        await edit(request, factory, (current) => deleteAutomation(name, check, current));
        return { status: 204 };
      },
    },
    listFiles: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { entries } = await factories.inForce(factory.record.uid);
        const files = definitionEntries(entries);
        const { items, pageInfo } = pageOf(files, ({ path }) => path, request, cursors);
        return { json: { files: items.map(fileView), page_info: pageInfo } };
      },
    },
    getFile: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const tree = await factories.inForce(factory.record.uid);
        const entry = fileOf(request.path.path ?? "", tree, factory.record.name);
        if (!isPartOfDefinition(entry.path)) throw noPart(entry.path);
        const bytes = (await tree.read([entry])).get(entry.id) ?? Buffer.alloc(0);
        return { json: { ...fileView(entry), ...contentView(bytes) }, etag: fileTag(entry) };
      },
    },
    changeFiles: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { message, files: asked, allow_deletes } = request.body;
        const changes: FileChange[] = asked.map(changeOf);
        for (const { path } of changes) requireKeptHere(factory, { verb: "Change", path });
        const isGuarded = allow_deletes !== true;
        await edit(request, factory, (current) => {
          const edits = changeFiles(changes, message, current);
          return edits && { ...edits, isGuarded };
        });
        const tree = await factories.inForce(factory.record.uid);
        const written = changes.flatMap(({ path }) => findEntry(tree, path) ?? []);
        return { json: { revision: tree.revision.id, files: written.map(fileView) } };
      },
    },
    putFile: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { path = "" } = request.path;
        requireKeptHere(factory, { verb: "Change", path });
        const { content, executable } = fileIn(request.body);
        const file = { path, content, ...executable, check: preconditionOf(request) };
        const isNew = await edit(request, factory, (current) => changeFiles([file], undefined, current));
        const entry = fileOf(path, await factories.inForce(factory.record.uid), factory.record.name);
        return { status: isNew ? 201 : 200, json: fileView(entry), etag: fileTag(entry) };
      },
    },
    deleteFile: {
      role: "admin",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { path = "" } = request.path;
        requireKeptHere(factory, { verb: "Delete", path });
        const check = preconditionOf(request);
        await edit(request, factory, (current) =>
          changeFiles([{ path, content: null, check }], undefined, current),
        );
        return { status: 204 };
      },
    },
  };
}

function fileIn({ content, encoding, executable }: ApiRequest["body"]) {
  return {
    content: Buffer.from(content, encoding === "base64" ? "base64" : "utf8"),
    executable: executable === undefined ? {} : { executable },
  };
}

function changeOf(asked: ApiRequest["body"]): FileChange {
  const { path, content, etag } = asked;
  const check = preconditionOnFile(path, etag);
  if (content === null) return { path, content, check };
  const file = fileIn(asked);
  return { path, content: file.content, ...file.executable, check };
}

function fileView(entry: TreeEntry) {
  const { path, size, executable = false } = entry;
  return { path, size, executable, etag: fileTag(entry) };
}

function contentView(bytes: Buffer) {
  return isUtf8(bytes)
    ? { encoding: "utf-8", content: bytes.toString() }
    : { encoding: "base64", content: bytes.toString("base64") };
}

function noPart(path: string): MillraceError {
  return new MillraceError("resource_not_found", `${path} is no part of the definition.`);
}
