import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";

/** A way to a port that can be cut: connections that are open are dropped then, and new ones refused at once. */
export async function startProxy(port: number) {
  let isDown = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isDown) return near.destroy();
    const far = connect(port, "127.0.0.1");
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
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    cut() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isDown = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
