import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { callOf } from '../page-parts.js';

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

/** The path of an article's own page, or of one of the pages below it. */
export function pathOf({ site, slug }: PathName, page = ''): string {
  return `/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}${page === '' ? '' : `/${page}`}`;
}

/** Reads the article that the path names. */
export async function readArticle(editorial: EditorialClient, request: FastifyRequest) {
  const record = requireField((await editorial.getArticleRecord(nameOf(request), callOf(request))).article);
  return { record, entry: requireField(record.entry), body: record.body };
}
