import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readEnv, SECRETS, Settings } from "../../server/env.ts";

/**
 * How many seconds a process may take to end after the grace period: 15 for work under way, and a few for the database.
 */
const AFTER_GRACE = 20;

const require = createRequire(import.meta.url);
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const names = new Set([...Object.keys(Settings.shape), ...SECRETS.map((name) => `${name}_FILE`), "NODE_ENV"]);

type Compose = {
  services: Record<string, Part> & { proxy: Part & { ports: string[] } };
  networks: { inside: { internal: boolean; ipam: { config: { subnet: string }[] } } };
  secrets: Record<string, { file: string }>;
};
type Part = {
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  networks?: string[];
  secrets?: string[];
  stop_grace_period?: string;
};

const guide = read("docs/operations.md");
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as Compose;
const ours = ["web-1", "web-2", "worker"].map((name) => compose.services[name] ?? {});

const manifests = parseAllDocuments(read("deploy/kubernetes.yaml")).map(
  (document) => document.toJS() as { kind: string; data?: Record<string, string>; stringData?: Record<string, string> },
);
const find = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = find("Deployment") as unknown as IDeployment[];

test("compose.yaml is valid by the Compose schema", () => {
  const dclint = require.resolve("dclint/package.json");
  const file = new URL("schemas/compose.schema.json", `file://${dclint}`);
  // It names its draft by an address that does not exist.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
  expect(validate({ ...compose, service: {} })).toBe(false);
});

test("compose.yaml uses only known settings, and the server starts with them", () => {
  for (const { environment = {} } of ours) {
    expect(Object.keys(environment).filter((name) => !names.has(name))).toEqual([]);
    const { DATABASE_URL_FILE: _, SESSION_SECRET_FILE: __, SMTP_URL_FILE: ___, ...rest } = environment;
    const given = { ...rest, PUBLIC_URL: "https://nodebeat.example", MAIL_FROM: "hello@nodebeat.example" };
    expect(readEnv({ ...given, ...KEPT }).mode).toBe("production");
  }
});

test("compose.yaml waits for a process to end, mounts its secrets and trusts its proxy", () => {
  for (const { environment, secrets = [], stop_grace_period: patience = "" } of ours) {
    expect(parseInt(patience)).toBeGreaterThanOrEqual(Number(environment?.SHUTDOWN_GRACE_SECONDS) + AFTER_GRACE);
    expect(environment?.TRUSTED_PROXIES).toBe(compose.networks.inside.ipam.config[0]?.subnet);
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    const paths = Object.values(environment ?? {}).filter((value) => value.startsWith("/run/secrets/"));
    expect(paths).toEqual(secrets.map((name) => `/run/secrets/${name}`));
  }
});

test("the guide's docker run command waits for a process to end", () => {
  const given = { ...KEPT, PUBLIC_URL: "https://nodebeat.example", MAIL_FROM: "hello@nodebeat.example" };
  const needed = readEnv(given).shutdownGraceSeconds + AFTER_GRACE;
  expect(Number(guide.match(/docker run .*--stop-timeout (\d+)/)?.[1])).toBeGreaterThanOrEqual(needed);
});

