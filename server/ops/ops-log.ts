import { createLog } from "../log/log.ts";

/** Creates the log of the command's own process. It goes to standard error: standard output has only the result. */
export const createOpsLog = (level: "warn" | "silent") => createLog({ level, destination: process.stderr });
