/**
 * Reads a response of at most `most` bytes, counted after decompression. Rejects if it is longer, and stops reading.
 */
export async function readBytes({ body }: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the response.
    if (size > most) throw new Error(`The answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Does the same, as text. */
export const readText = async (response: Response, most: number): Promise<string> =>
  (await readBytes(response, most)).toString("utf8");
