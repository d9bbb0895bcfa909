import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { sites } from '../../testing/stand-ins.js';
import { consentErrorPage } from './error-page.js';

const request = { id: 'r-1' } as FastifyRequest;

it('says after too many mails when it works again, and whom to write to', () => {
  const error = new KnowledgeError('rate_limited', 'Too many mails with a link for this mailbox.', {
    retryAfterSeconds: 1440,
    metadata: { limited: 'mailbox' },
  });
  const { status, page, headers } = consentErrorPage(error, request, sites.operator);
  expect([status, headers['retry-after']]).toEqual([429, '1440']);
  expect(page.title).toBe('A little slower, please');
  expect(page.body.markup).toContain('one mailbox');
  expect(page.body.markup).toMatch(/works again from <strong><time [^>]*>\d\d:\d\d UTC<\/time> \(in 24 minutes\)/);
  expect(page.body.markup).toContain('href="mailto:operator@knowledge.example"');
});
