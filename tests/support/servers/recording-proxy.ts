import { passOn, startProxy } from "./proxy.ts";

export type Recorded = {
  /** The method and the path with its query. */
  target: string;
  /**
   * Everything in the response that a browser can show, store or pass on: the headers without cookies, and the body.
   */
  answer: string;
  cookies: string[];
};

/** Starts a proxy between a browser and a server that records everything. */
export async function startRecordingProxy(origin: string) {
  const recorded: Recorded[] = [];
  const proxy = await startProxy(origin, (passed) => {
    const { "set-cookie": cookies = [], ...others } = passed.response.headers;
    const answer = `${JSON.stringify(others)}\n${passed.body.toString()}`;
    recorded.push({ target: `${passed.incoming.method} ${passed.incoming.url}`, answer, cookies });
    passOn(passed);
  });
  return { ...proxy, recorded };
}
