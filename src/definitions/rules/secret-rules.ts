import type { Loaded } from "../loading/loaded.ts";
import type { Problem, Severity } from "../problem.ts";
import { type Level, levels, missing, type Named, whereWritten } from "./reference-rules.ts";

/** How it is said of a secret that it is not there. */
interface Wording {
  says(name: string): string;
  severity: Severity;
}

/** Every secret that agents are granted, that is the key of their harness or that pulls their image, where it is written first. */
export function agentSecretsExist(
  loaded: Loaded,
  isThere: (name: string) => boolean,
  { says, severity }: Wording,
): Problem[] {
  const named = [...grantedSecrets(loaded), ...harnessKeys(loaded), ...registryCredentials(loaded)];
  return missing(named, isThere, loaded, says, severity);
}

function grantedSecrets(loaded: Loaded): Named[] {
  return [...ofFactory(loaded), ...levels(loaded).flatMap((level) => ofLevel(level, loaded))];
}

/** The secrets that an agent or an automation gets, where they are written. */
export function grantedTo(level: Level, loaded: Loaded): Named[] {
  return [...ofFactory(loaded), ...ofLevel(level, loaded)];
}

function ofFactory(loaded: Loaded): Named[] {
  const factory = loaded.definition?.factory;
  return (factory?.secrets ?? []).map((name, index): Named => {
    return { name, written: { path: factory?.path ?? "", at: ["secrets", index] } };
  });
}

function ofLevel(level: Level, loaded: Loaded): Named[] {
  return level.of.execution.secrets.map((name): Named => {
    const holds = (value: unknown) =>
      Array.isArray(value) && value.includes(name) ? [value.indexOf(name)] : undefined;
    return { name, written: whereWritten(level, ["secrets"], holds, loaded) };
  });
}

function harnessKeys(loaded: Loaded): Named[] {
  return levels(loaded).flatMap((level): Named[] => {
    const { auth } = level.of.execution.harness;
    if (auth?.source !== "managedSecret") return [];
    const name = auth.secretName;
    const isIt = (value: unknown) => (value === name ? [] : undefined);
    return [{ name, written: whereWritten(level, ["harness", "auth", "secretName"], isIt, loaded) }];
  });
}

function registryCredentials({ definition }: Loaded): Named[] {
  return (definition?.runners ?? []).flatMap(({ path, registryCredentialSecretName: name }): Named[] => {
    const at = ["platform", "linux", "registryCredentialSecretName"];
    return name === undefined ? [] : [{ name, written: { path, at } }];
  });
}
