import type { LiveEvent } from "../../server/live/contract.ts";
import { MEMBER_HEADER } from "../cache/browser-read.ts";

export type LiveNews = { id: string } & LiveEvent;

type Listener = {
  /** Called with an event, or with undefined if the server has only given a sign of life. */
  onNews: (news?: LiveNews) => void;
  /** Called with how long the server wants us to wait after the stream has ended, in milliseconds. */
  onRetry: (milliseconds: number) => void;
};

type Wanted = { member: string; lastEventId: string | undefined; signal: AbortSignal };

/** Requests the member's events after those that were seen. Rejects if there is no response. */
export function requestEvents({ member, lastEventId, signal }: Wanted): Promise<Response> {
  const seen = lastEventId === undefined ? undefined : { "Last-Event-ID": lastEventId };
  return fetch("/live", { headers: { Accept: "text/event-stream", [MEMBER_HEADER]: member, ...seen }, signal });
}

/** Reads events until there are no more. Rejects if the connection breaks. */
export async function readEvents(body: NonNullable<Response["body"]>, listener: Listener): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) readBlock(block, listener);
  }
}

function readBlock(block: string, { onNews, onRetry }: Listener) {
  const field = (name: string) => block.match(`(?:^|\n)${name}: (.*)`)?.[1];
  const [id, data, retry] = [field("id"), field("data"), field("retry")];
  if (retry) onRetry(Number(retry));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, which checks what it sends
  onNews(id && data ? { id, ...(JSON.parse(data) as LiveEvent) } : undefined);
}
