import { passOn, startProxy, type Answer } from "./proxy.ts";

/** Where a slice begins: before each element of the page's header that can be seen apart, and before what follows it. */
const CUTS = /(?=<(?:abbr|a|button|div|form|h1|nav|span)[ >])/;

/** Passes everything on, but for one page, which comes as from a far and busy server: its header in slices. */
export async function startSlicingProxy(origin: string, path: string) {
  const waiting: (() => void)[] = [];
  let isDone = false;

  async function slice({ response, body, reply }: Answer) {
    reply.writeHead(response.statusCode ?? 500, response.rawHeaders);
    const html = body.toString();
    const [begin, end] = [html.indexOf("<header"), html.indexOf("</header>")];
    const [first = "", ...slices] = html.slice(begin, end).split(CUTS);
    reply.write(html.slice(0, begin) + first);
    for (const part of [...slices, html.slice(end)]) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      reply.write(part);
    }
    isDone = true;
    reply.end();
  }
  const proxy = await startProxy(origin, (answer) => (answer.asked.url === path ? slice(answer) : passOn(answer)));

  return {
    ...proxy,
    /** Lets the next slice through. Whether there was one. */
    release() {
      waiting.shift()?.();
      return !isDone;
    },
  };
}
