import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "vite";
import * as z from "zod";
import { OLDEST_NODE } from "../../node/oldest-node.ts";

/** The address of the package below the site, and so its place in the folder of what browsers may ask for. */
const NODE_PACKAGE = "node/nodebeat-node.tgz";

const Product = z.object({ version: z.string() });

/** Leaves the node client beside the pages, so that an installation offers the client that fits it. */
export function nodePackagePlugin(): Plugin {
  return {
    name: "nodebeat:node-package",
    apply: "build",
    buildApp: {
      order: "post",
      async handler({ environments }) {
        const { root, build } = environments.client?.config ?? {};
        if (root && build) await packNode(root, resolve(root, build.outDir, NODE_PACKAGE));
      },
    },
  };
}

/**
 * Packs the node client as npm installs it: one file of readable JavaScript, which depends on nothing. The same source
 * makes the same bytes.
 */
export async function packNode(root: string, target: string): Promise<void> {
  await mkdir(resolve(target, ".."), { recursive: true });
  const folder = await mkdtemp(`${target}-`);
  try {
    await bundle(root, folder);
    const { version } = Product.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    await writeFile(join(folder, "package.json"), `${JSON.stringify(describePackage(version), null, 2)}\n`);
    await copyFile(join(root, "node/README.md"), join(folder, "README.md"));
    // The one library in the file asks for its notice to go along.
    await copyFile(join(root, "node_modules/zod/LICENSE"), join(folder, "LICENSE-zod"));
    await promisify(execFile)("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: folder });
    await rename(join(folder, `nodebeat-node-${version}.tgz`), target);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundle(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: "node/packaged.ts",
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      // Members can read what they run.
      minify: false,
      target: "node20",
      rollupOptions: { output: { entryFileNames: "nodebeat-node.mjs", banner: "#!/usr/bin/env node" } },
    },
  });
}

const describePackage = (version: string) => ({
  name: "nodebeat-node",
  version,
  description: "Sends the heartbeats of a member's machine.",
  license: "UNLICENSED",
  type: "module",
  bin: "nodebeat-node.mjs",
  files: ["nodebeat-node.mjs", "LICENSE-zod"],
  engines: { node: `>=${OLDEST_NODE}` },
});
