const today = () => new Date().toISOString().slice(0, 10);

/** Runs steps whose outcome depends on the date (UTC). If they fail and a new day has begun, runs them once more. */
export async function retryAcrossMidnight(steps: () => Promise<void>): Promise<void> {
  const begun = today();
  try {
    await steps();
  } catch (error) {
    if (today() === begun) throw error;
    await steps();
  }
}
