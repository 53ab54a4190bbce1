import { data, type RouterContextProvider } from "react-router";
import type { DeviceInput } from "../../server/heartbeats/contract.ts";
import { readWebAddress } from "../content/web-address.ts";
import { apiContext, originContext } from "../page/context.ts";
import type { MadeKey } from "./made-key.ts";

/** Has a key made for one of the member's machines, and answers with it: it is in this one answer, and nowhere after it. */
export async function makeKey(context: Readonly<RouterContextProvider>, { name }: DeviceInput) {
  const { address, ...key } = await context.get(apiContext).devices.register(name);
  if (typeof key.deviceKey !== "string") throw new Error("The machine's registration brought no key");
  const origin = readWebAddress(address)?.origin ?? context.get(originContext);
  return data<{ made: MadeKey }>({ made: { ...key, name, address: origin } });
}
