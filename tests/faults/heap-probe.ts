/*
 * Loaded before the server in its process: on SIGUSR2, prints how much of its heap is in use after a garbage
 * collection.
 */

process.on("SIGUSR2", () => {
  global.gc?.();
  process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
