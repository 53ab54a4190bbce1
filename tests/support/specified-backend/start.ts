import { createAdaptorServer } from "@hono/node-server";
import { serveLocally } from "../servers/serve-locally.ts";
import { AUTH_API_KEY, createSpecifiedBackend } from "./calls.ts";
import { FACTORY } from "./wallets.ts";

/** Starts a backend with only the specified calls: two hosts, as in API_URL and AUTH_API_URL. */
export async function startSpecifiedBackend() {
  const backend = createSpecifiedBackend();
  const main = await serveLocally(createAdaptorServer(backend.main));
  const auth = await serveLocally(createAdaptorServer(backend.auth));
  return {
    ...backend,
    /** The settings of an application in front of it. */
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
