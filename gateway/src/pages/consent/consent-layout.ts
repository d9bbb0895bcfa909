import type { FastifyReply } from 'fastify';

/** A page around a secret link: its title, and its body as HTML that is escaped already. */
export interface ConsentPage {
  readonly title: string;
  readonly body: string;
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Sends a page that no cache keeps, no other site frames and no link leads away from (hardening.md C14). */
export function sendConsentPage(reply: FastifyReply, status: number, page: ConsentPage): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    })
    .send(render(page));
}

function render({ title, body }: ConsentPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Community Knowledge</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="site">Community Knowledge</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const style = `
:root { --ink: #1d2327; --soft: #566069; --paper: #fbfaf7; --line: #d9d6cd; --go: #1a5f4a; --stop: #8f2f24; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e7e1; --soft: #a9b0b6; --paper: #16191c; --line: #3a4046; --go: #8fd3ba; --stop: #f0a69c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 ui-serif, Georgia, 'Times New Roman', serif; }
main { max-width: 38rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
.site { color: var(--soft); font-size: .95rem; margin: 0 0 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1.25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.25rem; margin: 1.5rem 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.code { font: 600 1.5rem/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .08em; }
p.choice { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; min-height: 2.75rem; padding: .5rem 1.5rem; border: 2px solid currentColor; border-radius: .4rem; background: transparent; color: var(--go); cursor: pointer; flex: 1 1 10rem; }
button.stop { color: var(--stop); }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
input { font: inherit; padding: .5rem; border: 1px solid var(--soft); border-radius: .3rem; background: transparent; color: inherit; width: 14rem; max-width: 100%; }
label { display: block; margin: 1.25rem 0 .35rem; }
a { color: inherit; }
ul { padding-left: 1.2rem; }
li { margin: .3rem 0; }
.grant { border-top: 1px solid var(--line); padding: 1rem 0; }
.grant p { margin: .2rem 0; }
.soft { color: var(--soft); }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } main { padding-top: 1.5rem; } }
`;
