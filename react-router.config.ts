import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A dozen small routes: their map comes with the page once, instead of in further requests on every hover.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
