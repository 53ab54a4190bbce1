# syntax=docker/dockerfile:1

# If Docker Hub cannot be reached, name the image in your own registry.
ARG NODE_IMAGE=docker.io/library/node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/boot/shorten-exports.mjs server/boot/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /nodebeat
COPY package.json package-lock.json .npmrc ./
COPY server/boot/shorten-exports.mjs server/boot/
# Writes the list of packages in the image before removing anything. The image has its own Node, so the one that the
# dependencies bring for hosts with an older Node is dead weight. So are the tests' chain, TypeScript, types and maps.
RUN npm ci --omit=dev --no-audit --no-fund \
  && npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx --sbom-type=application > sbom.cdx.json \
  && cd node_modules \
  && rm -rf .bin .package-lock.json node-linux-* @foundry-rs typescript @typescript @types \
  && find . -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete

FROM ${NODE_IMAGE}
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Nodebeat" \
  org.opencontainers.image.description="The web application of a community-node network: points, referrals, rewards and identity." \
  org.opencontainers.image.revision="${REVISION}"
# HOST: to be reachable from outside the container. NODE_ENV: without a required setting, it must not start as a demo.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /nodebeat/node_modules node_modules
COPY --from=build /app/build build
COPY --from=dependencies /nodebeat/sbom.cdx.json ./
COPY package.json brand.ts ./
COPY server server
COPY node node
# By number, so that `runAsNonRoot` can check it. Everything above belongs to root and is never written.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/index.ts"]
