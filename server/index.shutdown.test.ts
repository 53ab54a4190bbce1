import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startApp } from "../tests/support/servers/start-app.ts";

type Heard = { ready: number | undefined; status: number | undefined; goodbye: boolean };

/**
 * Sends one request after another until nobody listens any more, and reports each response. Rejects if an open
 * connection breaks.
 */
async function askUntilRefused(url: string, agent: Agent, onHeard: (heard: Heard) => void): Promise<void> {
  for (;;) {
    const ready = await ask(`${url}/readyz`, agent);
    const page = ready && (await ask(`${url}/faqs`, agent));
    if (!page) return;
    onHeard({ ready: ready.statusCode, status: page.statusCode, goodbye: page.headers.connection === "close" });
  }
}

/**
 * Sends a request. Returns undefined if no new connection can be opened. Rejects if a connection breaks that has been
 * used before.
 */
async function ask(url: string, agent: Agent): Promise<IncomingMessage | undefined> {
  // An error after the response has nothing to say: no request is lost by it.
  const asking = request(url, { agent })
    .on("error", () => {})
    .end();
  try {
    const [response]: IncomingMessage[] = await once(asking, "response");
    if (response) await text(response);
    return response;
  } catch (error) {
    if (asking.reusedSocket) throw error;
    return undefined;
  }
}

test("a leaving server reports not ready, answers everyone until it closes, and resets no connection", async () => {
  const app = await startApp();
  const clients = Array.from({ length: 3 }, () => {
    const first = Promise.withResolvers<void>();
    const afterLeaving = Promise.withResolvers<void>();
    const heard: Heard[] = [];
    const end = askUntilRefused(app.url, new Agent({ keepAlive: true, maxSockets: 1 }), (each) => {
      heard.push(each);
      first.resolve();
      if (each.goodbye && each.ready === 503) afterLeaving.resolve();
    });
    return { first: first.promise, afterLeaving: afterLeaving.promise, heard, end };
  });
  // If a connection breaks, the test fails with that, whatever it waits for.
  await Promise.all(clients.map(({ end, first }) => Promise.race([first, end])));
  await app.seed.leave();
  await Promise.all(clients.map(({ afterLeaving, end }) => Promise.race([afterLeaving, end])));
  await app.close();
  for (const { end, heard } of clients) {
    await end;
    expect(new Set(heard.map(({ status }) => status))).toEqual(new Set([200]));
  }
});
