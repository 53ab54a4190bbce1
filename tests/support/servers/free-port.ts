import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that Linux hands out by itself (`net.ipv4.ip_local_port_range`), and above what services have. */
const [FIRST, LAST] = [20_000, 32_000];

/** A port for what has to know its own before it listens. No connection that is made meanwhile can get it. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(FIRST, LAST);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return findFreePort();
  }
  server.close();
  await once(server, "close");
  return port;
}
