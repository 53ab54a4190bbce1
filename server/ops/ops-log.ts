import { createLog } from "../log/log.ts";

/** The log of the command's own process. Standard output has what came of it, and nothing else. */
export const createOpsLog = (level: "warn" | "silent") => createLog({ level, destination: process.stderr });
