import { chain } from "./chain.ts";
import { clock } from "./clock.ts";
import { DATABASE_FAULTS } from "./database.ts";
import type { Fault } from "./fault.ts";
import { memory } from "./memory.ts";
import { NETWORK_FAULTS } from "./network.ts";
import { PROCESS_FAULTS } from "./processes.ts";
import { STORAGE_FAULTS } from "./storage.ts";

/** All faults that are tried. */
export const FAULTS: Fault[] = [
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...STORAGE_FAULTS,
  clock,
  ...NETWORK_FAULTS,
  chain,
  memory,
];
