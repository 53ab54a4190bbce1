import { defineRead } from "../cache/read.ts";

export const devicesQuery = defineRead("devices", {
  source: (api) => api.devices.list(),
  staleAfter: ["heartbeats", "account"],
});