test("the guide writes every variable that compose.yaml requires to .env", () => {
  const needed = Array.from(read("deploy/compose.yaml").matchAll(/\$\{(\w+):\?/g), ([, name = ""]) => name);
  const kept = Array.from(guide.matchAll(/^echo '(\w+)=.*' >>? \.env$/gm), ([, name = ""]) => name);
  expect(kept).toEqual(needed);
});

test("the secrets of compose.yaml get into no commit and no image", () => {
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
  expect(read(".gitignore").split("\n")).toContain("deploy/secrets/");
  expect(read(".dockerignore").split("\n")).toContain("deploy");
});

test("compose.yaml checks readiness, and the guide's restart waits for it", () => {
  const port = read("Dockerfile").match(/PORT=(\d+)/)?.[1];
  for (const { healthcheck } of ours) expect(healthcheck?.test.join(" ")).toContain(`http://127.0.0.1:${port}/readyz`);
  const restart = guide.match(/docker compose up (.*) web-1/)?.[1];
  expect(restart?.split(" ")).toEqual(expect.arrayContaining(["--wait", "--no-deps", "--force-recreate"]));
});

test("compose.yaml connects the proxy, the processes and the database only by the trusted network", () => {
  const { database, proxy } = compose.services;
  expect(compose.networks.inside.internal).toBe(true);
  for (const { networks } of ours) {
    for (const other of [proxy, database])
      expect(networks?.filter((name) => other?.networks?.includes(name))).toEqual(["inside"]);
    // Mail and chain are outside the internal network.
    expect(networks).toContain("outside");
  }
  // An internal network publishes no ports.
  expect(proxy.networks?.filter((name) => name !== "inside")).toHaveLength(1);
});

test("compose.yaml and haproxy.cfg agree on ports, processes and the certificate", () => {
  const preset = new Map(
    Array.from(read("deploy/haproxy.cfg").matchAll(/^ {2}presetenv (\S+) (\S+)$/gm), ([, name, value]) => [
      name,
      value,
    ]),
  );
  expect(compose.services.proxy.ports).toEqual([`80:${preset.get("HTTP_PORT")}`, `443:${preset.get("HTTPS_PORT")}`]);
  const port = read("Dockerfile").match(/PORT=(\d+)/)?.[1];
  expect([preset.get("WEB_1"), preset.get("WEB_2")]).toEqual([`web-1:${port}`, `web-2:${port}`]);
  const [secret] = compose.services.proxy.secrets ?? [];
  expect(preset.get("CERTIFICATE")).toBe(`/run/secrets/${secret}`);
});

test("kubernetes.yaml contains valid Kubernetes manifests", () => {
  const kinds = { ConfigMap, Secret, Deployment, Service, PodDisruptionBudget };
  for (const manifest of manifests) new kinds[manifest.kind as keyof typeof kinds](manifest).validate();
  const found = manifests.map(({ kind }) => kind);
  expect(found).toEqual(["ConfigMap", "Secret", "Deployment", "Deployment", "Service", "PodDisruptionBudget"]);
});

test("the server starts with the settings of kubernetes.yaml only after its secrets are replaced", () => {
  const given = { ...find("ConfigMap")[0]?.data, ...find("Secret")[0]?.stringData };
  for (const { spec } of deployments) {
    const env = spec?.template.spec?.containers[0]?.env ?? [];
    const own = Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
    const all = { ...given, ...own, NODE_ENV: "production" };
    expect(Object.keys(all).filter((name) => !names.has(name))).toEqual([]);
    expect(() => readEnv(all)).toThrow("SESSION_SECRET is weak");
    expect(readEnv({ ...all, SESSION_SECRET: KEPT.SESSION_SECRET }).role).toBe(own.NODEBEAT_ROLE);
  }
});

test("kubernetes.yaml probes existing endpoints, runs as the image's user and waits for a process to end", () => {
  const grace = Number(find("ConfigMap")[0]?.data?.SHUTDOWN_GRACE_SECONDS);
  const health = read("server/http/health.ts");
  const port = Number(read("Dockerfile").match(/PORT=(\d+)/)?.[1]);
  const user = Number(read("Dockerfile").match(/^USER (\d+)/m)?.[1]);
  for (const { spec } of deployments) {
    const pod = spec?.template.spec;
    const [container] = pod?.containers ?? [];
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    for (const probe of probes) expect(health).toContain(`app.all("${probe?.httpGet?.path}"`);
    expect(container?.readinessProbe?.httpGet?.path).toBe("/readyz");
    expect(container?.ports?.[0]?.containerPort).toBe(port);
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user });
    expect(container?.securityContext?.readOnlyRootFilesystem).toBe(true);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(grace + AFTER_GRACE);
    expect(spec?.selector.matchLabels).toEqual(spec?.template.metadata?.labels);
  }
});

/** The settings that are kept in files. */
const KEPT = {
  DATABASE_URL: "postgres://nodebeat:word@database/nodebeat",
  SESSION_SECRET: "kq0Vx9mB3sYp7TzWf2LrHd8NcGa5JeUi",
  SMTP_URL: "smtps://mail.example",
};
