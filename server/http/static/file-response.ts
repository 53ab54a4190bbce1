import { AsyncLocalStorage } from "node:async_hooks";
import type { ByteStream, Bytes } from "../listening/collect-body.ts";

type FileParts = {
  name: string;
  mediaType: string;
  /** The file's contents, as they are produced. */
  chunks: AsyncGenerator<Bytes>;
};

type Report = (error: Error) => void;

/**
 * A response that is a file instead of JSON. If producing it fails midway, the connection breaks off, so that nobody
 * takes a part of the file for the whole.
 */
export class FileResponse {
  readonly #parts: FileParts;

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  /** Creates the response. `report` gets failures that come too late for an error status. */
  toResponse(report: Report): Response {
    const { chunks, mediaType, name } = this.#parts;
    return new Response(toStream(chunks, report), {
      headers: {
        "Content-Type": `${mediaType}; charset=utf-8`,
        "Content-Disposition": `attachment; filename="${name}"`,
      },
    });
  }
}

/** Produces chunks only on demand, and stops when the reader leaves. */
function toStream(chunks: AsyncGenerator<Bytes>, report: Report): ByteStream {
  // Chunks are produced on behalf of the caller who asked for the file, whatever code reads them.
  const asCaller = AsyncLocalStorage.snapshot();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          const { done, value } = await asCaller(() => chunks.next());
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error instanceof Error ? error : new Error(String(error)));
          // Without the cause, which is in the log: if nothing has been sent yet, the client gets this message.
          controller.error(new Error("The file broke off."));
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
