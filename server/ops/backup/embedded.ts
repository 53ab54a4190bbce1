import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { openUnchanged } from "../../db/client.ts";
import { inspectDatabase } from "../../db/inspect.ts";
import type { Logger } from "../../log/log.ts";
import { askForBackup } from "../ask-server.ts";
import { askForFacts } from "../facts.ts";
import type { Manifest } from "./manifest.ts";
import { packFiles } from "./pack.ts";
import { requireFree, writeBackup } from "./write.ts";

export type Place = { dataDir: string; log: Logger; say: (text: string) => void };

/** Backs the embedded database up: through the server that runs on it, or by itself where none does. */
export async function backUpEmbedded({ dataDir, log, say }: Place, file: string): Promise<Manifest> {
  requireFree(file);
  const response = await askForBackup(dataDir);
  if (response)
    return writeBackup(file, compress(response), { engine: "embedded", ...(await askForFacts(dataDir)) }, say);
  const database = await openUnchanged({ dataDir, log });
  try {
    if (!database.readBackup) throw new Error("The embedded database has no backup");
    const { schema, version } = await inspectDatabase(database.db);
    const about = { engine: "embedded", schema, version } as const;
    return await writeBackup(file, compress(packFiles(database.readBackup())), about, say);
  } finally {
    await database.close();
  }
}

/** By this process, which has more time than a server. */
const compress = (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const input = Readable.from(source);
  const zip = createGzip({ level: 4 });
  // What fails on the way in fails for who reads on the way out.
  input.once("error", (error) => zip.destroy(error));
  zip.once("close", () => input.destroy());
  return input.pipe(zip);
};
