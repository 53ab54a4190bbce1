import { passOn, startProxy, type Answer } from "./proxy.ts";

/** What is sliced: what could push aside something before it in the same part, or what is drawn after it. */
const PARTS =
  /<main [^>]*grow .*?<\/main>|<summary>.*?<\/summary>|<header.*?<\/header>|<div class="sidebar-foot".*?<\/aside>|<dialog open.*?<\/dialog>/gs;
/** Where a slice begins: before each element of such a part that can be seen apart. */
const CUTS = /(?=<(?:abbr|a|button|div|form|h1|h2|nav|p|span)[ >])/;

/** Passes everything on, but for one page, which comes as from a far and busy server: some of its parts in slices. */
export async function startSlicingProxy(origin: string, path: string) {
  const waiting: (() => void)[] = [];
  let isDone = false;

  async function slice({ response, body, reply }: Answer) {
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
