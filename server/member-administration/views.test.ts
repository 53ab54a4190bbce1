import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { createLog } from "../log/log.ts";
import { readEntries, readMember } from "./contract.ts";

const lines: string[] = [];
const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
const { api } = await openTestApi({ log });

test("logs which administrator looked at whose account or ledger, by their ids", async () => {
  const { token, user: administrator } = await seedAdministrator(api.deps);
  const { token: theirs, user } = await seedMember(api.deps);
  const params = { id: user.id.toUpperCase() };
  await api.read(readMember, { token, params });
  await api.read(readEntries, { token, params, query: { limit: 2 } });
  // Requests that show nothing are not logged as looks.
  await api.call(readMember, { token, params: { id: crypto.randomUUID() } });
  await api.call(readMember, { token: theirs, params });

  const views = lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg === "an administrator looked at a member");
  const view = expect.objectContaining({ level: "info", administrator: administrator.id, member: user.id });
  expect(views).toEqual([view, view]);
  expect(lines.join("")).not.toContain(user.email);
});
