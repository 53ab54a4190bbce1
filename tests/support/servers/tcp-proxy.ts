import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { serveLocally } from "./serve-locally.ts";

/** A port of this machine, or a socket's path. */
export type Target = number | string;

/** A way to somewhere else that can be cut, can hang, can be slow and can hand everything on in small pieces. */
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
        // One length for all of a chunk: a change in its middle would lose the rest.
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
      // A path is no network, and knows no reset.
      if (socket.remoteFamily) socket.resetAndDestroy();
      else socket.destroy();
    }
  }
  return {
    url,
    port,
    /** Drops connections that are open, and refuses new ones at once. */
    cut() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isDown = false;
    },
    /** Takes connections and bytes, and hands nothing on until it is let go on. */
    hang() {
      open ??= Promise.withResolvers<void>();
    },
    goOn() {
      open?.resolve();
      open = undefined;
    },
    /** Hands on what comes from now on; connections that hang do so for ever. */
    forget() {
      open = undefined;
    },
    /** Milliseconds by which everything comes later, each way. */
    slowDown(milliseconds: number) {
      delay = milliseconds;
    },
    /** Bytes that are handed on at once. */
    slice(length: number) {
      sliceLength = length;
    },
    /** Drops connections that are open as a machine does that has lost its memory of them. */
    reset,
    /** Leads elsewhere who connects from now on. */
    turnTo(next: Target) {
      leadsTo = next;
    },
    /** Leads elsewhere, also who was connected. */
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
