import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { serveLocally } from "./serve-locally.ts";

/** A port of this machine, or the path of a socket. */
export type Target = number | string;

/** Starts a TCP proxy that can be cut, can hang, can be slow, and can pass everything on in small pieces. */
export async function startTcpProxy(target: Target) {
  let leadsTo = target;
  let isDown = false;
  let open: PromiseWithResolvers<void> | undefined;
  let delay = 0;
  let sliceLength = Infinity;
  const sockets = new Set<Socket>();

  async function pass(from: Socket, to: Socket) {
    let held = open;
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        // Keeps one length for the whole chunk: a change in the middle would lose the rest.
        const length = sliceLength;
        for (let at = 0; at < chunk.length; at += length) {
          if (delay > 0) await pause(delay);
          held = open ?? held;
          await held?.promise;
          if (!to.write(chunk.subarray(at, at + length))) await once(to, "drain");
          if (length < Infinity) await nextTurn();
        }
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  const server = createServer({ noDelay: true }, (near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = typeof leadsTo === "number" ? connect(leadsTo, "127.0.0.1") : connect(leadsTo);
    far.setNoDelay(true);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    void pass(near, far);
    void pass(far, near);
  });
  const { url, port, close } = await serveLocally(server);

  function reset() {
    for (const socket of sockets) {
      // A Unix socket has no reset.
      if (socket.remoteFamily) socket.resetAndDestroy();
      else socket.destroy();
    }
  }
  return {
    url,
    port,
    /** Drops open connections, and refuses new ones at once. */
    cut() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isDown = false;
    },
    /** Accepts connections and bytes, and passes nothing on until `goOn` is called. */
    hang() {
      open ??= Promise.withResolvers<void>();
    },
    goOn() {
      open?.resolve();
      open = undefined;
    },
    /** Passes on what arrives from now on. Connections that hang do so forever. */
    forget() {
      open = undefined;
    },
    /** Delays everything by this many milliseconds, each way. */
    slowDown(milliseconds: number) {
      delay = milliseconds;
    },
    /** Passes on this many bytes at once. */
    slice(length: number) {
      sliceLength = length;
    },
    /** Resets open connections, like a machine that no longer knows them. */
    reset,
    /** Sends new clients to another target. */
    turnTo(next: Target) {
      leadsTo = next;
    },
    /** Sends all clients to another target, connected ones, too. */
    leadTo(next: Target) {
      leadsTo = next;
      reset();
    },
    async stop() {
      open?.resolve();
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;
