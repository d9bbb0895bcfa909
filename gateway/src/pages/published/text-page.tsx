import type { Operator } from '@knowledge/runtime';
import type { Html } from '@knowledge/runtime/html';
import type { KindName } from '../../present/object.js';
import { serviceName } from '../../protocol/service-words.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { page } from '../parts/layout.js';

/** What the page of an article or object needs besides its content. */
interface TextPage {
  readonly site: SiteName;
  /** The text as the API returns it. */
  readonly shown: {
    readonly title: string;
    readonly summary: string;
    readonly author: string;
    readonly published_at: string;
    readonly api_url: string;
    readonly human_url: string;
  };
  /** When it last changed, as the API returns times. */
  readonly changedAt: string;
  readonly tags: readonly string[];
  /** The language of the page; English without it. */
  readonly language?: string;
  /** Additional structured data. */
  readonly data: object;
  readonly main: Html;
}

/** The page of an article or object, with its structured data. */
export function textPage(sites: Sites, { site, shown, changedAt, tags, language, data, main }: TextPage): string {
  const { title, summary, author, published_at, api_url, human_url } = shown;
  return page(sites, {
    site,
    title,
    description: summary,
    language,
    canonical: human_url,
    alternate: api_url,
    asMarkdown: true,
    author,
    published: { at: published_at, changed: changedAt, tags },
    data: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: title,
      description: summary,
      author: author === '' ? undefined : { '@type': 'Person', name: author },
      datePublished: published_at,
      dateModified: changedAt,
      ...data,
      url: human_url,
      mainEntityOfPage: human_url,
      publisher: { '@type': 'Organization', name: serviceName },
    },
    main,
  });
}

/** A section that says who wrote a text and who read it before it appeared. */
export function originSection(kind: KindName | 'article'): Html {
  return (
    <section aria-labelledby="fromTitle">
      <h2 id="fromTitle">Where this is from</h2>
      <p>{origins[kind]}</p>
    </section>
  );
}

const origins = {
  article: 'From the editors, who wrote it or chose it.',
  story: 'A member of the community handed this in through an agent; a moderator read it before it was published.',
  prompt_reply:
    'A reply to a question of the editors, handed in through an agent and read by a moderator before it was published.',
  knowledge: 'Written by the editors from what the community knows.',
} as const;

/** A section with the link to the same text in the API. */
export function apiLinkSection(what: string, apiUrl: string, { contact }: Operator): Html {
  return (
    <section aria-labelledby="forAgents">
      <h2 id="forAgents">For agents</h2>
      <p>
        <a href={apiUrl}>This {what} through the API</a>
      </p>
      <p>
        Something wrong in it? Your agent can report it
        {contact.url !== undefined && (
          <>
            , or <a href={contact.url}>write to us</a>
          </>
        )}
        .
      </p>
    </section>
  );
}
