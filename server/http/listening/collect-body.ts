export type Bytes = Uint8Array<ArrayBuffer>;
export type ByteStream = ReadableStream<Bytes>;

/** How many turns of the event loop a body gets to complete. Anything slower waits for data, not for the processor. */
const MAX_TURNS = 3;

/** How many bytes of a body to collect: far more than a page has. A backend's response may be endless. */
const MOST = 4 * 1024 * 1024;

/**
 * Reads a body that is already complete into bytes. A body that is long or still being produced comes back as a stream.
 */
export async function collectBody(stream: ByteStream): Promise<Bytes | ByteStream> {
  const reader = stream.getReader();
  const chunks: Bytes[] = [];
  let size = 0;
  while (size <= MOST) {
    const read = reader.read();
    const result = await withinTurns(read, MAX_TURNS);
    if (!result) return resume(reader, chunks, read);
    if (result.done) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    chunks.push(result.value);
    size += result.value.byteLength;
  }
  return resume(reader, chunks);
}

type Read = ReadableStreamReadResult<Bytes>;

/**
 * Resolves to the next read, or to undefined if it takes too many turns. Data that is there resolves within a few
 * microtasks, so the event loop only gets a turn if it is not.
 */
async function withinTurns(read: Promise<Read>, turns: number): Promise<Read | undefined> {
  for (let turn = 0; turn <= turns; turn++) {
    const result = await Promise.race([read, turn === 0 ? afterMicrotasks() : nextTurn()]);
    if (result) return result;
  }
  return undefined;
}

const afterMicrotasks = async () => {
  for (let i = 0; i < 4; i++) await Promise.resolve();
};

const nextTurn = () => new Promise<undefined>((resolve) => void setImmediate(resolve, undefined));

function resume(reader: ReadableStreamDefaultReader<Bytes>, chunks: Bytes[], pending?: Promise<Read>): ByteStream {
  let next = pending;
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    async pull(controller) {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
