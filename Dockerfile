# Two stages: one with a compiler for the SQLite addon, one with what runs.
FROM node:22-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY schemas schemas
COPY dashboard dashboard
RUN npx tsc -p tsconfig.build.json && node scripts/bundle.mjs && node scripts/build-dashboard.mjs && npm prune --omit=dev

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git openssh-client ca-certificates tini bubblewrap \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY schemas schemas
COPY examples examples
COPY docs/errors docs/errors
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production MILLRACE_DATA_DIR=/data MILLRACE_LISTEN=0.0.0.0:8787
VOLUME /data
EXPOSE 8787
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/app/dist/main.js"]
CMD ["serve"]
