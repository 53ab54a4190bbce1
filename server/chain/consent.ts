import type { Hex } from "viem";
import type { DeployConsent, ExecuteConsent } from "./chain-gateway.ts";
import { describeDeploy, describeExecute } from "./contract.ts";
import { digestOf, requireSignature, type Domains } from "./typed-data.ts";

/** Verifies an owner's consent. Returns the digest of what they signed. Throws BAD_SIGNATURE. */
export async function verifyConsent(domains: Domains, consent: DeployConsent | ExecuteConsent): Promise<Hex> {
  const typedData = await describeConsent(domains, consent);
  await requireSignature(typedData, consent.owner, consent.signature);
  return digestOf(typedData);
}

async function describeConsent({ account, factory }: Domains, consent: DeployConsent | ExecuteConsent) {
  const { nonce, owner } = consent;
  if (!("machine" in consent)) return describeDeploy(factory, { machineOwner: owner, nonce });
  const { calldata: data, machine, target } = consent;
  return describeExecute(await account(machine), { target, data, nonce });
}
