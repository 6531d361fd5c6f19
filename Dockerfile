# syntax=docker/dockerfile:1

# A digest comes with SEXTANT_NODE_IMAGE in .env (deploy/pin-images.sh), through compose or --build-arg.
ARG NODE_IMAGE=node:26-slim

# Exactly what runs: the packages of the lock file, without those for development and without the Node that npm brings
# along for checkouts. No package may run a script of its own (.npmrc).
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

# The build (scripts/build.ts). Of the packages for development nothing is taken over.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY scripts/build.ts ./scripts/
COPY src ./src
RUN npm run build

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Sextant" \
      org.opencontainers.image.description="Security intelligence over REST and MCP" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY starter ./starter
COPY --from=build /app/dist ./dist
# A volume takes its owner from here. Nothing but it is ever written.
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production \
    NODE_DISABLE_COMPILE_CACHE=1 \
    SEXTANT_HOST=0.0.0.0 \
    SEXTANT_PORT=8080 \
    SEXTANT_DATA_DIR=/data
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SEXTANT_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/sextant.js"]
CMD ["serve"]
