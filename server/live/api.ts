import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { readEvents } from "./contract.ts";
import { createLiveStreams } from "./service.ts";

export const liveApi = (deps: Deps): Route[] => {
  const streams = createLiveStreams(deps);
  return [route(readEvents, ({ caller, headers }) => streams.open(caller, headers["last-event-id"]))];
};
