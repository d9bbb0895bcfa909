import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { sites } from '../../words.js';

/** The path of the pages of one article. */
export const articlePath = '/articles/:site/:slug';

/** An article as a path names it. */
export interface PathName {
  readonly site: Site;
  readonly slug: string;
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
export function nameOf({ params }: FastifyRequest): PathName {
  const { site = '', slug = '' } = params as { site?: string; slug?: string };
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such article.');
  return { site: sites.toWire(site), slug };
}

/** The path of the next revision, with the inquiry whose correction it brings in. */
export function nextPath(name: PathName, inquiry: string | undefined): string {
  return `${pathOf(name, 'next')}${inquiry === undefined ? '' : `?inquiry=${inquiry}`}`;
}

/** The path of an article's own page, or of one of the pages below it. */
export function pathOf({ site, slug }: PathName, page = ''): string {
  return `/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}${page === '' ? '' : `/${page}`}`;
}
