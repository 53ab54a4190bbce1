import { openDatabase } from "../../../server/db/client.ts";
import { createTestDeps, seedMember, SILENT } from "../api/api.ts";
import { createDataFolder } from "../database/empty-database.ts";

/**
 * A data folder with one member: a start on it makes no demo first, which takes longer than most tests. Whoever asks
 * takes it away.
 */
export async function createMemberFolder(member: Parameters<typeof seedMember>[1] = {}): Promise<string> {
  const folder = await createDataFolder();
  const database = await openDatabase({ dataDir: folder, log: SILENT });
  await seedMember(createTestDeps(database), member);
  await database.close();
  return folder;
}
