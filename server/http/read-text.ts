/** An answer of so many bytes at most, as they are once unpacked. Rejects where it has more, and reads no further. */
export async function readBytes({ body }: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the answer.
    if (size > most) throw new Error(`The answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same as text. */
export const readText = async (answer: Response, most: number): Promise<string> =>
  (await readBytes(answer, most)).toString("utf8");
