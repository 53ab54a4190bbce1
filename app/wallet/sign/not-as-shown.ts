import { ApiError } from "../../api/api-error.ts";

/** Shown if a wallet would have signed something other than what its owner sees here. */
export const NOT_AS_SHOWN =
  "We did not ask your wallet to sign, because the request does not match this page. Nothing has changed.";

/** Creates the error of a request that is not handed on to the wallet. `difference` is for the log. */
export const notAsShown = (difference: string) =>
  new ApiError(NOT_AS_SHOWN, "API_ERROR", 500, { fromServer: true, cause: new Error(difference) });
