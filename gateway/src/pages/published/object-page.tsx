import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { dayElement, inLanguage, languageTag } from '@knowledge/runtime/html';
import { type RenderMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import { presentObject } from '../../present/object.js';
import { type Sites, siteTitles } from '../../upstream/sites.js';
import { pageUrl } from '../parts/layout.js';
import { byCommunity, editedWords, joinWithDots, kindWords } from './entries.js';
import { apiLinkSection, originSection, textPage } from './text-page.js';

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
              {kindWords[kind]} on {siteTitles[site]}
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
