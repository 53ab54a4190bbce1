const today = () => new Date().toISOString().slice(0, 10);

/** Does steps whose outcome depends on which day it is (UTC). Where they fail and another day has begun, once more. */
export async function onOneDay(steps: () => Promise<void>): Promise<void> {
  const begun = today();
  try {
    await steps();
  } catch (error) {
    if (today() === begun) throw error;
    await steps();
  }
}
