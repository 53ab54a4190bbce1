import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { FileResponse } from "../http/static/file-response.ts";
import { releaseAfter } from "../sessions/service.ts";
import * as contract from "./contract.ts";
import { exportData } from "./data-export.ts";
import { keepAccount, requestDeletion } from "./deletion.ts";

type Provider = Pick<AuthProvider, "provePassword" | "release">;

export const accountDataApi = (deps: Deps, provider: Provider): Route[] => [
  route(contract.exportData, async (asked) => {
    const { name, text } = await exportData(deps, asked);
    return new FileResponse({ name, mediaType: contract.exportData.mediaType, chunks: encode(text) });
  }),
  route(contract.requestDeletion, ({ body, ...asked }) =>
    releaseAfter(provider, requestDeletion(deps, provider, body, asked)),
  ),
  route(contract.keepAccount, (asked) => keepAccount(deps, asked)),
];

async function* encode(text: AsyncIterable<string>) {
  const encoder = new TextEncoder();
  for await (const piece of text) yield encoder.encode(piece);
}
