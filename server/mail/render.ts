import type { EmailContent, RenderedEmail } from "./email.ts";
import { STYLE } from "./style.ts";
import { brand } from "../../brand.ts";

/** Renders an email as text and HTML. `origin` is the address that members use, without a path. */
export function renderMail(id: string, email: EmailContent, origin: string): RenderedEmail {
  const { to, subject, code, action, unsubscribe } = email;
  const link = action && origin + action.path;
  const unsubscribeLink = unsubscribe && { label: unsubscribe.label, link: origin + unsubscribe.path };
  return {
    id,
    writtenAt: readTime(id),
    to,
    subject,
    text: renderText(email, link, unsubscribeLink),
    html: renderHtml(email, link, unsubscribeLink),
    ...(code && { code }),
    ...(link && { link }),
    ...(unsubscribeLink && { unsubscribe: unsubscribeLink.link }),
    ...(unsubscribe?.oneClick && { oneClick: true }),
  };
}

/** Reads the time at the start of an id (UUIDv7, RFC 9562). */
const readTime = (id: string) => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));

type UnsubscribeLink = { label: string; link: string } | undefined;

function renderText(
  { subject, paragraphs, code, action, note }: EmailContent,
  link: string | undefined,
  unsubscribeLink: UnsubscribeLink,
) {
  const parts = [subject, ...paragraphs, code && `    ${code}`, link && `${action?.label}:\n${link}`];
  return [
    ...parts,
    `--\n${note}\n${brand.name}`,
    unsubscribeLink && `${unsubscribeLink.label}:\n${unsubscribeLink.link}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/**
 * Renders the HTML: no tables, no images and nothing from elsewhere. It is readable even if the mail program drops the
 * style sheet.
 */
function renderHtml(
  { subject, paragraphs, code, action, note }: EmailContent,
  link: string | undefined,
  unsubscribeLink: UnsubscribeLink,
) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<p class="brand"><span class="mark">&#9679;</span> ${brand.name}</p>
<div class="card">
<h1>${escapeHtml(subject)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n")}
${code ? `<p class="code">${code}</p>` : ""}
${link ? renderAction(action?.label ?? link, link) : ""}
</div>
<p class="note">${escapeHtml(note)}</p>
${unsubscribeLink ? `<p class="note"><a class="address" href="${escapeHtml(unsubscribeLink.link)}">${escapeHtml(unsubscribeLink.label)}</a></p>` : ""}
</div>
</body>
</html>
`;
}

function renderAction(label: string, link: string) {
  const href = escapeHtml(link);
  return `<p><a class="action" href="${href}">${escapeHtml(label)}</a></p>
<p class="note">Or copy this address into your browser:<br><a class="address" href="${href}">${href}</a></p>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
