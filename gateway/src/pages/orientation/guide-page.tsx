import type { Html } from '@knowledge/runtime/html';
import type { SiteProfile } from '../../documents/site-profile.js';
import { readAgentEntry } from '../../protocol/document-operations.js';
import { serviceSummary } from '../../protocol/service-words.js';
import { siteUrl, urlOf } from '../../protocol/urls.js';
import type { Sites } from '../../upstream/sites.js';
import { page } from '../parts/layout.js';
import { documentMarkdown } from '../parts/own-markdown.js';

/** `/for-agents`: the guide as a page, with the protocol in the section `protocol` (gateway/PROTOCOL.md#orientation). */
export function guidePage(markdown: string, service: SiteProfile, sites: Sites): string {
  const { title, lead, sections } = documentMarkdown(markdown);
  const main = (
    <article class="guide">
      <header>
        <h1>{title}</h1>
      </header>
      {lead}
      {sections.map(({ id, title: heading, body }) => (
        <section id={id}>
          <h2>{heading}</h2>
          {body}
        </section>
      ))}
    </article>
  );
  const contents = (
    <>
      <p>Contents</p>
      {linkList(sections)}
    </>
  );
  return page(sites, {
    site: service.site,
    section: '/for-agents',
    title,
    description: serviceSummary,
    canonical: siteUrl('/for-agents', service),
    alternate: urlOf(readAgentEntry, service),
    asMarkdown: true,
    contents,
    main,
  });
}

/** Links to headings, and below each to those of its parts. */
function linkList(headings: readonly Heading[]): Html {
  return (
    <ul>
      {headings.map(({ id, title, parts = [] }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
          {parts.length > 0 && linkList(parts)}
        </li>
      ))}
    </ul>
  );
}

interface Heading {
  readonly id: string;
  readonly title: string;
  readonly parts?: readonly Heading[];
}
