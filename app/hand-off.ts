const ESCAPES: Record<string, string> = {
  "&": "\\u0026",
  ">": "\\u003e",
  "<": "\\u003c",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** The loaders' data as React Router encodes it for the browser. */
export async function readHandOff(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let data = "";
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    data += decoder.decode(next.value, { stream: true });
  }
  return data;
}

/** The scripts that hand the loaders' data to the router in the browser, as its own StreamTransfer would write them. */
export function handOffScripts(data: string, nonce: string): string {
  const open = `<script nonce="${nonce}">window.__reactRouterContext.streamController.`;
  const text = JSON.stringify(data).replace(/[&><\u2028\u2029]/g, (sign) => ESCAPES[sign] ?? sign);
  return `${open}enqueue(${text});</script>${open}close();</script>`;
}
