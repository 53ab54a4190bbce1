import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where images are kept between runs. Git and the Dockerfile's context ignore it. */
export const FOLDER = join(process.cwd(), ".image");
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const BASE = "localhost/nodebeat-base";
const IMAGE = "localhost/nodebeat";

/** Runs a command and shows its output. Throws if it fails. */
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "inherit" });
const ask = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" }).trim();

const STORAGE = ["--root", join(FOLDER, "store"), "--runroot", join(FOLDER, "run"), "--storage-driver", "vfs"];
const buildah = (...args: string[]) => ask("buildah", ...STORAGE, ...args);

/** The image's own configuration. */
type ImageSettings = {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
  Labels: Record<string, string>;
  Volumes: Record<string, object>;
};

/** An image's files, and its configuration. */
export type BuiltImage = { root: string; baseRoot: string; settings: ImageSettings };

/** Builds the Dockerfile unchanged, without a daemon and without a registry of images. */
export function buildImage(): BuiltImage {
  mkdirSync(FOLDER, { recursive: true });
  const baseRoot = makeBase();
  const npmrc = join(FOLDER, "npmrc");
  const registry = ask("npm", "config", "get", "registry");
  writeFileSync(npmrc, `registry=${registry}\n${existsSync(CERTIFICATES) ? `cafile=${CERTIFICATES}\n` : ""}`);
  // Only for the build: neither is in the image.
  const mounted = [
    `${npmrc}:/root/.npmrc:ro`,
    ...(existsSync(CERTIFICATES) ? [`${CERTIFICATES}:${CERTIFICATES}:ro`] : []),
  ];
  run(
    "buildah",
    ...STORAGE,
    "build",
    "--isolation=chroot",
    "--format=docker",
    "--network=host",
    "--pull-never",
    "--layers=false",
    `--build-arg=NODE_IMAGE=${BASE}`,
    `--build-arg=REVISION=${ask("git", "rev-parse", "HEAD")}`,
    ...mounted.map((volume) => `--volume=${volume}`),
    `--tag=${IMAGE}`,
    ".",
  );
  const { Docker }: { Docker: { config: ImageSettings } } = JSON.parse(buildah("inspect", "--type", "image", IMAGE));
  return { root: buildah("mount", buildah("from", "--pull-never", IMAGE)), baseRoot, settings: Docker.config };
}

/**
 * Creates a base from Debian's smallest system and this project's Node, in place of the image that the Dockerfile
 * names.
 */
function makeBase(): string {
  const root = join(FOLDER, "base");
  if (existsSync(join(root, "usr/local/bin/npx"))) return root;
  rmSync(root, { recursive: true, force: true });
  run("debootstrap", "--variant=minbase", "--include=ca-certificates,libstdc++6", "bookworm", root);
  copyFileSync(process.execPath, join(root, "usr/local/bin/node"));
  run("npm", "install", "--global", "--prefix", join(root, "usr/local"), "npm@11");
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, root, "/");
  buildah("config", "--env", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container);
  buildah("commit", "--quiet", "--rm", container, BASE);
  return root;
}

/** Removes the containers. Keeps the base, because creating it takes longest. */
export function cleanUp(): void {
  buildah("rm", "--all");
}
