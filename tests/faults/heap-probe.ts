/* Loaded before the server in its process: says on SIGUSR2 how much of its heap is alive. */

process.on("SIGUSR2", () => {
  global.gc?.();
  process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
