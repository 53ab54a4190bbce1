import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "vite";
import * as z from "zod";
import { OLDEST_NODE } from "../../node/oldest-node.ts";

/** The path of the package on the site, and so its path in the folder of public files. */
const NODE_PACKAGE = "node/nodebeat-node.tgz";

const Product = z.object({ version: z.string() });

/** Puts the node client next to the pages, so that an installation offers the client that fits it. */
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
 * Packs the node client for npm: one readable JavaScript file without dependencies. The same source gives the same
 * bytes.
 */
export async function packNode(root: string, target: string): Promise<void> {
  await mkdir(resolve(target, ".."), { recursive: true });
  const folder = await mkdtemp(`${target}-`);
  try {
    await bundle(root, folder);
    const { version } = Product.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    await writeFile(join(folder, "package.json"), `${JSON.stringify(describePackage(version), null, 2)}\n`);
    await copyFile(join(root, "node/README.md"), join(folder, "README.md"));
    // The only library in the file requires its notice to be included.
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
