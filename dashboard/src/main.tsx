import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BASE } from "./api/base.ts";
import { whoamiQuery } from "./api/queries.ts";
import { queryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import { applyAppearance } from "./frame/appearance.ts";
import { loadPage } from "./routes.tsx";

applyAppearance();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
// Who is there and the page of the address are asked for at once, rather than one after the other.
await Promise.allSettled([
  queryClient.prefetchQuery(whoamiQuery),
  loadPage(location.pathname.slice(BASE.length)),
]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
