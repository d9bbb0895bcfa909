import { LINK_IN_TEXT, type Message } from './message.js';

/** The list, newest first. `older` is the address of the next page, if there is one. */
export function listPage(messages: readonly Message[], total: number, older: string | undefined): string {
  const rows = messages.map(
    (message) => `<li><a href="/messages/${message.id}">
<span class="subject">${escapeHtml(message.subject || '(no subject)')}</span>
<span class="meta">${escapeHtml(message.to.join(', '))} · ${time(message.date)}</span>
<span class="preview">${escapeHtml(previewOf(message))}</span></a></li>`,
  );
  const empty = `<p class="empty">No mail yet. Everything that the local services send arrives here; nothing leaves this
machine.</p>`;
  const clear = `<form method="post" action="/delete-all"><button>Delete all</button></form>`;
  const actions = `<div class="actions"><a class="button" href="/">Look again</a>${total > 0 ? clear : ''}</div>`;
  return page(
    'Local mailbox',
    `<header class="bar"><div><h1>Local mailbox</h1><p>${total} ${total === 1 ? 'mail' : 'mails'}, newest first</p></div>${actions}</header>
<main>${rows.length > 0 ? `<ul class="list">${rows.join('\n')}</ul>` : empty}
${older === undefined ? '' : `<p><a href="${escapeHtml(older)}">Older mails</a></p>`}</main>`,
  );
}

/** A mail as its reader sees it, the HTML part first; what its makers want to see is folded away below. */
export function messagePage(message: Message): string {
  const headers = Object.entries(message.headers).map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const attachments = message.attachments.map(
    ({ name, type, bytes }) => `<li>${escapeHtml(name)} (${escapeHtml(type)}, ${bytes} bytes)</li>`,
  );
  const text = message.text === null ? '' : `<pre>${linkify(message.text)}</pre>`;
  const plain = message.html === null ? text : text && `<details open><summary>Plain text</summary>${text}</details>`;
  return page(
    message.subject || '(no subject)',
    `<header><p><a href="/">All mails</a></p><h1>${escapeHtml(message.subject || '(no subject)')}</h1>
<p>From ${escapeHtml(message.from)} to ${escapeHtml(message.to.join(', '))}, ${time(message.date)}</p></header>
<main>
${message.html === null ? '' : htmlFrame(message.id)}
${plain}
${attachments.length > 0 ? `<h2>Attachments</h2><ul>${attachments.join('')}</ul>` : ''}
<details><summary>Headers</summary><table>${headers.join('\n')}</table></details>
<p class="meta"><a href="/messages/${message.id}.eml" download>Download as .eml</a> ·
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

/** The first sentence or so below a heading. */
function previewOf({ text }: Message): string {
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const body = lines.filter(
    (line, at) => line !== '' && !/^[-=]{3,}$/.test(line) && !/^[-=]{3,}$/.test(lines[at + 1] ?? ''),
  );
  return body.join(' ').slice(0, 140);
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
:root { color-scheme: light dark; --paper: light-dark(#f4f2ee, #17181b); --card: light-dark(#fff, #222428);
  --ink: light-dark(#22252a, #ececec); --quiet: light-dark(#5c6067, #a3a7ae); --line: light-dark(#e0dbd1, #383b41);
  --go: light-dark(#1a5a45, #86cbae); }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); }
a { color: var(--go); } :focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
header { margin-bottom: 1.5rem; overflow-wrap: anywhere; } header p { margin: .25rem 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; } h2 { font-size: 1rem; margin-top: 2rem; }
header p, .meta, .empty, .preview { color: var(--quiet); }
.bar { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: end; }
.actions { display: flex; gap: .5rem; align-items: center; } .actions form { margin: 0; }
.list { list-style: none; padding: 0; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.list li + li { border-top: 1px solid var(--line); }
.list a { display: block; padding: .9rem 1.1rem; color: inherit; text-decoration: none; }
.list a:hover { background: light-dark(#faf8f4, #282a2f); } .list a:focus-visible { outline-offset: -3px; }
.list span { display: block; overflow-wrap: anywhere; } .subject { font-weight: 600; } .meta, .preview { font-size: .875rem; }
.preview { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
iframe { width: 100%; height: 60rem; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
pre, table { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.1rem; font-size: .875rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0; line-height: 1.5; }
table { width: 100%; border-spacing: 0; margin: 1rem 0; } th { text-align: left; vertical-align: top; padding-right: 1rem; font-weight: 600; }
td { overflow-wrap: anywhere; white-space: pre-wrap; } details { margin-top: 1.25rem; } summary { cursor: pointer; padding: .25rem 0; }
button, .button { font: inherit; line-height: 1.4; padding: .35rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card);
  color: inherit; text-decoration: none; cursor: pointer; }
`;
