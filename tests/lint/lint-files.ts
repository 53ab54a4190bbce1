import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const RULES = [".oxlintrc.json", "tests/lint/engines.ts", "tests/lint/floors.ts"];

/** Returns what one of our plugins reports about these files, by the repository's own rules. */
export async function lintFiles(files: Record<string, string>, plugin: string): Promise<string[]> {
  const project = await mkdtemp(join(tmpdir(), "nodebeat-lint-"));
  try {
    for (const file of RULES) await cp(join(root, file), join(project, file));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), content);
    }
    const command = join(root, "node_modules/.bin/oxlint");
    const { stdout } = spawnSync(command, ["--format", "unix"], { cwd: project, encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.includes(`${plugin}(`));
  } finally {
    await rm(project, { recursive: true });
  }
}
