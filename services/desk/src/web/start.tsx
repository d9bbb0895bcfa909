import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleRecord,
  EditorialServiceService,
  type ListArticleRecordsResponse,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { capitalised } from '@knowledge/runtime/product';
import type { FastifyInstance } from 'fastify';
import { missedWords, pathOf } from '../articles/web-article.js';
import { requireField } from '../base/words.js';
import { hasRole, sectionsOf, showPage, staffOf, titled, titleLink, type WebDesk } from '../pages/index.js';

/** Registers the start page, and the page after a sign-in in a new tab. */
export function registerStart(app: FastifyInstance, { calls }: WebDesk): void {
  const editorial = calls('content', EditorialServiceService);

  showPage(app, '/', async (request) => {
    const { displayName, roles } = staffOf(request);
    const isEditor = hasRole({ roles }, 'editor');
    const missed = isEditor ? await editorial(request).listArticleRecords(ofMissed).catch(nothing) : nothing();
    return titled(
      'Start',
      <>
        <p class="soft">
          Your {roles.length === 1 ? 'role' : 'roles'}: {roles.join(', ')}.
        </p>
        {missed.articles.length > 0 && missedList(missed.articles)}
        <ul class="cards">
          {sectionsOf(roles).map(({ pages, label }) => (
            <li>
              <a href={pages[0].path}>{label}</a>
              <p>{capitalised(pages.map(({ about }) => about).join('; '))}.</p>
            </li>
          ))}
        </ul>
      </>,
      { heading: ['Welcome, ', <bdi>{displayName}</bdi>] },
    );
  });
  showPage(app, '/signed-in', async () => signedInAgain);
}

const ofMissed = {
  site: Site.UNSPECIFIED,
  state: ArticleState.UNSPECIFIED,
  missed: true,
  pageSize: 20,
  pageToken: '',
};

/** The start page works without content too. */
function nothing(): Pick<ListArticleRecordsResponse, 'articles'> {
  return { articles: [] };
}

function missedList(articles: readonly ArticleRecord[]) {
  return (
    <section class="notice">
      <h2>Next revisions that lost their time</h2>
      <ul>
        {articles.map(({ entry, draft }) => (
          <li>
            {titleLink(pathOf(requireField(entry), 'next'), entry?.title)}: {missedWords(requireField(draft))}
          </li>
        ))}
      </ul>
      <p>Compare each with its article, save it, and schedule it again, or discard it.</p>
    </section>
  );
}

// People sign in again in a tab of its own, while another tab keeps what they typed.
const signedInAgain = titled('You are signed in again', <p>Close this tab, and go on in the other one.</p>);
