import { openDatabase } from "../../../server/db/client.ts";
import { createTestDeps, seedMember, SILENT } from "../api/api.ts";
import { createDataFolder } from "../database/empty-database.ts";

/**
 * Creates a data folder with one member: a server that starts on it creates no demo data, which takes longer than most
 * tests. The caller deletes it.
 */
export async function createMemberFolder(member: Parameters<typeof seedMember>[1] = {}): Promise<string> {
  const folder = await createDataFolder();
  const database = await openDatabase({ dataDir: folder, log: SILENT });
  await seedMember(createTestDeps(database), member);
  await database.close();
  return folder;
}
