import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CHECKER } from "./html-checker.mjs";

/** What is wrong, and the HTML around it. */
type Message = { url: string; message: string; extract?: string };

/** Java is started for a single run, so it should compile little. */
const JAVA = ["-Xss8m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", CHECKER];
const MOST_BYTES = 64 * 1024 * 1024;
const CHECK = ["--format", "json", "--stdout", "--exit-zero-always", "--asciiquotes", "--errors-only"];

/**
 * Returns the errors that the W3C's checker finds in these documents, with their names. Checks all of them in one run.
 */
export async function checkHtml(documents: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "nodebeat-html-"));
  try {
    const entries = Array.from(documents, ([name, html], index) => ({
      name,
      html,
      file: join(folder, `${index}.html`),
    }));
    await Promise.all(entries.map(({ file, html }) => writeFile(file, html)));
    const files = entries.map(({ file }) => file);
    const { stdout } = await promisify(execFile)("java", [...JAVA, ...CHECK, ...files], { maxBuffer: MOST_BYTES });
    const { messages } = JSON.parse(stdout) as { messages: Message[] };
    return messages.map(({ url, message, extract = "" }) => {
      const entry = entries.find(({ file }) => url.endsWith(file));
      return `${entry?.name ?? url}: ${message} ${extract}`;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
