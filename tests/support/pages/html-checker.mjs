import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the checker is installed, separate from the project's own packages. */
export const FOLDER = fileURLToPath(new URL("html-checker/", import.meta.url));
/** The checker's program, which runs on Java. */
export const CHECKER = `${FOLDER}node_modules/vnu-jar/build/dist/vnu.jar`;

export const hasJava = () => spawnSync("java", ["-version"]).status === 0;
export const hasHtmlChecker = () => existsSync(CHECKER) && hasJava();
