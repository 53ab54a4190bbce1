import { AsyncResource } from "node:async_hooks";
import { isDatabaseUnavailable } from "./unavailable.ts";

type Options<Call> = {
  /** How many groups may be in progress at once. Calls that arrive meanwhile wait for the next group. */
  atOnce: number;
  /** The maximum size of a group, as the sum of its calls' sizes. A single call may exceed it. */
  most: number;
  sizeOf: (call: Call) => number;
};

type Waiting<Call, Result> = PromiseWithResolvers<Result> & {
  call: Call;
  /** The context of the request that made the call, for logs and traces. */
  context: AsyncResource;
};

/**
 * Does work for calls that arrive close together in one go, such as in one transaction. No call waits for others to
 * arrive: while fewer than `atOnce` groups are in progress it starts at once, and calls that arrive meanwhile share the
 * next group. `work` returns its results in the order of its calls, and runs in the context of the first call. If it
 * throws, it is retried in smaller groups, so that a call fails for its own reasons only.
 */
export function batchCalls<Call, Result>(
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
    // In the context of its own first call. Calls of the previous group may have been answered long ago.
    void first.context
      .runInAsyncScope(() => settle(work, group))
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
    const waiting = { call, context: new AsyncResource("batched call"), ...Promise.withResolvers<Result>() };
    queue.push(waiting);
    startNext();
    return waiting.promise;
  };
}

/** Does the work of a group. Never rejects: each call in the group gets its result or its error. */
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the length was checked above
  return results[index] as Result;
}
