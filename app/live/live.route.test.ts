import { afterAll, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { readEventsOf } from "../../tests/support/api/event-reader.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePagesOver, TRANSPORTS } from "../../tests/support/pages/test-pages.ts";
import { sendHeartbeats } from "../../server/heartbeats/contract.ts";
import { readEvents } from "../../server/live/contract.ts";
import { logout } from "../../server/sessions/contract.ts";

const database = await createTestDatabase();
// The clock stands still, because a new day would be news to every reader.
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const beat = (token: string) =>
  api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: clock.now().toISOString() }] } });

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("streams the member's events as they arrive, and resumes after the last event id", async () => {
    const { visitor, user, token } = await visitMember();
    const response = await visitor.get("/live", { "x-nodebeat-member": user.id });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    // Otherwise a proxy would hold them back.
    expect(response.headers.get("X-Accel-Buffering")).toBe("no");
    const events = readEventsOf(response);
    const first = await events.next();
    expect(first?.data).toMatchObject({ changed: [], stats: { user_id: user.id, heartbeats: 0 } });

    await beat(token);
    expect((await events.next())?.data).toMatchObject({ changed: ["points", "heartbeats"], stats: { heartbeats: 1 } });
    await events.leave();

    const again = readEventsOf(await visitor.get("/live", { "Last-Event-ID": first?.id ?? "" }));
    expect((await again.next())?.data.changed).toEqual(["points", "heartbeats"]);
    await again.leave();
  });

  test("ends the stream when the member signs out, and opens no new one", async () => {
    const { visitor, token } = await visitMember();
    const events = readEventsOf(await visitor.get("/live"));
    await events.next();
    await api.call(logout, { token });
    expect(await events.next()).toBeUndefined();
    const over = await visitor.get("/live");
    expect([over.status, over.headers.get("X-Nodebeat-Signed-Out")]).toEqual([204, null]);
  });

  test("streams only to the member whose page asks", async () => {
    const { visitor } = await visitMember();
    expect((await visitor.get("/live", { "x-nodebeat-member": "somebody-else" })).status).toBe(204);
    const gone = await createVisitor(pages).get("/live");
    expect([gone.status, gone.headers.get("X-Nodebeat-Signed-Out")]).toEqual([204, "1"]);
    expect((await visitor.post("/live")).status).toBe(405);
    expect(pages.calls).toEqual([]);
  });

  test.each<[string, () => Response, number, string]>([
    ["does not know the call", () => Response.json({ message: "No", error: "NOT_FOUND" }, { status: 404 }), 404, "300"],
    ["has a gateway that finds nobody", () => new Response("404 page not found", { status: 404 }), 404, "5"],
    ["answers it with something else", () => Response.json({ changed: [] }), 404, "300"],
    ["does not answer", () => Response.error(), 503, "5"],
  ])("sets the status and Retry-After if the backend %s", async (_, respond, status, after) => {
    const { visitor } = await visitMember();
    pages.override(readEvents, respond);
    const response = await visitor.get("/live");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([status, after]);
  });

  test("passes on Retry-After if there are too many streams", async () => {
    const { visitor } = await visitMember();
    pages.override(readEvents, () =>
      Response.json({ message: "Full", error: "UNAVAILABLE" }, { status: 503, headers: { "Retry-After": "30" } }),
    );
    const response = await visitor.get("/live");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "30"]);
  });
});

/** A stream of events that another backend has at the same address. */
const respondWith = (events: string) => new Response(events, { headers: { "Content-Type": "text/event-stream" } });

describePagesOver(["http"], database, api, ({ pages, visitMember }) => {
  test.each<[string, () => Response, number, string]>([
    ["has events of its own", () => respondWith('id: 1\ndata: {"type":"hello"}\n\n'), 404, "300"],
    ["has events that are not JSON", () => respondWith("id: 1\ndata: hello\n\n"), 404, "300"],
    ["sends only comments", () => respondWith(":\n\n:\n\n"), 503, "30"],
  ])("a page asks for its totals, and rarely for news, if the backend %s", async (_, respond, status, after) => {
    const { visitor } = await visitMember();
    pages.override(readEvents, respond);
    const response = await visitor.get("/live");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([status, after]);
  });
});
