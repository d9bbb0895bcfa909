import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { presentRevision, revisionLine } from '../../article/present-revision.js';
import { articleDifference } from '../../difference/article-difference.js';
import { requireField } from '../../present/require-field.js';
import { sideBySide } from '../difference/side-by-side.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { confirmPage, toRevision } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { articlePath, nameOf, pathOf } from './article-name.js';
import { lossNotice } from './edit-page.js';
import { historyPage } from './history-page.js';

/** Registers the history of an article: its revisions, their differences, and restoring one. */
export function registerHistory(app: FastifyInstance, { connect }: WebDesk): void {
  const editorial = connect('content', EditorialServiceService);

  const readArticle = async (request: FastifyRequest) => {
    const { article } = await editorial.getArticleRecord(nameOf(request), callOf(request));
    const record = requireField(article);
    return { entry: requireField(record.entry), body: record.body, record };
  };

  const readRevision = async (request: FastifyRequest, field: string) => {
    const wanted = { ...nameOf(request), revision: toRevision(formField(request.query, field)) };
    const found = await editorial.getArticleRevision(wanted, callOf(request));
    return { ...found, entry: requireField(found.entry) };
  };

  app.get(`${articlePath}/history`, async (request, reply) => {
    const name = nameOf(request);
    const pageToken = formField(request.query, 'page', 1024);
    const list = { ...name, pageSize: 20, pageToken };
    const revisions = await editorial.listArticleRevisions(list, callOf(request));
    return sendPage(
      reply,
      historyPage(revisions, name, { mayRestore: hasRole(staffOf(request), 'editor'), isFirst: pageToken === '' }),
    );
  });

  app.get(`${articlePath}/difference`, async (request, reply) => {
    const { entry } = await readArticle(request);
    const [from, to] = await Promise.all([readRevision(request, 'from'), readRevision(request, 'to')]);
    const [before, after] = [from, to].map(({ revision }) => revisionLine(presentRevision(requireField(revision))));
    const title = `Difference in ${entry.slug}`;
    const main = (
      <>
        <p>
          <a href={pathOf(entry, 'history')}>History</a>
        </p>
        <h1>{title}</h1>
        {sideBySide(articleDifference(from, to), before, after)}
      </>
    );
    return sendPage(reply, { title, main });
  });

  app.get(`${articlePath}/restore`, onlyFor('editor'), async (request, reply) => {
    const now = await readArticle(request);
    const { entry } = now;
    const revision = toRevision(formField(request.query, 'revision'));
    const old = await readRevision(request, 'revision');
    const question = {
      title: `Restore revision ${revision} of ${entry.slug}`,
      warning:
        'Its text becomes a new revision. State and time of publication stay, so readers of a published article get it at once.',
      shown: [
        lossNotice(now.record),
        sideBySide(articleDifference(now, old), `revision ${entry.revision}, now`, `revision ${revision}`),
      ],
      button: 'Restore',
      action: pathOf(entry, 'restore'),
      back: pathOf(entry, 'history'),
      hidden: { revision, expected: entry.revision },
    };
    return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
  });

  app.post(`${articlePath}/restore`, async (request, reply) => {
    const name = nameOf(request);
    const number = (field: string) => toRevision(formField(request.body, field));
    const reason = formField(request.body, 'reason', 2000);
    const restoration = { ...name, revision: number('revision'), expectedRevision: number('expected'), reason };
    await editorial.restoreArticleRevision(restoration, callOf(request));
    return reply.redirect(pathOf(name), 303);
  });
}
