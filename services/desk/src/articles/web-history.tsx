import type { ListArticleRevisionsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField } from '../base/words.js';
import {
  type Cells,
  confirmPage,
  type Editorial,
  formField,
  hasRole,
  moreLink,
  pageIn,
  revisionIn,
  showPage,
  sideBySide,
  staffOf,
  tableOf,
  titled,
  toRevision,
} from '../pages/index.js';
import { articleDifference } from './difference.js';
import { changeOf, presentRevision, type RevisionView, readersOf, revisionLine } from './present-article.js';
import { articlePath, lossNotice, nameOf, openArticle, type PathName, pathOf } from './web-article.js';

/** Registers the history of an article: its revisions, their differences, and restoring one. */
export function registerHistory(app: FastifyInstance, editorial: Editorial): void {
  const readRevision = async (request: FastifyRequest, field: string, named = request.query) => {
    const wanted = { ...nameOf(request), revision: toRevision(formField(named, field)) };
    const found = await editorial(request).getArticleRevision(wanted);
    return { ...found, entry: requireField(found.entry) };
  };

  showPage(app, `${articlePath}/history`, async (request) => {
    const name = nameOf(request);
    const page = pageIn(request, 20);
    const revisions = await editorial(request).listArticleRevisions({ ...name, ...page });
    return historyPage(revisions, name, hasRole(staffOf(request), 'editor'), page.pageToken === '');
  });

  showPage(app, `${articlePath}/difference`, async (request) => {
    const { entry } = await openArticle(editorial, request);
    const [from, to] = await Promise.all([readRevision(request, 'from'), readRevision(request, 'to')]);
    const [before, after] = [from, to].map(({ revision }) => revisionLine(presentRevision(requireField(revision))));
    const difference = sideBySide(articleDifference(from, to), before, after);
    return titled(`Difference in ${entry.slug}`, difference, { back: [pathOf(entry, 'history'), 'History'] });
  });

  confirmPage(app, `${articlePath}/restore`, {
    roles: ['editor'],
    async ask(request, named) {
      const now = await openArticle(editorial, request);
      const { entry } = now;
      const revision = toRevision(formField(named, 'revision'));
      const old = await readRevision(request, 'revision', named);
      return {
        title: `Restore revision ${revision} of ${entry.slug}`,
        warning:
          'Its text becomes a new revision. State and time of publication stay, so readers of a published article get it at once.',
        shown: [
          lossNotice(now.record),
          sideBySide(articleDifference(now, old), `revision ${entry.revision}, now`, `revision ${revision}`),
        ],
        button: 'Restore',
        back: pathOf(entry, 'history'),
        hidden: { revision, expected: entry.revision },
      };
    },
    async change(request, reason) {
      const name = nameOf(request);
      const expectedRevision = revisionIn(request, 'expected');
      const restoration = { ...name, revision: revisionIn(request), expectedRevision, reason };
      await editorial(request).restoreArticleRevision(restoration);
      return pathOf(name);
    },
  });
}

/** The revisions of an article, the newest first, and a form that compares any two. Editors can restore the older ones. */
function historyPage(
  { revisions, nextPageToken }: ListArticleRevisionsResponse,
  name: PathName,
  mayRestore: boolean,
  isFirst: boolean,
) {
  const shown = revisions.map(presentRevision);
  const current = isFirst ? shown[0]?.revision : undefined;
  const restore: Cells<RevisionView> = {
    Restore: ({ revision }) =>
      revision !== current && (
        <a href={pathOf(name, `restore?revision=${revision}`)} aria-label={`Restore revision ${revision}`}>
          Restore
        </a>
      ),
  };
  const table = (columns: Cells<RevisionView>) =>
    tableOf('Revisions', shown, { ...columns, ...(mayRestore && restore) }, 'There are no revisions.', 'Revision');
  return titled(
    `History of ${name.slug}`,
    <>
      {shown.length > 1 ? (
        <form method="get" action={pathOf(name, 'difference')}>
          {table({ ...choice, ...cells })}
          <p>
            <button>Compare</button>
          </p>
        </form>
      ) : (
        table(cells)
      )}
      {moreLink('Earlier revisions', pathOf(name, 'history'), {}, nextPageToken)}
    </>,
    { back: [pathOf(name), 'Article'] },
  );
}

const choice: Cells<RevisionView> = {
  From: ({ revision }, at) => radio('from', revision, at === 1),
  To: ({ revision }, at) => radio('to', revision, at === 0),
};

const cells: Cells<RevisionView> = {
  Revision: 'revision',
  When: 'occurred_at',
  Who: 'actor',
  What: changeOf,
  Readers: readersOf,
  Why: 'reason',
};

function radio(name: 'from' | 'to', revision: number, isChosen: boolean) {
  const label = `Compare ${name} revision ${revision}`;
  return <input type="radio" name={name} value={revision} checked={isChosen} aria-label={label} />;
}
