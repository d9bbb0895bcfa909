import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { presentObject } from '../../present/object.js';
import { serviceName } from '../../protocol/service-words.js';
import { type Sites, siteTitles } from '../../upstream/sites.js';
import { dayElement } from '../parts/dates.js';
import { inLanguage, languageTag } from '../parts/language.js';
import { page, pageUrl } from '../parts/layout.js';
import type { RenderMarkdown } from '../parts/markdown.js';
import { apiLinkSection } from './article-page.js';
import { byCommunity, joinWithDots, kindWords } from './entries.js';

/** The page of an object of the catalog. */
export function objectPage(object: CommunityObject, sites: Sites, markdown: RenderMarkdown): string {
  const shown = presentObject(object, sites);
  const { title, summary, author, kind, site, prompt, api_url, human_url } = shown;
  const language = languageTag(shown.language ?? undefined);
  const spoken = language === undefined ? undefined : inLanguage(language);
  const published = new Date(shown.published_at);
  const main = (
    <>
      <article lang={language}>
        <header>
          <p class="kicker" lang="en">
            <a href={`${pageUrl('/objects', site, sites)}&kind=${kind}`}>
              {kindWords[kind]} on {siteTitles[site]}
            </a>
          </p>
          <h1 lang={kind === 'prompt_reply' && 'en'} dir="auto">
            {kind === 'prompt_reply' ? (
              <>
                A reply
                {author !== '' && (
                  <>
                    {' '}
                    by <bdi>{author}</bdi>
                  </>
                )}
              </>
            ) : (
              title
            )}
          </h1>
          <p class="byline" lang="en">
            {joinWithDots([
              kind === 'prompt_reply' ? byCommunity(kind, '') : byCommunity(kind, author),
              dayElement(published),
              spoken,
            ])}
          </p>
          {prompt && (
            <blockquote class="prompt" lang="">
              <p class="byline" lang="en">
                <a href={`${pageUrl('/prompts', site, sites)}#prompt-${prompt.id}`}>Asked by the editors</a>
              </p>
              <p class="question" dir="auto">
                {prompt.question}
              </p>
            </blockquote>
          )}
        </header>
        <div class="text" dir="auto">
          {markdown(shown.body)}
        </div>
      </article>
      <div class="rail">
        <section aria-labelledby="from">
          <h2 id="from">Where this is from</h2>
          <p>{origins[kind]}</p>
        </section>
        {apiLinkSection(kind === 'prompt_reply' ? 'reply' : 'object', api_url)}
      </div>
    </>
  );
  return page(
    {
      site,
      title,
      description: summary,
      canonical: human_url,
      alternate: api_url,
      asMarkdown: true,
      author,
      published: { at: published, changed: new Date(shown.updated_at), tags: [] },
      data: {
        '@context': 'https://schema.org',
        '@type': 'Article',
        headline: title,
        description: summary,
        ...(author === '' ? {} : { author: { '@type': 'Person', name: author } }),
        datePublished: shown.published_at,
        dateModified: shown.updated_at,
        ...(language === undefined ? {} : { inLanguage: language }),
        url: human_url,
        mainEntityOfPage: human_url,
        publisher: { '@type': 'Organization', name: serviceName },
      },
      main,
    },
    sites,
  );
}

const origins = {
  story: 'A member of the community handed this in through an agent; a moderator read it before it was published.',
  prompt_reply:
    'A reply to a community prompt, handed in through an agent and read by a moderator before it was published.',
  knowledge: 'Written by the editors from what the community knows.',
} as const;
