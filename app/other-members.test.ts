import { afterAll, expect, test, vi } from "vitest";
import { createTestApi } from "../tests/support/api/api.ts";
import { dumpRowsOf, seedRichMember } from "../tests/support/seeds/rich-member.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { describePages, readText, type Visitor } from "../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
// The clock stands still: two pages of different days, or minutes, are not the same.
vi.useFakeTimers({ toFake: ["Date"] });
afterAll(() => database.close());

type Ids = Awaited<ReturnType<typeof seedRichMember>>["ids"];
type Case = { mine: keyof Ids; unknown?: string; send: (visitor: Visitor, id: string) => Promise<Response> };

const form = (path: string, intent: string) => (visitor: Visitor, id: string) => visitor.post(path, { intent, id });

const afterClaim = (path: string) => (visitor: Visitor, id: string) => {
  visitor.cookies.set("note_claim_1", `made.${id}`);
  return visitor.get(path);
};

/** Every page and form that takes an id. */
const CASES: Record<string, Case> = {
  "the note after a referral's claim": { mine: "referral", send: afterClaim("/referrals") },
  "the note after a reward's claim": {
    mine: "campaign",
    unknown: "campaign-open",
    send: afterClaim("/rewards"),
  },
  "an opened row of the points log": { mine: "entry", send: (ada, id) => ada.get(`/dashboard?entry=${id}`) },
  "a referral's claim": { mine: "referral", send: form("/referrals", "claim") },
  "a reward's claim": { mine: "campaign", unknown: "campaign-open", send: form("/rewards", "claim") },
  "ending a session": { mine: "session", send: form("/profile", "session") },
  "revoking a device": { mine: "device", send: form("/profile", "device-revoke") },
};

/** The files with a form that carries an id. A new one belongs in the cases above. */
const FORMS_WITH_IDS = [
  "./claims/claim-form.tsx",
  "./profile/devices/devices-card.tsx",
  "./profile/sessions/sessions-card.tsx",
];

test("only the listed forms carry an id", () => {
  const sources = import.meta.glob<string>("./**/*.tsx", { query: "?raw", import: "default", eager: true });
  const found = Object.entries(sources).filter(([, source]) => /name="(?:id|\w+Id)"/.test(source));
  expect(found.map(([path]) => path).toSorted()).toEqual(FORMS_WITH_IDS);
});

describePages(database, api, ({ visitMember }) => {
  test.each(Object.entries(CASES))(
    "%s treats another member's id like an unknown one and changes nothing of theirs",
    async (_, { mine, send, unknown }) => {
      const ada = await seedRichMember(api);
      const { visitor: ben } = await visitMember();
      const before = await dumpRowsOf(database, ada.user.id);
      const answer = async (id: string) => {
        const response = await send(ben, id);
        const location = response.headers.get("Location")?.replaceAll(id, "ID");
        const text = readText(await response.text()).replaceAll(id, "ID");
        return { status: response.status, location, text };
      };

      const answered = await answer(ada.ids[mine]);

      expect(await dumpRowsOf(database, ada.user.id)).toEqual(before);
      expect(answered).toEqual(await answer(unknown ?? crypto.randomUUID()));
      expect(answered.text).not.toContain(ada.user.email);
    },
  );
});
