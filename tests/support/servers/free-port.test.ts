import { expect, test } from "vitest";
import { startOnFreePort } from "./free-port.ts";

test("starts on another port if somebody takes the first one meanwhile, and gives up in the end", async () => {
  const ports: number[] = [];
  const start = async (port: number) => {
    ports.push(port);
    if (ports.length !== 2) throw new Error("The port is taken");
    return port;
  };
  expect(await startOnFreePort(start)).toBe(ports[1]);
  expect(ports[1]).not.toBe(ports[0]);

  await expect(startOnFreePort(start)).rejects.toThrow("The port is taken");
  expect(ports).toHaveLength(5);
});
