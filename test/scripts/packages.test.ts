import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, { version: string; dependencies?: Record<string, string>; dev?: boolean }>;
}
interface Packages {
  servingPackages(): string[];
  dashboardPackages(): string[];
  areInstalled(names?: string[]): boolean;
  partOf(own: Manifest, lock: Lock, names: string[]): { manifest: Manifest; lock: Lock };
}

const { servingPackages, dashboardPackages, areInstalled, partOf }: Packages = createRequire(import.meta.url)(
  "../../scripts/packages.cjs",
);
const json = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));
const own: Manifest = json("package.json");
const lock: Lock = json("package-lock.json");

describe("the part of the lock file that serving needs", () => {
  const part = partOf(own, lock, servingPackages());
  const keys = Object.keys(part.lock.packages);

  test("has every production package and the bundler, and nothing that only tests or the dashboard need", () => {
    for (const name of [...Object.keys(own.dependencies), "rolldown"])
      expect(keys).toContain(`node_modules/${name}`);
    for (const name of ["typescript", "vite", "vitest", "react", "playwright-core", "@biomejs/biome"])
      expect(keys).not.toContain(`node_modules/${name}`);
    expect(keys.length).toBeLessThan(Object.keys(lock.packages).length * 0.6);
  });

  test("has all that its packages need, in the versions of the whole", () => {
    for (const [key, entry] of Object.entries(part.lock.packages)) {
      if (key === "") continue;
      expect(entry).toEqual({ ...lock.packages[key], dev: undefined });
      for (const name of Object.keys(entry.dependencies ?? {}))
        expect(
          keys.some((other) => other.endsWith(`node_modules/${name}`)),
          `${name} for ${key}`,
        ).toBe(true);
    }
  });

  test("belongs to a package.json that npm accepts with it", () => {
    expect(part.lock.packages[""]).toEqual(part.manifest);
    expect(part.manifest.dependencies).toEqual({
      ...own.dependencies,
      rolldown: own.devDependencies?.rolldown,
    });
    expect(part.manifest.optionalDependencies).toEqual(own.optionalDependencies);
  });
});

test("the dashboard is built with the packages that its files and its build import", () => {
  expect(dashboardPackages()).toEqual(
    expect.arrayContaining([
      "vite",
      "@vitejs/plugin-react",
      "react",
      "react-dom",
      "@codemirror/view",
      "yaml",
    ]),
  );
  expect(dashboardPackages()).not.toContain("vitest");
});

test("what npm ci has installed is known from npm's own record, in whole and in part", () => {
  expect(areInstalled()).toBe(true);
  expect(areInstalled(dashboardPackages())).toBe(true);
});
