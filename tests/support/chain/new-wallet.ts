import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

/** Creates a wallet with a new key, which signs whatever it is given. */
export const newWallet = () => privateKeyToAccount(generatePrivateKey());
