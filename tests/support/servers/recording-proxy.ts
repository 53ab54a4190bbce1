import { passOn, startProxy } from "./proxy.ts";

export type Recorded = {
  /** Method and path, with what was asked for. */
  target: string;
  /** What a browser can show, keep or pass on of the answer: its headers, but for the cookies, and its body. */
  answer: string;
  cookies: string[];
};

/** Stands between a browser and a server, passes everything on and keeps it. */
export async function startRecordingProxy(origin: string) {
  const recorded: Recorded[] = [];
  const proxy = await startProxy(origin, (passed) => {
    const { "set-cookie": cookies = [], ...others } = passed.response.headers;
    const answer = `${JSON.stringify(others)}\n${passed.body.toString()}`;
    recorded.push({ target: `${passed.asked.method} ${passed.asked.url}`, answer, cookies });
    passOn(passed);
  });
  return { ...proxy, recorded };
}
