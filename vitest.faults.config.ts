import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { everyTest, SHARED_SERVERS } from "./vitest.config.ts";

/** A piece of a source file, and what stands in its place; it comes from scripts/test-faults.mjs. */
interface Fault {
  path: string;
  start: number;
  end: number;
  text: string;
}

/** Changes one file as it is loaded, so that nothing on the disk is touched. */
function planted({ path, start, end, text }: Fault): Plugin {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return {
    name: "planted-fault",
    enforce: "pre",
    load(id) {
      if (id.split("?")[0] !== file) return undefined;
      const source = readFileSync(file, "utf8");
      return source.slice(0, start) + text + source.slice(end);
    },
  };
}

const fault = process.env.PLANTED_FAULT;

/** `npm run test:faults`: some test files with one fault in a source file. They end with the first test that fails. */
export default defineConfig({
  plugins: fault ? [planted(JSON.parse(fault))] : [],
  test: {
    ...everyTest,
    globalSetup: ["test/given/build.ts"],
    execArgv: ["--import", new URL("test/given/planted-fault.mjs", import.meta.url).href],
    include: ["test/**/*.{test,system}.ts"],
    env: SHARED_SERVERS,
    maxWorkers: 1,
    bail: fault ? 1 : 0,
  },
});
