import { hostname } from "node:os";
import { expect, test } from "vitest";
import { describeUsage, readNodeSettings, type Launch } from "./settings.ts";

const KEY = `nbd_${"k".repeat(43)}`;
const LAUNCH: Launch = { command: "nodebeat-node", folder: "/home/ada/.nodebeat" };
const DEMO = { url: "http://127.0.0.1:3000", email: "demo@nodebeat.test", password: "the demo's" };

const read = (args: string[], env: Record<string, string> = {}, launch = LAUNCH) => readNodeSettings(args, env, launch);

test("uses the defaults without options or environment variables", () => {
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

test("reads the environment, but options take precedence", () => {
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

test("ignores empty environment variables", () => {
  const empty = Object.fromEntries(Object.keys(ENV).map((name) => [name, ""]));
  expect(read([], empty)).toEqual(read([]));
});

test("cuts a name off at 80 characters without splitting one", () => {
  expect(read(["--name", "n".repeat(81)])?.name).toBe("n".repeat(80));
  expect(read(["--name", `${"n".repeat(78)}😀😀`])?.name).toBe(`${"n".repeat(78)}😀`);
  expect(read(["--name", `${"n".repeat(79)}😀`])?.name).toBe("n".repeat(79));
  expect(read(["--name", `${"n".repeat(76)}👩\u200D🚀`])?.name).toBe(`${"n".repeat(76)}👩`);
});

test.each(["--help", "-h"])("%s asks for help, even with other arguments", (option) => {
  expect(read([option, "--url", "nowhere"])).toBeUndefined();
});

test("help names the actual command and folder", () => {
  const usage = describeUsage(LAUNCH);
  expect(usage).toContain("NODEBEAT_KEY=KEY nodebeat-node --url URL ");
  expect(usage).toContain("default: /home/ada/.nodebeat (or NODEBEAT_NODE_FOLDER)");
});

test("names an unknown option and prints the usage", () => {
  expect(() => read(["--password", "secret"])).toThrow(
    expect.objectContaining({
      name: "NodeProblem",
      message: expect.stringMatching(/^Unknown option '--password'[\s\S]*\n\nSends heartbeats for a member\. /),
    }),
  );
});

test("ignores whitespace around a key", () => {
  expect(read([], { NODEBEAT_KEY: ` ${KEY}\n` })?.key).toBe(KEY);
});

test.each([KEY.slice(0, -1), `${KEY}k`, `x${KEY}`, KEY.replace("nbd_", "nbs_"), KEY.replace("k", "/")])(
  "rejects the malformed key %s without repeating it",
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
])("reduces %s to the origin %s", (url, origin) => {
  expect(read(["--url", url])?.url).toBe(origin);
});

test.each([
  ["localhost", "localhost is not an address like https://nodebeat.example."],
  ["ftp://nodebeat.example", "ftp://nodebeat.example is not an address like https://nodebeat.example."],
  [
    "http://nodebeat.example",
    "http://nodebeat.example is not encrypted: your password could be read on the way. Use https.",
  ],
])("refuses %s as the server's address", (url, message) => {
  expect(() => read(["--url", url])).toThrow(expect.objectContaining({ name: "NodeProblem", message }));
});

test("uses a local demo's address, member and password as defaults", () => {
  const launch = { ...LAUNCH, demo: { ...DEMO, url: `${DEMO.url}/` } };
  expect(read([], {}, launch)).toMatchObject(DEMO);
  expect(read(["--url", DEMO.url, "--email", DEMO.email], {}, launch)).toMatchObject(DEMO);
  expect(read([], { NODEBEAT_PASSWORD: "another" }, launch)).toMatchObject({ ...DEMO, password: "another" });
});

test("uses the demo's password only for its member at its address", () => {
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
