import { defineRead } from "../cache/read.ts";

export const nodePassQuery = defineRead("node-pass", {
  source: (api) => api.nodePass.read(),
  staleAfter: ["profile", "wallet"],
});
