import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { presentObject } from '../present/object.js';
import type { Sites } from '../sites.js';
import { day } from './dates.js';
import { html } from './html.js';
import { page } from './layout.js';
import type { RenderMarkdown } from './markdown.js';

/** A community object for people. */
export function objectPage(object: CommunityObject, sites: Sites, markdown: RenderMarkdown): string {
  const shown = presentObject(object, sites);
  const { title, summary, author, kind, site, prompt, api_url, human_url } = shown;
  const main = html`<article dir="auto">
<header>
<p class="kicker" lang="en">${kinds[kind]} · ${site}</p>
<h1>${title}</h1>
${prompt && html`<blockquote class="prompt"><p class="small" lang="en">Asked by the community</p><p>${prompt.question}</p></blockquote>\n`}<p class="byline" lang="en">${author !== '' && html`${author} · `}${day(new Date(shown.published_at))}</p>
</header>
<div class="text">
${markdown(shown.body)}
</div>
</article>
<aside lang="en">
<p class="small">For agents: <a href="${api_url}">${api_url}</a></p>
</aside>`;
  return page({ site, title, description: summary, canonical: human_url, alternate: api_url, author, main }, sites);
}

const kinds = { story: 'Story', prompt_reply: 'Reply to a prompt', knowledge: 'Knowledge' } as const;
