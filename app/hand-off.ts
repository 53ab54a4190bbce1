/** The characters that would end the text, its line or the script around it. */
const SPECIAL = /[\\'&<>\u2028\u2029]|\p{Cc}/gu;

/** Returns the loaders' data as React Router encodes it for the browser. */
export async function readHandOff(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let data = "";
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    data += decoder.decode(next.value, { stream: true });
  }
  return data;
}

/**
 * Returns the script that hands the loaders' data to the router in the browser, as its own StreamTransfer would, but in
 * single quotes. The data is JSON, full of double quotes, and each of them would need a backslash.
 */
export function handOffScript(data: string, nonce: string): string {
  const call = `enqueue('${data.replace(SPECIAL, escape)}');c.close()`;
  return `<script nonce="${nonce}">{let c=window.__reactRouterContext.streamController;c.${call}}</script>`;
}

const escape = (sign: string) =>
  /[\\']/.test(sign) ? `\\${sign}` : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
