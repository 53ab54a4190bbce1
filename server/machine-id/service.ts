import type { Db, Tx } from "../db/client.ts";
import { hasDeployment } from "./queries.ts";

/** Whether the deployment of a member's Smart Account has begun: its owner can never be another wallet. */
export const hasStartedDeployment = (db: Db | Tx, userId: string): Promise<boolean> => hasDeployment(db, userId);
