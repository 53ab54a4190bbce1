import type { Endpoint } from "../../../server/http/contract.ts";

const contracts = import.meta.glob<Record<string, unknown>>("/server/*/contract.ts", { eager: true });

/** Every endpoint that a contract defines, whether or not it is served yet. */
export const endpoints = Object.values(contracts).flatMap((contract) => Object.values(contract).filter(isEndpoint));

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;
}
