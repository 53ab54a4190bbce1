import { isSameAddress } from "../same-address.ts";
import { shortenAddress } from "../short-address.ts";
import { WalletError } from "../wallet-error.ts";
import type { TypedData } from "../wallet-requests.ts";
import { requestConnection } from "../wallet-state.ts";

/**
 * Prepares the member's linked wallet to sign on the identity network. Asks for a connection first if there is none.
 * Resolves to its address. Rejects with a WalletError, whose toast is up to the caller.
 */
export async function prepareOwner(linked: string) {
  const { connectedAddress, moveToIdentityChain, startWallet } = await load();
  await startWallet();
  const address = await connected(connectedAddress);
  if (!isSameAddress(address, linked)) {
    throw new WalletError("wrong-account", `Please connect with your linked wallet (${shortenAddress(linked)})`);
  }
  await moveToIdentityChain();
  return address;
}

/** Signs typed data with the linked wallet on the identity network. Rejects as `prepareOwner` does. */
export async function signAsOwner({ linked, typedData }: { linked: string; typedData: TypedData }) {
  const address = await prepareOwner(linked);
  const { signData } = await load();
  return { address, signature: await signData(address, typedData) };
}

/** Loads the code that talks to wallets on demand: nobody loads it before they need it. */
async function load() {
  try {
    const { startWallet } = await import("../wallet-session.ts");
    return { startWallet, ...(await import("../wallet-requests.ts")) };
  } catch (error) {
    throw new WalletError("failed", "Failed to connect wallet", { cause: error });
  }
}

async function connected<Address>(read: () => Address): Promise<Address> {
  try {
    return read();
  } catch {
    if (!(await requestConnection())) throw new WalletError("closed", null);
    return read();
  }
}
