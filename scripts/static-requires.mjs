// The driver of SQLite is chosen when it is loaded (src/store/sqlite/better-sqlite.ts). A bundler has to see both choices.
const MADE = "const require = createRequire(import.meta.url);";

/** A plugin of rolldown that leaves the calls of `require` in that module to the bundler. */
export const staticRequires = {
  name: "static-requires",
  transform(code, id) {
    if (!id.endsWith("/store/sqlite/better-sqlite.js")) return undefined;
    if (!code.includes(MADE))
      throw new Error(`${id} does not create its require function as expected: ${MADE}`);
    return code.replace(MADE, "");
  },
};
