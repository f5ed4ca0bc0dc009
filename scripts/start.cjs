"use strict";
// `npm start`: set up, then serve examples/quickstart. What follows `npm start --` goes to `millrace quickstart`.
const { spawn } = require("child_process");
const path = require("path");
const { root, setUp } = require("./setup.cjs");

setUp();
const server = spawn(
  process.execPath,
  [path.join(root, "dist", "main.js"), "quickstart", ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
// A terminal sends Ctrl-C to both processes; only the server decides when to leave.
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => signal === "SIGTERM" && server.kill(signal));
server.on("exit", (code, signal) => process.exit(signal ? 1 : code));
