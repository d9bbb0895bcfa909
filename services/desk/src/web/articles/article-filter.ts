import type { FastifyRequest } from 'fastify';
import { articleStates } from '../../article/present-article.js';
import { sites } from '../../words.js';
import { formField } from '../http/form-field.js';

/** Which articles a list shows, as its form sends it; empty for all. */
export type ArticleFilter = ReturnType<typeof readArticleFilter>;

export function readArticleFilter({ query }: Pick<FastifyRequest, 'query'>) {
  return {
    words: formField(query, 'words').trim(),
    tag: formField(query, 'tag').trim(),
    site: formField(query, 'site'),
    state: formField(query, 'state'),
    /** `title`, or empty for the last changed first. */
    order: formField(query, 'order'),
    /** `yes` for articles whose next revision lost its time. */
    missed: formField(query, 'missed'),
  };
}

export function toWireFilter({ words, tag, site, state, order, missed }: ArticleFilter) {
  const wire = { site: sites.toWire(site), state: articleStates.toWire(state) };
  return { ...wire, query: words, tag, byTitle: order === 'title', missed: missed !== '' };
}
