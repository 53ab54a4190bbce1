import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createCertificate } from "../../tests/support/certificates.ts";
import { send } from "./send.ts";

const certified = createCertificate({ host: "127.0.0.1" });
let answer: (socket: TLSSocket) => void;
const server = createServer(certified, (socket) => {
  socket.on("error", () => {});
  socket.once("data", () => answer(socket));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;

afterEach(() => void vi.useRealTimers());
afterAll(() => server.close());

const sendOnce = () => send({ url, headers: {}, body: "{}" }, { toPrivate: true, ca: certified.cert });

test("a receiver that wants to talk in another way has answered", async () => {
  answer = (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await sendOnce()).toEqual({ status: 101 });
});

test("a receiver that hangs up without an answer was not reached", async () => {
  answer = (socket) => socket.end();
  expect(await sendOnce()).toEqual({ status: null, problem: "It could not be reached (ECONNRESET)." });
});

/** Lets the receiver's time run out as soon as it has said its status. */
function runOutOnceAnswered() {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const heard = () => {
    unsubscribe("http.client.response.finish", heard);
    setImmediate(() => vi.runAllTimers());
  };
  subscribe("http.client.response.finish", heard);
}

test("a status counts, also where the end of its answer never comes", async () => {
  answer = (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok");
  runOutOnceAnswered();
  expect(await sendOnce()).toEqual({ status: 200 });
});
