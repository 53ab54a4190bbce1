import { passOn, startProxy, type Exchange } from "./proxy.ts";

/** The parts to slice: in these, an element could push aside an earlier one, or what is drawn after the part. */
const PARTS =
  /<main [^>]*grow .*?<\/main>|<summary>.*?<\/summary>|<header.*?<\/header>|<div class="sidebar-foot".*?<\/aside>|<dialog open.*?<\/dialog>/gs;
/** Where a slice begins: before each element in such a part that is visible on its own. */
const CUTS = /(?=<(?:abbr|a|button|div|form|h1|h2|nav|p|span)[ >])/;

/**
 * Starts a proxy that passes everything on, except one page: some of its parts arrive in slices, as from a distant and
 * busy server.
 */
export async function startSlicingProxy(origin: string, path: string) {
  const waiting: (() => void)[] = [];
  let isDone = false;

  async function slice({ response, body, reply }: Exchange) {
    reply.writeHead(response.statusCode ?? 500, response.rawHeaders);
    const html = body.toString();
    const [first = "", ...slices] = cut(html);
    reply.write(first);
    for (const part of slices) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      reply.write(part);
    }
    isDone = true;
    reply.end();
  }
  const proxy = await startProxy(origin, (answer) => (answer.incoming.url === path ? slice(answer) : passOn(answer)));

  return {
    ...proxy,
    /** Lets the next slice through. Returns whether the page was still incomplete. */
    release() {
      waiting.shift()?.();
      return !isDone;
    },
  };
}

function cut(html: string): string[] {
  let [slice, end] = ["", 0];
  const slices: string[] = [];
  for (const { 0: part, index } of html.matchAll(PARTS)) {
    const [first = "", ...rest] = part.split(CUTS);
    slices.push(slice + html.slice(end, index) + first, ...rest.slice(0, -1));
    [slice, end] = [rest.at(-1) ?? "", index + part.length];
  }
  return [...slices, slice + html.slice(end)];
}
