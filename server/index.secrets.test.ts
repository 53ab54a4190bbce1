import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { walkAsMember, walkByLinks } from "../tests/support/seeds/account-journeys.ts";
import { createWalk, type Walk } from "../tests/support/seeds/account-walk.ts";
import { createDataFolder } from "../tests/support/database/empty-database.ts";
import { findSecrets } from "../tests/support/find-secrets.ts";
import { startApp } from "../tests/support/servers/start-app.ts";

/** The kinds of secret that each walk must meet, so that there is something to look for. */
const KINDS = [
  "bot check",
  "campaign",
  "campaign code",
  "device",
  "password, changed",
  "password, first",
  "password, forgotten",
  "password, new",
  "password, wrong",
  "recovery",
  "reset",
  "reset link",
  "reset_link",
  "session",
  "signup",
  "verification code",
  "verification link",
  "verify_link",
];

/** Whether a request opens a mailed link, intact or damaged. The address that it leads to is checked like any other. */
const isMailedLink = (target: string) =>
  /^GET \/(auth\/(verify|reset-password)(\.data)?(\?|%3F)(code|token)|nowhere\/)/.test(target);

/** Returns the text of every file on disk, except for the mailbox. */
async function readFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
  const kept = files.filter((path) => !path.startsWith(join(folder, "mail/")));
  expect(kept.length).toBeGreaterThan(100);
  return (await Promise.all(kept.map((path) => readFile(path, "latin1")))).join("\n");
}

/** Converts a text to the form it has in files that are read byte by byte. */
const asBytes = (text: string) => Buffer.from(text).toString("latin1");

/**
 * Finds secrets in the responses and their addresses. A bot-check token may appear once: in the form it is made for.
 */
function findInAnswers(walk: Walk) {
  const secrets = walk.secrets();
  const issued = new Set<string>();
  return walk.answers().flatMap(({ target, text }) => {
    const address = isMailedLink(target) ? "" : target;
    return findSecrets(`${address}\n${text}`, secrets.keys()).flatMap((secret) => {
      const kind = secrets.get(secret);
      if (kind !== "bot check" || issued.has(secret)) return [`${kind} in ${target}`];
      issued.add(secret);
      return [];
    });
  });
}

test("no credential leaks into a page, its data, an address, the log, the database or a file", async () => {
  const dataDir = await createDataFolder();
  const app = await startApp({ dataDir, settings: { LOG_LEVEL: "trace" } });
  try {
    const { personalCode, email } = await app.seed.member({});
    const walks = [createWalk(app, "document"), createWalk(app, "data")];
    for (const walk of walks) {
      await walkAsMember(walk, personalCode);
      await walkByLinks(walk);
      expect([...new Set(walk.secrets().values())].sort()).toEqual(KINDS);
      expect(walk.answers().filter(({ status }) => status >= 500)).toEqual([]);
    }
    const secrets = new Map(walks.flatMap((walk) => [...walk.secrets()]));
    const database = await app.seed.dump();
    await app.close();

    const name = (found: string[]) => found.map((secret) => secrets.get(secret));
    const files = await readFiles(dataDir);
    for (const kept of [database, files]) expect(kept).toContain(email);
    for (const path of ["/auth/verify?code", "/auth/reset-password.data?token"])
      expect(app.log()).toContain(`"path":"${path}"`);
    expect({
      answers: walks.flatMap(findInAnswers),
      log: name(findSecrets(app.log(), secrets.keys())),
      database: name(findSecrets(database, secrets.keys())),
      files: name([...secrets.keys()].filter((secret) => secret.length > 6 && files.includes(asBytes(secret)))),
    }).toEqual({ answers: [], log: [], database: [], files: [] });
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true });
  }
});
