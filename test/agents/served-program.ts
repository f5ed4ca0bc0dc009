import { join } from "node:path";
import { expect } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { type Files, folderWith } from "../given/folder.ts";
import { KEY, presetOf } from "./presets.ts";
import { PROGRAMS } from "./programs.ts";
import { type AskedModel, type ModelAnswer, scriptedModel } from "./scripted-model.ts";

interface Served {
  files: Files;
  /** The program of agents that run by the harness `command`, as JavaScript. */
  agent?: string;
  env?: Record<string, string>;
  /** Secrets that the definition names beside the key. */
  secrets?: Record<string, string>;
  /** What the program is started with beside what the preset needs. */
  environment?: Record<string, string>;
  /** Where the programs find the model, when that is not its own address. */
  at?(url: string): Promise<string>;
  /** What the rows of the programs say beside what their presets need. */
  row?: (url: string) => object;
  /** What the server is started with. */
  wrapper?: string[];
}

/** A server of a definition whose agents run by a preset, with the real program, and a model that answers by a script. */
export function serverWithProgram(name: string, script: (asked: AskedModel) => ModelAnswer, served: Served) {
  return serverWithPrograms([name], script, served);
}

/** The same with several of the programs, whose model is one. */
export async function serverWithPrograms(
  names: readonly string[],
  script: (asked: AskedModel) => ModelAnswer,
  { files, agent = "", env = {}, secrets = {}, environment, at, row, wrapper = [] }: Served,
) {
  const model = await scriptedModel(script);
  const url = (await at?.(model.url)) ?? model.url;
  const harnesses = Object.fromEntries(
    names.map((name) => [name, { ...presetOf(name).settings(url, environment), ...row?.(url) }]),
  );
  const given = await serverWithAgent(agent, {
    files,
    wrapper,
    args: ["--config", join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml")],
    env: { PATH: `${PROGRAMS}:${process.env.PATH}`, ...env },
  });
  const { story } = given;
  const keys = Object.fromEntries(names.map((name) => [presetOf(name).secret, KEY]));
  for (const [name, value] of Object.entries({ ...secrets, ...keys })) await story.setSecret(name, value);
  // A definition comes into force when the secrets that it names are there.
  const { problems } = (await story.sync()).sync;
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return { ...given, model };
}
