import { openWithoutMigrating } from "../../db/client.ts";
import { inspectDatabase, type DatabaseFacts } from "../../db/inspect.ts";
import type { Logger } from "../../log/log.ts";
import { StartError } from "../../start-error.ts";
import { requestBackup } from "../call-server.ts";
import { requestFacts } from "../facts.ts";
import type { Manifest } from "./manifest.ts";
import { packFiles } from "./pack.ts";
import { requireFree, writeBackup } from "./write.ts";

export type Place = { dataDir: string; log: Logger; report: (text: string) => void };

/** Backs up the embedded database: through the server that runs on it, or directly if none runs. */
export async function backUpEmbedded({ dataDir, log, report }: Place, file: string): Promise<Manifest> {
  requireFree(file);
  const response = await requestBackup(dataDir);
  if (response) {
    try {
      const about = describeFacts(await requestFacts(dataDir));
      return await writeBackup(file, readWhole(response), about, { report, compresses: true });
    } finally {
      // A response that nobody reads would keep this process running, and the server busy with its backup.
      response.destroy();
    }
  }
  const database = await openWithoutMigrating({ dataDir, log });
  try {
    if (!database.readBackup) throw new Error("The embedded database has no backup");
    const about = describeFacts(await inspectDatabase(database.db));
    return await writeBackup(file, packFiles(database.readBackup()), about, { report, compresses: true });
  } finally {
    await database.close();
  }
}

const describeFacts = ({ schema: { reached, reachedAt }, version }: DatabaseFacts) =>
  ({ engine: "embedded", version, schema: { reached, reachedAt } }) as const;

async function* readWhole(response: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* response;
  } catch (cause) {
    throw new StartError("The server stopped the backup, so there is none. Its log says why.", { cause });
  }
}
