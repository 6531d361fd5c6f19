# syntax=docker/dockerfile:1

# Digests come with SEXTANT_NODE_IMAGE and SEXTANT_BASE_IMAGE in .env (deploy/pin-images.sh), through compose or --build-arg.
ARG NODE_IMAGE=node:26-slim
ARG BASE_IMAGE=gcr.io/distroless/nodejs26-debian13:nonroot

# The package that npm has (scripts/package.ts). It is the same for every processor, so it is made on that of the builder, and nothing
# runs in an emulation. No package may run a script of its own (.npmrc).
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY LICENSE README.md ./
COPY bin ./bin
COPY scripts ./scripts
COPY src ./src
COPY starter ./starter
RUN npm run package && mkdir /build/data

# Node and its libraries: no shell, no package manager (docs/decisions/035-image.md).
FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Sextant" \
      org.opencontainers.image.description="Security intelligence over REST and MCP" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /build/dist-package ./
# A volume takes its owner from here. Nothing but it is ever written.
COPY --from=build --chown=1000:1000 /build/data /data
ENV PATH=/nodejs/bin \
    NODE_ENV=production \
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
# Both are named again: the base image has an entry point of its own.
ENTRYPOINT ["node", "/app/bin/sextant.js"]
CMD ["serve"]
