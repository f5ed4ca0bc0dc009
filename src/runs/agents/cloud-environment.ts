import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import type { RepositoryReference } from "../../definitions/definition.ts";
import type { Principal } from "../../principals/principal.ts";

/** What someone may say of an environment; its name is unique on the server. */
export interface EnvironmentConfig {
  name: string;
  description: string | null;
  /** Nothing for the image that the server takes by itself. */
  dockerImage: string | null;
  repositories: RepositoryReference[];
  /** Shell commands, in their order. */
  setupCommands: string[];
  /** Whether what they make is kept for later workspaces; nothing where they are unless they see secrets. */
  cacheSetup: boolean | null;
  /** Names of managed secrets. */
  secrets: string[];
}

/** The place that a run works in: an image, the repositories in it and what prepares them. It belongs to the team. */
export interface CloudEnvironment {
  uid: string;
  config: EnvironmentConfig;
  creator: Principal;
  lastEditor: Principal;
  createdAt: string;
  updatedAt: string;
}

/** Keeps environments. `find` and `list` read, the rest writes; each call is one transaction. */
export interface EnvironmentStore {
  list(): Promise<CloudEnvironment[]>;
  find(uid: string): Promise<CloudEnvironment | undefined>;
  /** @returns whether it was made; nothing is written when another one has its name */
  create(environment: CloudEnvironment): Promise<boolean>;
  /** @returns the environment as it is now, or nothing when there is none; unchanged when another one has the name */
  update(
    uid: string,
    edit: { config: EnvironmentConfig; editor: Principal; at: string; expected?: ExpectedTags },
  ): Promise<CloudEnvironment | "name_taken" | "changed" | undefined>;
  /** @returns whether there was one, or `changed` when it is none of the states that are expected */
  remove(uid: string, expected?: ExpectedTags): Promise<boolean | "changed">;
}
