import { subscribe, unsubscribe } from "node:diagnostics_channel";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { networkInterfaces } from "node:os";
import { createServer, type TLSSocket } from "node:tls";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createCertificate } from "../../tests/support/servers/certificates.ts";
import { serveLocally } from "../../tests/support/servers/serve-locally.ts";
import { send } from "./send.ts";

let answer: (socket: TLSSocket) => void;

async function listen(host: string) {
  const certified = createCertificate({ host });
  const server = createServer(certified, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  const { port, close } = await serveLocally(server, host);
  return { port, close, ca: certified.cert };
}
const { port, close, ca } = await listen("127.0.0.1");

afterEach(() => void vi.useRealTimers());
afterAll(() => void close());

const sendOnce = () => send({ url: `https://127.0.0.1:${port}/`, headers: {}, body: "{}" }, { toPrivate: true, ca });

test("records the status of a receiver that wants to switch protocols", async () => {
  answer = (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await sendOnce()).toEqual({ status: 101 });
});

test("reports a receiver that hangs up without an answer as not reached", async () => {
  answer = (socket) => socket.end();
  expect(await sendOnce()).toEqual({ status: null, problem: "It could not be reached (ECONNRESET)." });
});

/** Ends the receiver's time as soon as it has sent its status. */
function runOutOnceAnswered() {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const heard = () => {
    unsubscribe("http.client.response.finish", heard);
    setImmediate(() => vi.runAllTimers());
  };
  subscribe("http.client.response.finish", heard);
}

test("records the status even if the response body never ends", async () => {
  answer = (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok");
  runOutOnceAnswered();
  expect(await sendOnce()).toEqual({ status: 200 });
});

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

test.skipIf(!HAS_IPV6)("verifies the certificate of a receiver with an IPv6 address", async () => {
  const other = await listen("::1");
  answer = (socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n");
  const url = `https://[::1]:${other.port}/`;
  expect(await send({ url, headers: {}, body: "{}" }, { toPrivate: true, ca: other.ca })).toEqual({ status: 204 });
  void other.close();
});

test("messages to a host with silent name servers share one lookup, and later ones start another", async () => {
  const looks: ((error: null, addresses: dns.LookupAddress[]) => void)[] = [];
  const wait = (_: string, __: unknown, answered: (typeof looks)[number]) => void looks.push(answered);
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(wait as typeof dns.lookup);
  syncBuiltinESMExports();
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  const message = { url: "https://hooks.example.com/", headers: {}, body: "{}" };
  const late = { status: null, problem: "It did not answer in time." };
  const sendAll = () => Promise.all([0, 1, 2].map(() => send(message, { toPrivate: false, timeout: 50 })));
  expect(await sendAll()).toEqual([late, late, late]);
  expect(looks).toHaveLength(1);

  const again = sendAll();
  // Once all of them are waiting.
  setImmediate(() => looks[0]?.(null, [{ address: "127.0.0.1", family: 4 }]));
  const problem = "Not sent: The name leads to an address that is not public.";
  expect(await again).toEqual([0, 1, 2].map(() => ({ status: null, problem })));
  await sendAll();
  expect(looks).toHaveLength(2);
});
