import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { AUTH_API_KEY, createSpecifiedBackend } from "./calls.ts";
import { FACTORY } from "./wallets.ts";

/** Starts the backend of only the specified calls: two hosts, as API_URL and AUTH_API_URL name them. */
export async function startSpecifiedBackend() {
  const backend = createSpecifiedBackend();
  const main = await listen(backend.main);
  const auth = await listen(backend.auth);
  return {
    ...backend,
    /** Settings of an application in front of it. */
    settings: {
      API_URL: main.url,
      AUTH_API_URL: auth.url,
      AUTH_API_KEY,
      CHAIN_FACTORY_ADDRESS: FACTORY,
    },
    async close() {
      await main.close();
      await auth.close();
    },
  };
}

async function listen({ fetch }: Hono) {
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
