import { type ErrorCode, errorCatalogue, errorCodes, KnowledgeError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { sites } from '../testing/stand-ins.js';
import { errorPage } from './error-page.js';

const shown = (code: ErrorCode, message = 'What is wrong.', retryAfterSeconds?: number): string =>
  errorPage(new KnowledgeError(code, message, { retryAfterSeconds }), 'request-7', 'org', sites);

it.each(errorCodes)('%s has a page with its status, its code, the request and a way on', (code) => {
  const markup = shown(code);
  expect(markup).toContain(`<p class="status">${errorCatalogue[code].http}</p>`);
  expect(markup).toContain(`<code>${code}</code> · request <code>request-7</code>`);
  expect(markup).toContain('<meta name="robots" content="noindex">');
  expect(markup.match(/<h1>/g)).toHaveLength(1);
});

it('tells whom to write to of a mistake of ours', () => {
  expect(shown('internal_error')).toContain('<a href="mailto:operator@knowledge.example">tell us</a>');
});

it('says how long to wait', () => {
  expect(shown('rate_limited', '', 36.2)).toContain('in <strong>37 seconds</strong>');
  expect(shown('unavailable')).toContain('in <strong>a second</strong>');
});

it('escapes what callers sent, and speaks to people where the message is for agents', () => {
  expect(shown('validation_error', '<b>site</b>')).toContain('<p>&lt;b&gt;site&lt;/b&gt;</p>');
  const used = shown('read_quota_exceeded', 'POST /api/v1/agent/authorize with {"email"', 3600);
  expect(used).not.toContain('/api/v1/agent/authorize');
  expect(used).toMatch(/They come back at <strong><time [^>]*>\d\d:\d\d UTC<\/time> \(in 60 minutes\)/);
  expect(shown('not_found', 'See /api/v1/content.')).not.toContain('/api/v1/content');
});
