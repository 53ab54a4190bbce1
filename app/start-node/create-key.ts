import { data } from "react-router";
import type { DeviceInput } from "../../server/heartbeats/contract.ts";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { readWebAddress } from "../content/web-address.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, originContext, type PageContext } from "../page/context.ts";
import type { CreatedKey } from "./created-key.ts";

/**
 * Creates a key for one of the member's machines and returns it. Only this response contains the key. The other tabs
 * are notified that there is one more machine.
 */
export async function createKey(context: PageContext, { name }: DeviceInput) {
  const { address, ...key } = await context.get(apiContext).devices.register(name);
  if (typeof key.deviceKey !== "string") throw new Error("The machine's registration brought no key");
  leaveOutcome(context, AUTH_EVENT, "USER_UPDATED");
  const origin = readWebAddress(address)?.origin ?? context.get(originContext);
  return data<{ made: CreatedKey }>({ made: { ...key, name, address: origin } });
}
