"use strict";
// `npm start`: set up what serving needs, then serve examples/quickstart or another example, while the dashboard is built where it is not.
// What follows `npm start --` goes to `millrace quickstart`.
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const { root, setUpToServe, isDashboardBuilt, say } = require("./setup.cjs");

setUpToServe();
const builder = isDashboardBuilt() ? undefined : buildDashboard();
const server = spawn(
  process.execPath,
  [path.join(root, "dist", "main.js"), "quickstart", ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
// A terminal sends Ctrl-C to all processes; only the server decides when to leave.
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => signal === "SIGTERM" && server.kill(signal));
server.on("exit", (code, signal) => {
  if (builder) builder.kill();
  process.exit(signal ? 1 : code);
});

function buildDashboard() {
  const start = Date.now();
  // That of an older commit would be replaced while the server reads it.
  fs.rmSync(path.join(root, "dist", "dashboard"), { recursive: true, force: true });
  say(
    "Building the dashboard in the background (about 30 seconds on an idle machine). Its page reloads until it is ready.",
  );
  const child = spawn(process.execPath, [path.join(__dirname, "build-dashboard-later.cjs")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  // The server's page tells from it what it waits for (src/api/http/dashboard-files.ts).
  fs.writeFileSync(path.join(root, "dist", ".dashboard-building"), String(child.pid));
  let output = "";
  child.stderr.on("data", (text) => {
    output += text;
  });
  child.on("close", (code, signal) => {
    if (code === 0) say("Built the dashboard (" + Math.round((Date.now() - start) / 1000) + " s).");
    else if (!signal) say("The dashboard could not be built. Run `npm run build` to retry.\n" + output);
  });
  return child;
}
