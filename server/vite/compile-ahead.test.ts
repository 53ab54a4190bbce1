import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";
import { compileAheadPlugin } from "./compile-ahead.ts";

test("asks in the first line to compile the code ahead that a page starts with, but not code loaded later", async () => {
  const root = await mkdtemp(join(tmpdir(), "nodebeat-compile-ahead-"));
  try {
    // The later file has a style, so that the first one begins with Vite's list of the files that it brings along.
    const long = `console.log("${"long ".repeat(2000)}")`;
    await writeFile(join(root, "start.ts"), `${long}; document.onclick = () => import("./later.ts");`);
    await writeFile(join(root, "later.ts"), `import "./later.css"; ${long};`);
    await writeFile(join(root, "later.css"), `a { color: red }`);
    const input = join(root, "start.ts");
    const built = await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [compileAheadPlugin()],
      build: { write: false, rollupOptions: { input } },
    });
    const { output } = Array.isArray(built) ? (built[0] ?? { output: [] }) : "output" in built ? built : { output: [] };
    const firstLines = output.flatMap((file) =>
      file.type === "chunk" && /start|later/.test(file.name)
        ? [[file.name, file.code.split("\n")[0]?.slice(0, 28)]]
        : [],
    );
    expect(Object.fromEntries(firstLines)).toEqual({
      start: "//# allFunctionsCalledOnLoad",
      later: expect.not.stringContaining("allFunctionsCalledOnLoad"),
    });
  } finally {
    await rm(root, { recursive: true });
  }
});
