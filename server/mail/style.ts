import { brand } from "../../brand.ts";

/** The sender of a demo's mail, which goes nowhere. */
export const DEMO_SENDER = `${brand.name} <no-reply@nodebeat.test>`;

/** The light and dark colours of app/ui/styles/tokens.css, in hexadecimal because mail programs understand that. */
export const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; background: #fbfaf7; color: #16181e; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  overflow-wrap: anywhere; }
.page { max-width: 520px; margin: 0 auto; padding: 32px 20px; }
.brand { margin: 0 0 16px; font-weight: 600; }
.mark, .address { color: #c7181d; }
.card { padding: 28px; background: #ffffff; border: 1px solid #dfdeda; border-radius: 10px; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; font-weight: 600; text-wrap: balance; }
p { margin: 0 0 16px; text-wrap: pretty; }
.code { padding: 14px; background: #f4f3f0; border-radius: 8px; text-align: center; letter-spacing: 6px; text-indent: 6px;
  font: 600 30px/1.2 ui-monospace, Consolas, monospace; }
.action { display: inline-block; padding: 12px 20px; background: #c7181d; color: #ffffff; border-radius: 8px;
  font-weight: 600; text-decoration: none; }
.note { margin: 16px 0 0; color: #6b6e77; font-size: 13px; }
.card p:last-child { margin-bottom: 0; }
@media (prefers-color-scheme: dark) {
  body { background: #0f1014; color: #f1f0ed; }
  .mark, .address { color: #ff7c63; }
  .card { background: #18191e; border-color: #2b2e34; }
  .code { background: #1f2127; }
  .action { background: #fb5a46; color: #150a09; }
  .note { color: #92959d; }
}
`;
