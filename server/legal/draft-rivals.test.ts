import { expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import * as contract from "./contract.ts";

const { api, clock, database } = await openTestApi();
/** Another process on the same database. */
const elsewhere = createTestApi(database, { now: clock.now });

const params = { document: "tos" };

test.each(["a first draft", "a draft that all of them have seen"])(
  "when administrators save %s at the same time, one save counts and the others are refused",
  async (which) => {
    const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
    const save = (nth: number, revision: number) =>
      (nth % 2 === 0 ? api : elsewhere).call(contract.saveLegalDraft, {
        token: (nth % 2 === 0 ? ada : ben).token,
        params,
        body: {
          title: `Terms ${nth}`,
          changes: "Points have a name of their own.",
          source: "## In short\n\nBe kind.",
          effectiveFrom: "2026-12-01",
          revision,
          reason: "The council of members agreed",
        },
      });
    const seen = which === "a first draft" ? 0 : 1;
    if (seen > 0) await save(100, 0);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, nth) => save(nth, seen)));

    const winner = answers.findIndex(({ status }) => status === 200);
    const others = answers.filter((_, nth) => nth !== winner);
    const message = "Somebody has changed the draft in the meantime. Look at it again.";
    expect(others).toMatchObject(Array.from({ length: 5 }, () => ({ status: 409, body: { message } })));
    const { draft } = await api.read(contract.readLegalEditing, { token: ada.token, params });
    expect(draft).toMatchObject({ title: `Terms ${winner}`, revision: seen + 1 });
    expect(await readAudit(database.db)).toHaveLength(seen + 1);
  },
);
