import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // There are few routes, so the page brings their map, instead of requesting parts of it on every hover.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
