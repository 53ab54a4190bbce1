import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

/** A wallet with a key of its own, which signs what it is given. */
export const newWallet = () => privateKeyToAccount(generatePrivateKey());
