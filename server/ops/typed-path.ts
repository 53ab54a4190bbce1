import { resolve } from "node:path";

type Settings = Readonly<Record<string, string | undefined>>;

/** A path as the operator meant it: npm starts the command in the package's folder, and says where they stand. */
export const resolveTyped = (path: string, { INIT_CWD: stands = "", npm_lifecycle_event: script }: Settings): string =>
  resolve(script === "ops" ? stands : "", path);
