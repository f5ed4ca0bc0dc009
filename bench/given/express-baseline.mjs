// The baseline of the ingress: as little as an Express server can do for a POST.
import express from "express";

const app = express();
app.post("/webhooks/w/:uid", (_request, response) => {
  response.sendStatus(202);
});
const server = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`);
});
