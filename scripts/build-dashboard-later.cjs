"use strict";
// The part of `npm start` that runs while the server serves already: builds the dashboard, and gives way to all other work.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { root, setUpDashboard } = require("./setup.cjs");

os.setPriority(os.constants.priority.PRIORITY_LOW);
// Where this process is killed, the file stays, and names a process that does not run.
process.on("exit", () => fs.rmSync(path.join(root, "dist", ".dashboard-building"), { force: true }));
setUpDashboard();
