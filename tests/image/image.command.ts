import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildImage, cleanUp, type BuiltImage } from "./build.ts";
import { startContainer, type Container } from "./container.ts";
import { readOptions } from "../support/command-options.ts";

/* Builds the image and runs it on a machine without a container daemon: as root, on Debian. */

readOptions("npm run image      builds the image and runs it; as root on Debian, with buildah and debootstrap", {});

const MAX_MB_ABOVE_BASE = 200;
const PORT = "3219";
const START_LIMIT_MS = 120_000;

/** Files that the image must not contain. */
const LEFT_OUT = ["*.map", "*.d.ts", "typescript"];
const OUR_TESTS = ["*.test.ts", "*.fixture.ts"];

let failures = 0;
function check(sentence: string, isTrue: boolean) {
  if (!isTrue) failures++;
  console.log(`${isTrue ? "✓" : "✗"} ${sentence}`);
}

async function main() {
  const missing = ["buildah", "debootstrap"].filter(
    (tool) => !existsSync(`/usr/bin/${tool}`) && !existsSync(`/usr/sbin/${tool}`),
  );
  if (process.getuid?.() !== 0 || missing.length > 0) {
    console.error("Run this as root on Debian, after: apt-get install --no-install-recommends buildah debootstrap");
    process.exit(1);
  }
  try {
    const image = buildImage();
    checkContents(image);
    await checkRun(image);
  } finally {
    cleanUp();
  }
  if (failures > 0) process.exitCode = 1;
}

function checkContents({ root, baseRoot, settings }: BuiltImage) {
  const above = measure(root) - measure(baseRoot);
  check(`It adds ${above} MB to its base image, of at most ${MAX_MB_ABOVE_BASE} MB`, above <= MAX_MB_ABOVE_BASE);
  const app = join(root, settings.WorkingDir);
  for (const name of LEFT_OUT) check(`It contains no ${name}`, find(app, name) === "");
  for (const name of OUR_TESTS) check(`It contains no ${name} of the server`, find(join(app, "server"), name) === "");
  const { components }: { components: { name: string }[] } = JSON.parse(
    readFileSync(join(app, "sbom.cdx.json"), "utf8"),
  );
  check(
    "Its bill of materials names its dependencies",
    components.some(({ name }) => name === "hono"),
  );
  const labels = ["title", "description", "revision"].map(
    (name) => settings.Labels[`org.opencontainers.image.${name}`],
  );
  check(
    "Its labels give its title, description and revision",
    labels.every((label) => label && label !== "unknown"),
  );
  check("It runs as a numeric user that is not root", /^[1-9]\d*:[1-9]\d*$/.test(settings.User));
}

async function checkRun(image: BuiltImage) {
  const container = startContainer(image, { NODE_ENV: "demo", HOST: "127.0.0.1", PORT });
  const [, ...health] = image.settings.Healthcheck.Test;
  const isHealthy = await becomes(() => container.attempt(health));
  check("Its health check passes once it has started", isHealthy);
  if (isHealthy) await checkInside(container, image);
  const code = await container.stop();
  check(`SIGTERM ends it with code ${code}, which should be 0`, code === 0);
  check("Its health check fails once it has ended", !container.attempt(health));
}

async function checkInside(container: Container, { settings }: BuiltImage) {
  const { status } = await fetch(`http://127.0.0.1:${PORT}/auth`);
  check("It shows the sign-in page", status === 200);
  for (const place of [settings.WorkingDir, "/tmp", "/etc"]) {
    check(`Nobody can write to ${place}`, !container.attempt(["touch", `${place}/written`], "0:0"));
  }
  check("It can write to /data", container.attempt(["touch", "/data/written"]));
  check("The operator's command runs in it", container.attempt(["node", "server/ops/ops.command.ts", "--help"]));
}

async function becomes(condition: () => boolean): Promise<boolean> {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until) {
    if (condition()) return true;
    await pause(500);
  }
  return false;
}

const measure = (folder: string) => Number(execFileSync("du", ["-smx", folder], { encoding: "utf8" }).split("\t")[0]);
const find = (folder: string, name: string) =>
  execFileSync("find", [folder, "-name", name, "-print", "-quit"], {
    encoding: "utf8",
  });

await main();
