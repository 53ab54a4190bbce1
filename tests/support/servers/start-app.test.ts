import { expect, test } from "vitest";
import { startApp } from "./start-app.ts";

test("whoever asks a server that has died gets an error", async () => {
  const app = await startApp();
  const asked = app.seed.mail("nobody@nodebeat.test");
  process.kill(app.pid, "SIGKILL");
  await expect(asked).rejects.toThrow("The server has ended");
  await expect(app.seed.leave()).rejects.toThrow("The server has ended");
  await app.close();
});
