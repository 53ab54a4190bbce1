import { createContext } from "react";

/** The nonce of the page's content security policy while the server renders it. Undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);
