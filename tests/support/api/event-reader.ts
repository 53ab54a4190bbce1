import { LiveEvent } from "../../../server/live/contract.ts";

type ReadEvent = { id: string; data: LiveEvent };

/** Reads a response's events one at a time, as a browser would. */
export function readEventsOf(response: Response) {
  if (!response.body) throw new Error(`There are no events in a ${response.status} without a body`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  /** Returns the next block, an event or a comment; undefined at the end. */
  const nextBlock = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };

  /** Returns the next event; undefined at the end. */
  const next = async (): Promise<ReadEvent | undefined> => {
    for (;;) {
      const block = await nextBlock();
      if (block === undefined) return undefined;
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (id && data) return { id, data: LiveEvent.parse(JSON.parse(data)) };
    }
  };

  return { nextBlock, next, leave: () => reader.cancel() };
}
