import { isAnother } from "../../concurrency/record-tag.ts";
import type { CloudEnvironment, EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import type { Database } from "../sqlite/database.ts";

interface EnvironmentRow {
  uid: string;
  name: string;
  description: string | null;
  docker_image: string | null;
  repositories: string;
  setup_commands: string;
  cache_setup: number | null;
  secrets: string;
  creator: string;
  last_editor: string;
  created_at: string;
  updated_at: string;
}

const SELECT = `
  SELECT uid, name, description, docker_image, repositories, setup_commands, cache_setup, secrets, creator, last_editor,
         created_at, updated_at
  FROM environments`;

export function environmentStore(db: Database): EnvironmentStore {
  const find = async (uid: string) => {
    const row = await db.first<EnvironmentRow>(`${SELECT} WHERE uid = $1`, [uid]);
    return row && toEnvironment(row);
  };

  return {
    async list() {
      return (await db.all<EnvironmentRow>(`${SELECT} ORDER BY name`)).map(toEnvironment);
    },
    find,
    async create({ uid, config, creator, lastEditor, createdAt, updatedAt }) {
      const created = await db.run(
        `INSERT INTO environments (uid, name, description, docker_image, repositories, setup_commands, secrets, creator,
           last_editor, created_at, updated_at, cache_setup)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (name) DO NOTHING`,
        [
          uid,
          config.name,
          config.description,
          config.dockerImage,
          JSON.stringify(config.repositories),
          JSON.stringify(config.setupCommands),
          JSON.stringify(config.secrets),
          JSON.stringify(creator),
          JSON.stringify(lastEditor),
          createdAt,
          updatedAt,
          stored(config.cacheSetup),
        ],
      );
      return created > 0;
    },
    async update(uid, { config, editor, at, expected }) {
      const before = await find(uid);
      if (before && isAnother(before, expected)) return "changed";
      const others = "SELECT uid FROM environments WHERE name = $1 AND uid <> $2";
      if (before && (await db.first(others, [config.name, uid]))) return "name_taken";
      await db.run(
        `UPDATE environments
         SET name = $1, description = $2, docker_image = $3, repositories = $4, setup_commands = $5, secrets = $6,
             last_editor = $7, updated_at = $8, cache_setup = $9
         WHERE uid = $10`,
        [
          config.name,
          config.description,
          config.dockerImage,
          JSON.stringify(config.repositories),
          JSON.stringify(config.setupCommands),
          JSON.stringify(config.secrets),
          JSON.stringify(editor),
          at,
          stored(config.cacheSetup),
          uid,
        ],
      );
      return find(uid);
    },
    async remove(uid, expected) {
      const before = await find(uid);
      if (before && isAnother(before, expected)) return "changed";
      return (await db.run("DELETE FROM environments WHERE uid = $1", [uid])) > 0;
    },
  };
}

const stored = (value: boolean | null) => (value === null ? null : Number(value));

function toEnvironment(row: EnvironmentRow): CloudEnvironment {
  return {
    uid: row.uid,
    config: {
      name: row.name,
      description: row.description,
      dockerImage: row.docker_image,
      repositories: JSON.parse(row.repositories),
      setupCommands: JSON.parse(row.setup_commands),
      cacheSetup: row.cache_setup === null ? null : row.cache_setup === 1,
      secrets: JSON.parse(row.secrets),
    },
    creator: JSON.parse(row.creator),
    lastEditor: JSON.parse(row.last_editor),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
