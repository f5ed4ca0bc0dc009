# Two stages: one with all that builds, one with what runs. docs/deploying.md tells how it is started.
ARG NODE=24
FROM docker.io/library/node:${NODE}-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/sqlite-addon.cjs scripts/
# Of all packages, the SQLite driver alone may have something to compile: for Node 20, with the headers of this Node.
RUN npm ci --ignore-scripts --no-audit --no-fund && node scripts/sqlite-addon.cjs
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY schemas schemas
COPY examples examples
COPY dashboard dashboard
COPY docs docs
RUN node scripts/emit.mjs dist && node scripts/generate.mjs dist && node scripts/bundle.mjs dist && node scripts/build-dashboard.mjs \
    && npm prune --omit=dev --ignore-scripts && chmod 755 dist/main.js
# The sources come without their repository: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN COMMIT=$COMMIT node scripts/build-info.mjs > dist/build.json

FROM docker.io/library/node:${NODE}-bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends git openssh-client ca-certificates tini bubblewrap socat uidmap \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/schemas schemas
COPY examples examples
COPY --from=build /build/docs docs
# A volume that is made for it belongs to the user that serves.
# Its subordinate ids are for the users of runs.
RUN ln -s /app/dist/main.js /usr/local/bin/millrace && mkdir --mode=700 /data && chown node:node /data \
    && echo node:1001:60000 > /etc/subuid && echo node:1001:60000 > /etc/subgid
USER node
ENV NODE_ENV=production MILLRACE_DATA_DIR=/data MILLRACE_LISTEN=0.0.0.0:8787
VOLUME /data
EXPOSE 8787
# The time to stop in order is MILLRACE_DRAIN_TIMEOUT and 15 seconds: docker stop --time 35, or what compose.yaml says.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# In a user namespace with these ids, each run has a user of its own (docs/isolation.md, Users). Where the engine does not
# allow it, the program starts without.
ENTRYPOINT ["tini", "--", "/bin/sh", "-c", "own='unshare --user --map-root-user --map-users=auto --map-groups=auto -- setpriv --no-new-privs'; $own true 2> /dev/null || own=; exec $own millrace \"$@\"", "millrace"]
CMD ["serve"]
