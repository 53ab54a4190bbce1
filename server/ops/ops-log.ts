import { createLog } from "../log/log.ts";

/** The log of the command's own process, on standard error: standard output is for the result alone. */
export const createOpsLog = (level: "warn" | "silent") => createLog({ level, destination: process.stderr });
