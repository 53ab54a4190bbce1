import type { Deps } from "../deps.ts";
import { DEMO_EMAIL } from "./seed/demo-member.ts";
import { TESTER_EMAIL } from "./seed/tester.ts";
import { seedDemo } from "./seed/seed-demo.ts";

/** Who can sign in: the demo's member and, with the same password, a member on the whitelist. */
export type DemoSignIn = { email: string; password: string; tester: string };

/** Makes sure that the demo's network exists and its members can sign in. Returns undefined without a demo password. */
export async function prepareDemo(deps: Deps): Promise<DemoSignIn | undefined> {
  const { demoPassword: password } = deps.env;
  if (!password) return undefined;
  const isNew = await seedDemo(deps, { password });
  deps.log.info({ isNew }, "this is a demo: its members and their history are made up");
  return { email: DEMO_EMAIL, password, tester: TESTER_EMAIL };
}
