import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { articleMarkdown } from '../../export/article-markdown.js';
import { requireField } from '../../present/require-field.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { confirmPage, toRevision } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { readArticleFilter, toWireFilter } from './article-filter.js';
import { articlePath, nameOf, pathOf } from './article-name.js';
import { articlePage } from './article-page.js';
import { lossNotice } from './edit-page.js';
import { registerArticleForms } from './edit-routes.js';
import { registerHistory } from './history-routes.js';
import { listPage } from './list-page.js';
import { registerNextRevision } from './next-routes.js';
import { changeState, stateChanges } from './state-changes.js';

/** Registers the pages of editors for articles. */
export function registerArticles(app: FastifyInstance, desk: WebDesk): void {
  const editorial = desk.connect('content', EditorialServiceService);

  app.get('/articles', async (request, reply) => {
    const filter = readArticleFilter(request);
    const list = { ...toWireFilter(filter), pageSize: 50, pageToken: formField(request.query, 'page', 1024) };
    return sendPage(
      reply,
      listPage(await editorial.listArticleRecords(list, callOf(request)), filter, mayWrite(request)),
    );
  });

  app.get(articlePath, async (request, reply) => {
    const { article } = await editorial.getArticleRecord(nameOf(request), callOf(request));
    return sendPage(reply, articlePage(requireField(article), mayWrite(request)));
  });

  app.get(`${articlePath}/export.md`, async (request, reply) => {
    const { article } = await editorial.getArticleRecord(nameOf(request), callOf(request));
    const record = requireField(article);
    const { slug } = requireField(record.entry);
    return reply
      .type('text/markdown; charset=utf-8')
      .header('content-disposition', `attachment; filename="${slug}.md"`)
      .send(articleMarkdown(record));
  });

  for (const change of stateChanges) {
    const { page, label, warning } = change;
    app.get(`${articlePath}/${page}`, onlyFor('editor'), async (request, reply) => {
      const { article } = await editorial.getArticleRecord(nameOf(request), callOf(request));
      const record = requireField(article);
      const entry = requireField(record.entry);
      const question = {
        shown: lossNotice(record),
        title: `${label}: ${entry.title}`,
        warning,
        button: label,
        action: pathOf(entry, page),
        back: pathOf(entry),
        hidden: { revision: entry.revision },
      };
      return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
    });
    app.post(`${articlePath}/${page}`, async (request, reply) => {
      const name = nameOf(request);
      const expectedRevision = toRevision(formField(request.body, 'revision'));
      const reason = formField(request.body, 'reason', 2000);
      await changeState(editorial, change, { ...name, expectedRevision, reason }, callOf(request));
      return reply.redirect(page === 'delete' ? '/articles' : pathOf(name), 303);
    });
  }

  registerArticleForms(app, desk);
  registerHistory(app, desk);
  registerNextRevision(app, desk);
}

function mayWrite(request: FastifyRequest): boolean {
  return hasRole(staffOf(request), 'editor');
}
