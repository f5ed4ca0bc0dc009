import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where the server listens that `npm run dev:dashboard` is worked against. */
const SERVER = process.env.MILLRACE_SERVER ?? "http://127.0.0.1:8787";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  // Files find each other wherever they are; the paths of the page are for the server to change.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    target: "es2022",
    // Data URLs are not of this server, which the policy of the page asks for.
    assetsInlineLimit: 0,
    // The editor with its languages is large, and loaded by who writes something.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": SERVER, "/session": SERVER } },
});
