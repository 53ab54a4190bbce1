import { expect, test } from "vitest";
import { SECRETS, Settings } from "./env.ts";
import { findMistaken } from "./mistaken-settings.ts";

test.each([
  ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
  ["MAIL_FORM", "MAIL_FROM"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["DATABASE_URI_FILE", "DATABASE_URL_FILE"],
  ["CHAIN_RPC_URL", "CHAIN_RPC_URLS"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["NODE_EVN", "NODE_ENV"],
  ["Public_Url", "PUBLIC_URL"],
])("warns that %s has no effect, and suggests %s", (name, meant) => {
  expect(findMistaken({ [name]: "value" })).toEqual([
    `${name} is no setting and has no effect. Did you mean ${meant}?`,
  ]);
});

test("warns that a setting that is not secret cannot come from a file", () => {
  expect(findMistaken({ PUBLIC_URL_FILE: "/run/secrets/public-url" })).toEqual([
    "PUBLIC_URL_FILE has no effect: PUBLIC_URL is no secret, and cannot come from a file.",
  ]);
});

test("warns that quotation marks around a token are part of it", () => {
  expect(findMistaken({ METRICS_TOKEN: '"a-token-of-the-metrics"', MAIL_FROM: '"Nodebeat" <a@b.example>' })).toEqual([
    "METRICS_TOKEN is in quotation marks, which are part of it. `docker run --env-file` keeps them.",
  ]);
});

test("warns neither about valid settings nor about variables of other programs", () => {
  const known = ["NODE_ENV", ...Object.keys(Settings.shape), ...SECRETS.map((name) => `${name}_FILE`)];
  // From Kubernetes, the node client, OpenTelemetry, npm and other programs.
  const others = [
    "NODEBEAT_PORT",
    "NODEBEAT_SERVICE_HOST",
    "NODEBEAT_URL",
    "NODEBEAT_KEY",
    "NODEBEAT_EMAIL",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "APP_URL",
    "DATABASE_PORT",
    "SUPABASE_KEY",
    "HOSTNAME",
    "npm_config_loglevel",
    "npm_package_name",
  ];
  expect(findMistaken(Object.fromEntries([...known, ...others].map((name) => [name, "value"])))).toEqual([]);
  expect(findMistaken({ TRUSTED_PROXY: " " })).toEqual([]);
});
