// What the ingress is measured against: an Express 5 app with one route that answers 202 and does nothing.
import express from "express";

const app = express();
app.post("/webhooks/w/:uid", (_request, response) => {
  response.sendStatus(202);
});
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`);
});
