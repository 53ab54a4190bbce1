import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { initialsOf, MemberBadge } from "./member-badge.tsx";

const CID = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";

test.each([
  ["Ana Bell", "AB"],
  ["ana", "A"],
  ["ana.maria.bell@example.org", "AM"],
  ["  Zoë  ", "Z"],
  ["👩‍🚀 Space", "👩S"],
  ["@", ""],
  ["\u200FAna \u2068Bell\u2069", "AB"],
])("the initials of %s are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("renders the picture from the first IPFS gateway, and initials until it loads", () => {
  const html = renderToStaticMarkup(<MemberBadge name="Ana Bell" avatar={`ipfs://${CID}/me.png`} />);
  expect(html).toContain(`src="https://ipfs.io/ipfs/${CID}/me.png"`);
  expect(html).toContain('loading="lazy"');
  expect(html).toContain(">AB<");
});

test("truncates a long name at its end, even in a right-to-left script", () => {
  const html = renderToStaticMarkup(<MemberBadge name="שם ארוך מאוד של חברה ברשת" avatar={null} />);
  expect(html).toMatch(/<span dir="auto" class="truncate[^>]*>שם ארוך/);
});

test("does not load a picture from a host that the page may not fetch from", () => {
  expect(renderToStaticMarkup(<MemberBadge name="Ana" avatar="https://tracker.example/ana.png" />)).not.toContain(
    "<img",
  );
});
