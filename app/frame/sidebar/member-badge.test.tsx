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
])("the initials of %s are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("the page has the picture of the first gateway from the start, and the initials until it is there", () => {
  const html = renderToStaticMarkup(<MemberBadge name="Ana Bell" avatar={`ipfs://${CID}/me.png`} />);
  expect(html).toContain(`src="https://ipfs.io/ipfs/${CID}/me.png"`);
  expect(html).toContain('loading="lazy"');
  expect(html).toContain(">AB<");
});

test("a long name is cut off at its end, also one that is read from the right", () => {
  const html = renderToStaticMarkup(<MemberBadge name="שם ארוך מאוד של חברה ברשת" avatar={null} />);
  expect(html).toMatch(/<span dir="auto" class="truncate[^>]*>שם ארוך/);
});

test("a picture from where the page may not fetch one is not asked for", () => {
  expect(renderToStaticMarkup(<MemberBadge name="Ana" avatar="https://tracker.example/ana.png" />)).not.toContain(
    "<img",
  );
});
