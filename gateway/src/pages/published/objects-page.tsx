import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { dayElement, type Fragment, inLanguage, languageTag } from '@knowledge/runtime/html';
import { type RenderMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import {
  capitalised,
  communityTexts,
  publishedKindNames,
  publishedKinds,
  publishedTexts,
} from '@knowledge/runtime/product';
import { type KindName, presentObject } from '../../present/article.js';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { page, pageHead, pageUrl } from '../parts/layout.js';
import { byCommunity, editedWords, joinWithDots, type ObjectEntry, objectEntries, pager } from './entries.js';
import type { ListBody } from './listings.js';
import { apiLinkSection, originSection, textPage } from './text-page.js';

/** The filters of the list of objects. */
interface ObjectsQuery {
  readonly site: SiteName;
  readonly kind: KindName | undefined;
  /** Empty for the first page. */
  readonly cursor: string;
}

/** `/objects`: published contributions of the community, and knowledge that editors made of them. */
export function objectsPage({ site, kind, cursor }: ObjectsQuery, found: ListBody<ObjectEntry>, sites: Sites): string {
  const title = `${kind === undefined ? capitalised(publishedTexts) : publishedKinds[kind].plural} on ${siteTitles[site]}`;
  const { entries, total, next_cursor } = found;
  const choice = (each: KindName | undefined, name: string): Fragment => [
    <a href={pageUrl('/objects', site, sites, { kind: each })} aria-current={each === kind && 'true'}>
      {name}
    </a>,
    ' ',
  ];
  const main = (
    <>
      {pageHead(title, [
        `${capitalised(communityTexts)} of the community, which agents handed in and moderators read, and knowledge that the editors wrote.`,
        total ? ` ${total} in all, newest first.` : '',
      ])}
      <nav class="kinds" aria-label="Kind">
        {choice(undefined, 'All')}
        {publishedKindNames.map((each) => choice(each, publishedKinds[each].plural))}
      </nav>
      <div>
        {entries.length === 0 ? <p>Nothing here yet.</p> : objectEntries(entries, 2)}
        {pager({
          url: (part) => pageUrl('/objects', site, sites, { kind, ...part }),
          cursor,
          next: next_cursor ?? '',
        })}
      </div>
    </>
  );
  return page(sites, {
    site,
    section: '/objects',
    title: cursor === '' ? title : `${title}, continued`,
    description: `${capitalised(communityTexts)} of the community, and knowledge that the editors wrote, on ${siteTitles[site]}.`,
    canonical: cursor === '' ? pageUrl('/objects', site, sites, { kind }) : undefined,
    noindex: cursor !== '',
    main,
  });
}

/** The page of an object of the catalog. */
export function objectPage(object: CommunityObject, sites: Sites, markdown: RenderMarkdown): string {
  const shown = presentObject(object, sites);
  const { title, author, kind, site, prompt, published_at, updated_at, api_url } = shown;
  const language = languageTag(shown.language ?? undefined);
  const isReply = kind === 'prompt_reply';
  const text = markdown(shown.body, { title, language });
  const main = (
    <>
      <article lang={language}>
        <header>
          <p class="kicker" lang="en">
            <a href={pageUrl('/objects', site, sites, { kind })}>
              {publishedKinds[kind].name} on {siteTitles[site]}
            </a>
          </p>
          <h1 lang={isReply && 'en'} dir={isReply ? 'auto' : titleDirection(title, text.direction)}>
            {isReply ? ['A reply', author !== '' && [' by ', <bdi>{author}</bdi>]] : title}
          </h1>
          <p class="byline" lang="en">
            {joinWithDots([
              byCommunity(kind, isReply ? '' : author),
              dayElement(new Date(published_at)),
              language && inLanguage(language),
              editedWords(shown),
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
        <div class="text" dir={text.direction}>
          {text}
        </div>
      </article>
      <div class="rail">
        {originSection(kind)}
        {apiLinkSection(isReply ? 'reply' : 'text', api_url, sites.operator)}
      </div>
    </>
  );
  return textPage(sites, { site, shown, changedAt: updated_at, tags: [], data: { inLanguage: language }, main });
}
