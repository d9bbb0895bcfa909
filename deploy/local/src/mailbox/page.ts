import { LINK_IN_TEXT, type Message } from './message.js';

/** The list, newest first. `older` is the address of the next page, if there is one. */
export function listPage(messages: readonly Message[], total: number, older: string | undefined): string {
  const rows = messages.map(
    (message) => `<li><a href="/messages/${message.id}">
<span class="subject">${escapeHtml(message.subject || '(no subject)')}</span>
<span class="meta">to ${escapeHtml(message.to.join(', '))} · ${time(message.date)}</span></a></li>`,
  );
  const empty = `<p class="empty">No mail yet. Everything that the local services send arrives here; nothing leaves this
machine. <a href="/">Look again</a></p>`;
  const clear = `<form method="post" action="/delete-all"><button>Delete all</button></form>`;
  return page(
    'Local mailbox',
    `<header><h1>Local mailbox</h1><p>${total} ${total === 1 ? 'mail' : 'mails'}</p>${total > 0 ? clear : ''}</header>
<main>${rows.length > 0 ? `<ul class="list">${rows.join('\n')}</ul>` : empty}
${older === undefined ? '' : `<p><a href="${escapeHtml(older)}">Older mails</a></p>`}</main>`,
  );
}

export function messagePage(message: Message): string {
  const headers = Object.entries(message.headers).map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const attachments = message.attachments.map(
    ({ name, type, bytes }) => `<li>${escapeHtml(name)} (${escapeHtml(type)}, ${bytes} bytes)</li>`,
  );
  return page(
    message.subject || '(no subject)',
    `<header><p><a href="/">All mails</a></p><h1>${escapeHtml(message.subject || '(no subject)')}</h1>
<p>From ${escapeHtml(message.from)} to ${escapeHtml(message.to.join(', '))}, ${time(message.date)}</p></header>
<main>
${message.text === null ? '' : `<h2>Text</h2><pre>${linkify(message.text)}</pre>`}
${message.html === null ? '' : `<h2>HTML</h2>${htmlFrame(message.id)}`}
${attachments.length > 0 ? `<h2>Attachments</h2><ul>${attachments.join('')}</ul>` : ''}
<details><summary>Headers</summary><table>${headers.join('\n')}</table></details>
<p><a href="/messages/${message.id}.eml" download>Download as .eml</a> ·
<a href="/api/messages/${message.id}">As JSON</a></p></main>`,
  );
}

export function notFoundPage(): string {
  return page(
    'Not found',
    '<header><h1>Not found</h1></header><main><p>There is no such mail. <a href="/">All mails</a></p></main>',
  );
}

/** The HTML part by itself, for the frame: its links open outside of the frame. */
export function htmlPart(html: string): string {
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`;
}

function htmlFrame(id: string): string {
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  return `<iframe src="/messages/${id}/html" sandbox="${sandbox}" title="The mail's HTML part"></iframe>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/style.css"></head>
<body>${body}</body></html>
`;
}

function linkify(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK_IN_TEXT)) {
    const link = escapeHtml(match[0]);
    parts.push(escapeHtml(text.slice(end, match.index)), `<a href="${link}" rel="noreferrer">${link}</a>`);
    end = match.index + match[0].length;
  }
  return parts.join('') + escapeHtml(text.slice(end));
}

function time(date: string): string {
  return `<time datetime="${date}">${date.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: light-dark(#555, #aaa); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1rem; margin-top: 2rem; }
header p, .meta, .empty { color: var(--quiet); }
.list { list-style: none; padding: 0; }
.list a { display: block; padding: .6rem .4rem; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; }
.list a:hover, .list a:focus-visible { background: #8881; }
.subject { display: block; font-weight: 600; overflow-wrap: anywhere; } .meta { font-size: .875rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: 1rem; font-size: .9rem; }
iframe { width: 100%; height: 34rem; border: 1px solid var(--line); background: #fff; }
table { border-collapse: collapse; font-size: .875rem; } th { text-align: left; vertical-align: top; padding-right: 1rem; }
td { overflow-wrap: anywhere; white-space: pre-wrap; } details { margin-top: 2rem; }
button { font: inherit; padding: .2rem .8rem; margin-bottom: 1rem; }
`;
