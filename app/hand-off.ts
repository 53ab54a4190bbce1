const ESCAPES: Record<string, string> = {
  "&": "\\u0026",
  ">": "\\u003e",
  "<": "\\u003c",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** The scripts that hand the loaders' data to the router in the browser, as its own StreamTransfer would write them. */
export async function handOffScripts(data: ReadableStream<Uint8Array> | undefined, nonce: string): Promise<string> {
  if (!data) return "";
  const open = `<script nonce="${nonce}">window.__reactRouterContext.streamController.`;
  let scripts = "";
  const decoder = new TextDecoder();
  for await (const bytes of data) {
    const piece = JSON.stringify(decoder.decode(bytes, { stream: true }));
    scripts += `${open}enqueue(${piece.replace(/[&><\u2028\u2029]/g, (sign) => ESCAPES[sign] ?? sign)});</script>`;
  }
  return `${scripts}${open}close();</script>`;
}
