import { DATABASE_FAULTS } from "./database.ts";
import type { Fault } from "./fault.ts";

/** All that is tried. */
export const FAULTS: Fault[] = [...DATABASE_FAULTS];
