import { hostname } from "node:os";
import { expect, test } from "vitest";
import { describeUsage, readNodeSettings, type Launch } from "./settings.ts";

const KEY = `nbd_${"k".repeat(43)}`;
const LAUNCH: Launch = { command: "nodebeat-node", folder: "/home/ada/.nodebeat" };
const DEMO = { url: "http://127.0.0.1:3000", email: "demo@nodebeat.test", password: "the demo's" };

const read = (args: string[], env: Record<string, string> = {}, launch = LAUNCH) => readNodeSettings(args, env, launch);

test("what nothing was said about has a default", () => {
  expect(read([])).toEqual({
    url: "http://127.0.0.1:3000",
    key: undefined,
    email: undefined,
    password: undefined,
    name: hostname().slice(0, 80),
    folder: "/home/ada/.nodebeat",
    apiKey: undefined,
    renew: false,
  });
});

const ENV = {
  NODEBEAT_URL: "https://env.example",
  NODEBEAT_KEY: KEY,
  NODEBEAT_EMAIL: "env@nodebeat.test",
  NODEBEAT_PASSWORD: "from the environment",
  NODEBEAT_NODE_NAME: "env",
  NODEBEAT_NODE_FOLDER: "/env",
  AUTH_API_KEY: "api key",
};

test("the environment is read, and an option goes before it", () => {
  const fromEnv = {
    url: "https://env.example",
    key: KEY,
    email: "env@nodebeat.test",
    password: "from the environment",
    name: "env",
    folder: "/env",
    apiKey: "api key",
    renew: false,
  };
  expect(read([], ENV)).toEqual(fromEnv);

  const other = KEY.replaceAll("k", "o");
  const args = ["--url", "https://option.example", "--key", other, "--email", "option@nodebeat.test"];
  expect(read([...args, "--name", "option", "--folder", "/option", "--sign-in"], ENV)).toEqual({
    ...fromEnv,
    url: "https://option.example",
    key: other,
    email: "option@nodebeat.test",
    name: "option",
    folder: "/option",
    renew: true,
  });
});

test("what is empty in the environment was not said", () => {
  const empty = Object.fromEntries(Object.keys(ENV).map((name) => [name, ""]));
  expect(read([], empty)).toEqual(read([]));
});

test("a name is cut off at 80 characters, and never in the middle of one", () => {
  expect(read(["--name", "n".repeat(81)])?.name).toBe("n".repeat(80));
  expect(read(["--name", `${"n".repeat(78)}😀😀`])?.name).toBe(`${"n".repeat(78)}😀`);
  expect(read(["--name", `${"n".repeat(79)}😀`])?.name).toBe("n".repeat(79));
  expect(read(["--name", `${"n".repeat(76)}👩\u200D🚀`])?.name).toBe(`${"n".repeat(76)}👩`);
});

test.each(["--help", "-h"])("%s asks for help alone, whatever else there is", (option) => {
  expect(read([option, "--url", "nowhere"])).toBeUndefined();
});

test("help names the command and the folder as they are here", () => {
  const usage = describeUsage(LAUNCH);
  expect(usage).toContain("NODEBEAT_KEY=KEY nodebeat-node --url URL ");
  expect(usage).toContain("default: /home/ada/.nodebeat (or NODEBEAT_NODE_FOLDER)");
});

test("an option that there is not is named, with how to use it", () => {
  expect(() => read(["--password", "secret"])).toThrow(
    expect.objectContaining({
      name: "NodeProblem",
      message: expect.stringMatching(/^Unknown option '--password'[\s\S]*\n\nSends heartbeats for a member\. /),
    }),
  );
});

test("a key may have space around it", () => {
  expect(read([], { NODEBEAT_KEY: ` ${KEY}\n` })?.key).toBe(KEY);
});

test.each([KEY.slice(0, -1), `${KEY}k`, `x${KEY}`, KEY.replace("nbd_", "nbs_"), KEY.replace("k", "/")])(
  "%s is not the whole key of a machine, and is not said again",
  (key) => {
    const problem = { name: "NodeProblem", message: expect.stringMatching(/^That is not the whole key [^k]+k?[^/]*$/) };
    expect(() => read(["--key", key])).toThrow(expect.objectContaining(problem));
    expect(() => read(["--key", key])).toThrow(expect.not.objectContaining({ message: expect.stringContaining(key) }));
  },
);

test.each([
  ["https://nodebeat.example/dashboard?tab=1", "https://nodebeat.example"],
  ["http://localhost:3000/", "http://localhost:3000"],
  ["http://192.168.1.7:3000", "http://192.168.1.7:3000"],
  ["http://[fd00::1]", "http://[fd00::1]"],
])("%s is called at %s", (url, origin) => {
  expect(read(["--url", url])?.url).toBe(origin);
});

test.each([
  ["localhost", "localhost is not an address like https://nodebeat.example."],
  ["ftp://nodebeat.example", "ftp://nodebeat.example is not an address like https://nodebeat.example."],
  [
    "http://nodebeat.example",
    "http://nodebeat.example is not encrypted: your password could be read on the way. Use https.",
  ],
])("%s is no address to call", (url, message) => {
  expect(() => read(["--url", url])).toThrow(expect.objectContaining({ name: "NodeProblem", message }));
});

test("beside a demo its address, its member and their password are the defaults", () => {
  const launch = { ...LAUNCH, demo: { ...DEMO, url: `${DEMO.url}/` } };
  expect(read([], {}, launch)).toMatchObject(DEMO);
  expect(read(["--url", DEMO.url, "--email", DEMO.email], {}, launch)).toMatchObject(DEMO);
  expect(read([], { NODEBEAT_PASSWORD: "another" }, launch)).toMatchObject({ ...DEMO, password: "another" });
});

test("the demo's password is for its member at its address alone", () => {
  const launch = { ...LAUNCH, demo: DEMO };
  expect(read(["--url", "https://nodebeat.example"], {}, launch)).toMatchObject({
    email: undefined,
    password: undefined,
  });
  expect(read(["--email", "ada@nodebeat.test"], {}, launch)).toMatchObject({
    url: DEMO.url,
    email: "ada@nodebeat.test",
    password: undefined,
  });
});
