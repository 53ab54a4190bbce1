import { expect, test, withoutEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

// specification: 4.39, 9.4, 9.5
test("statuses are asked for every 10 s, not while the page is hidden, and no longer once there is a Machine ID", async ({
  page,
  login,
}) => {
  await page.clock.install();
  await login();
  await withoutEvents(page);
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await hydrated(page);
  let asked = 0;
  let status: string | null = null;
  await page.route("**/read/machine-id-status*", (route) => {
    asked += 1;
    return route.fulfill({ json: { status } });
  });
  const pass = (seconds: number) => page.clock.runFor(seconds * 1000);
  const expectAsked = (times: number) => expect.poll(() => asked).toBe(times);
  // What is due by then is asked for once, and from then on time passes only where the test says so.
  const answered = page.waitForResponse("**/read/machine-id-status*");
  await page.clock.pauseAt(Date.now() + 60_000);
  await (await answered).finished();
  await expectAsked(1);
  await pass(10);
  await expectAsked(2);
  const show = (visibility: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  await show("hidden");
  await pass(30);
  await show("visible");
  status = "completed";
  await pass(10);
  await expectAsked(3);
  await pass(60);
  // One of the test's own comes after all that may be on their way.
  await page.evaluate(() => fetch("/read/machine-id-status").then((response) => response.text()));
  await expectAsked(4);
});
