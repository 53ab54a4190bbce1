import { afterEach } from "vitest";

const KEY = Symbol.for("nodebeat.mutation.failed");
const shared: typeof globalThis & { [KEY]?: boolean } = globalThis;

// Vitest skips the tests of later files once one has failed, but still loads these files, which takes seconds each.
if (shared[KEY]) throw new Error("Not loaded: a test has noticed the mutant");

afterEach(({ task }) => {
  if (task.result?.state === "fail") shared[KEY] = true;
});
