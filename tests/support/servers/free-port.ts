import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux assigns (`net.ipv4.ip_local_port_range`), and above those of services. */
const [FIRST, LAST] = [20_000, 32_000];

/** Finds a port for a server that must know it before it listens. No outgoing connection can take it meanwhile. */
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

/** Starts a program that must know its port. Nothing reserves a free one, so this tries others if the start fails. */
export async function startOnFreePort<Started>(
  start: (port: number) => Promise<Started>,
  attempts = 3,
): Promise<Started> {
  try {
    return await start(await findFreePort());
  } catch (error) {
    if (attempts === 1) throw error;
    return startOnFreePort(start, attempts - 1);
  }
}
