// The yardstick of a queue on PostgreSQL: an Express server that adds a job to graphile-worker for every POST, and answers 202
// when that is committed. BENCH_GRAPHILE_WORKER is the folder in which `npm install graphile-worker@0.16` was run.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import express from "express";

const installed = createRequire(join(process.env.BENCH_GRAPHILE_WORKER, "package.json"));
const { makeWorkerUtils } = installed("graphile-worker");
const utils = await makeWorkerUtils({ connectionString: process.env.BENCH_DATABASE, maxPoolSize: 10 });
await utils.migrate();

const app = express();
app.post("/webhooks/w/:uid", express.raw({ type: () => true }), async (request, response) => {
  // The same delivery twice is one job, as it is one run here.
  const jobKey = createHash("sha256").update(request.body).digest("hex");
  await utils.addJob("run", JSON.parse(request.body), { jobKey, jobKeyMode: "unsafe_dedupe" });
  response.sendStatus(202);
});
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`);
});
