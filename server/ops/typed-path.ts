import { resolve } from "node:path";

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Resolves a path from where the operator is. npm starts the command in the package's folder, and passes that place on.
 */
export const resolveTyped = (path: string, { INIT_CWD: stands = "", npm_lifecycle_event: script }: Settings): string =>
  resolve(script === "ops" ? stands : "", path);
