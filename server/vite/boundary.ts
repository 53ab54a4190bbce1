import { relative, sep } from "node:path";
import type { Plugin } from "vite";

/**
 * Keeps the two halves apart: the application may import only `server/<feature>/contract.ts` from `server/`, and
 * `server/` never imports the application, except in `server/pages.ts`. React Router enforces neither. The linter
 * checks the same in files that Vite never sees.
 */
export function boundaryPlugin(): Plugin {
  let root = process.cwd();

  return {
    name: "nodebeat:boundary",
    enforce: "pre",
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: {
      order: "pre",
      async handler(source, importer, options) {
        if (!importer) return null;
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
        const problem = resolved && findCrossing(locate(root, importer), locate(root, resolved.id));
        if (problem) this.error(problem);
        return resolved;
      },
    },
    load(id) {
      const path = locate(root, id);
      // Server code never reaches a browser, however it was imported, for instance through a contract.
      if (this.environment.name === "client" && isServerOnly(path))
        this.error(`${path} is server code and must not reach the browser.`);
    },
  };
}

/** Returns why an import is not allowed, in paths from the root, or undefined if it is. */
function findCrossing(importer: string, imported: string): string | undefined {
  if (importer.startsWith("app/") && isServerOnly(imported)) {
    return `${importer} imports ${imported}: the application may import only server/<feature>/contract.ts.`;
  }
  if (importer.startsWith("server/") && importer !== "server/pages.ts" && imported.startsWith("app/")) {
    return `${importer} imports ${imported}: the server never imports the application, but for server/pages.ts.`;
  }
  return undefined;
}

const isServerOnly = (path: string) => path.startsWith("server/") && !/^server\/[\w-]+\/contract\.ts$/.test(path);

/** Returns a module's path from the root, without the query that Vite and React Router add to ids. */
const locate = (root: string, id: string) =>
  relative(root, id.split("?")[0] ?? "")
    .split(sep)
    .join("/");
