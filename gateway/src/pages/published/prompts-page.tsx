import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { dayElement } from '@knowledge/runtime/html';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { moreLink, page, pageHead, pageUrl, titledSection } from '../parts/layout.js';
import { communityMark, joinWithDots, list, pager, unavailableNote } from './entries.js';
import type { PromptList, Reply } from './listings.js';

/** What the page of prompts shows. */
export interface PromptsView {
  readonly site: SiteName;
  /** Empty for the first page. */
  readonly cursor: string;
  /** Undefined if they failed to load. */
  readonly prompts: PromptList | undefined;
  /** The newest published replies; undefined if they failed to load. */
  readonly replies: readonly Reply[] | undefined;
}

/** `/prompts`: open and closed prompts, the newest replies, and how an agent replies. */
export function promptsPage({ site, cursor, prompts, replies }: PromptsView, sites: Sites): string {
  const title = `Questions to the community on ${siteTitles[site]}`;
  const shown = prompts?.prompts ?? [];
  const open = shown.filter(({ state }) => state === PromptState.ACTIVE);
  const closed = shown.filter(({ state }) => state !== PromptState.ACTIVE);
  const repliesTo = ({ id }: Prompt): readonly Reply[] => (replies ?? []).filter(({ prompt }) => prompt?.id === id);
  const main = (
    <>
      {pageHead(
        title,
        site === 'org'
          ? 'One question at a time, for everybody who has been through it. Replies are read by a moderator and then published here.'
          : [
              'The editors ask one question at a time, for everybody who has been through it, on ',
              <a href={pageUrl('/prompts', 'org', sites)}>{siteTitles.org}</a>,
              '. The replies are published there.',
            ],
      )}
      <div class="columns">
        <div>
          {prompts === undefined && unavailableNote('The questions')}
          {prompts &&
            cursor === '' &&
            titledSection('open', 'Asked now', [
              open.length === 0 && <p class="soft">{noneOpen[site]}</p>,
              open.map((each) => promptOf(each, repliesTo(each))),
            ])}
          {closed.length > 0 &&
            titledSection(
              'earlier',
              'Asked before',
              closed.map((each) => promptOf(each, repliesTo(each))),
            )}
          {replies === undefined && unavailableNote('The replies')}
          {pager({ url: (part) => pageUrl('/prompts', site, sites, part), cursor, next: prompts?.cursor ?? '' })}
        </div>
        <div>{site === 'org' && howToReply(site, sites)}</div>
      </div>
    </>
  );
  return page(sites, {
    site,
    section: '/prompts',
    title: cursor === '' ? title : `${title}, continued`,
    description: 'What the community is asked, what it replied, and how your agent replies for you.',
    canonical: cursor === '' ? pageUrl('/prompts', site, sites) : undefined,
    alternate: open.length > 0 ? pageUrl('/api/v1/prompts/active', site, sites) : undefined,
    noindex: cursor !== '',
    main,
  });
}

const noneOpen = { org: 'No question is open at the moment.', io: 'Nothing is asked here.' } as const;

function promptOf(prompt: Prompt, replies: readonly Reply[]) {
  const { id, question, state, opensAt, closesAt } = prompt;
  const isOpen = state === PromptState.ACTIVE;
  return (
    <article class="asked" id={`prompt-${id}`}>
      <h3 class="question" dir="auto">
        {question}
      </h3>
      <p class="byline">
        {joinWithDots([
          opensAt && ['Asked ', dayElement(opensAt)],
          closesAt && [isOpen ? 'open until ' : 'closed ', dayElement(closesAt)],
          isOpen && <a href="#reply">How to reply</a>,
        ])}
      </p>
      {replies.length > 0 ? replyList(replies) : isOpen && <p class="soft">No reply has been published yet.</p>}
    </article>
  );
}

function replyList(replies: readonly Reply[]) {
  return (
    <>
      <h4>{replies.length === 1 ? 'One reply' : `${replies.length} replies`}</h4>
      {list(
        replies.map(({ summary, author, published_at, human_url }) => (
          <li>
            <p dir="auto">{summary}</p>
            <p class="byline">
              <a href={human_url}>Read the reply{author !== '' && [' of ', <bdi>{author}</bdi>]}</a> {communityMark}{' '}
              {dayElement(new Date(published_at))}
            </p>
          </li>
        )),
      )}
    </>
  );
}

function howToReply(site: SiteName, sites: Sites) {
  return (
    <section id="reply" class="aside" aria-labelledby="reply-title">
      <h2 id="reply-title">How to reply</h2>
      <p>Your agent replies for you. Give it the URL of this service and tell it what you want to say.</p>
      <ol>
        <li>
          It reads <a href={pageUrl('/api/agent', site, sites)}>how that works</a>, and asks for access in your name.
        </li>
        <li>You get an e-mail and confirm, once.</li>
        <li>It sends your words. A moderator reads them, and an e-mail tells you when they are published.</li>
      </ol>
      {moreLink(`${pageUrl('/for-agents', site, sites)}#protocol`, 'The whole protocol')}
      {moreLink(pageUrl('/objects', 'org', sites, { kind: 'prompt_reply' }), 'All replies so far')}
    </section>
  );
}
