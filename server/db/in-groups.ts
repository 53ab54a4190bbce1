import { AsyncLocalStorage } from "node:async_hooks";
import { isDatabaseUnavailable } from "./unavailable.ts";

type Options<Call> = {
  /** Groups under way at once; calls that come meanwhile wait for the next. */
  atOnce: number;
  /** How large a group may be, by the sum of its calls' sizes. One call alone may be larger. */
  most: number;
  sizeOf: (call: Call) => number;
};

type Waiting<Call, Result> = PromiseWithResolvers<Result> & {
  call: Call;
  /** Does work for the request that the call was made for, as far as its logs and traces go. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>;
};

/**
 * Does work for calls that come close together in one go, such as one transaction. Nobody waits for company: with none
 * under way a call starts at once, and those that come meanwhile share the next group. `work` answers in the order of
 * its calls, and works for the request of the first of them. Where it throws, it is done again in smaller groups, so
 * that a call fails for its own reasons only.
 */
export function inGroups<Call, Result>(
  work: (calls: Call[]) => Promise<Result[]>,
  { atOnce, most, sizeOf }: Options<Call>,
): (call: Call) => Promise<Result> {
  const queue: Waiting<Call, Result>[] = [];
  let underWay = 0;

  function startNext() {
    const [first] = queue;
    if (underWay === atOnce || !first) return;
    underWay += 1;
    const group = takeGroup();
    // Not for a call of the group before, which may long be answered.
    void first
      .within(() => settle(work, group))
      .finally(() => {
        underWay -= 1;
        startNext();
      });
  }

  function takeGroup() {
    let size = 0;
    const end = queue.findIndex(({ call }, index) => (size += sizeOf(call)) > most && index > 0);
    return queue.splice(0, end === -1 ? queue.length : end);
  }

  return (call) => {
    const waiting = { call, within: AsyncLocalStorage.snapshot(), ...Promise.withResolvers<Result>() };
    queue.push(waiting);
    startNext();
    return waiting.promise;
  };
}

/** Never rejects: each of the group gets its result, or why there is none. */
async function settle<Call, Result>(work: (calls: Call[]) => Promise<Result[]>, group: Waiting<Call, Result>[]) {
  try {
    const results = await work(group.map(({ call }) => call));
    for (const [index, { resolve }] of group.entries()) resolve(takeOwn(results, index));
  } catch (error) {
    if (group.length === 1 || isDatabaseUnavailable(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    const half = Math.ceil(group.length / 2);
    await settle(work, group.slice(0, half));
    await settle(work, group.slice(half));
  }
}

function takeOwn<Result>(results: Result[], index: number): Result {
  if (index >= results.length) throw new Error("A group's work must answer each of its calls");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is one at this index
  return results[index] as Result;
}
