import { AsyncLocalStorage } from "node:async_hooks";
import type { ByteStream, Bytes } from "../listening/collect-body.ts";

type FileParts = {
  name: string;
  mediaType: string;
  /** The file as it is made. */
  chunks: AsyncGenerator<Bytes>;
};

type Report = (error: Error) => void;

/**
 * An answer that is a file rather than JSON. One that fails on the way breaks the connection off, so that no part of a
 * file passes for the whole.
 */
export class FileAnswer {
  readonly #parts: FileParts;

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  /** `report` hears of a failure on the way, which no status can tell any more. */
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

/** Nothing is made before it is asked for, nor after nobody wants it any more. */
function toStream(chunks: AsyncGenerator<Bytes>, report: Report): ByteStream {
  // Made for whoever asked for the file, whatever code takes it.
  const asAsked = AsyncLocalStorage.snapshot();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          const { done, value } = await asAsked(() => chunks.next());
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error instanceof Error ? error : new Error(String(error)));
          // Without its cause: the connection says it where nothing was sent yet, and the log has it.
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
