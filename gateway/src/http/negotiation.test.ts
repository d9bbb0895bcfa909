import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { mediaTypes, preferredType, prefersMarkdown } from './negotiation.js';

const { json, markdown, html } = mediaTypes;
const prefer = (accept?: string) => preferredType({ headers: { accept } } as FastifyRequest, [json, markdown, html]);

it.each([
  [undefined, json],
  ['*/*', json],
  ['', json],
  ['application/json', json],
  ['application/*', json],
  ['image/png', json],
  ['not a media type', json],
  ['text/html;q=0', json],
  ['text/html, application/json', json],
  ['text/html;q=0.9, application/json;q=0.9', json],
  ['text/markdown;q=0.5, application/json;q=0.6', json],
  ['application/json;q=0.5, text/markdown', markdown],
  ['text/markdown', markdown],
  ['text/markdown, text/html, */*', markdown],
  ['text/*;q=0.4, text/html;q=0.8, */*;q=0.1', html],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', html],
  ['TEXT/HTML', html],
  ['text/markdown; charset=utf-8', markdown],
  ['text/markdown;charset=utf-8, */*;q=0.1', markdown],
  ['text/markdown;variant=GFM', markdown],
  ['text/markdown; variant="a, b;c" ; charset=UTF-8;q=0.9, application/json;q=0.8', markdown],
  ['text/markdown;q=0.5;charset=utf-8, text/html', html],
  ['text/markdown;charset=utf-8;q=0', json],
  ['text/html;charset=utf-8', html],
  ['text/html, application/json;charset=utf-8', json],
  ['application/json;charset=utf-8, text/markdown;q=0.9', json],
  [`text/html${',text/html'.repeat(100)}`, html],
  [`text/html${',text/html'.repeat(500)}`, json],
])('preferredType, with JSON as the default: %s gives %s', (accept, expected) => {
  expect(prefer(accept)).toBe(expected);
});

it.each([
  ['text/markdown, text/html, */*', true],
  ['text/html, TEXT/MARKDOWN', true],
  ['text/markdown', true],
  ['text/markdown;q=0.5, text/html', false],
  ['text/html, */*;q=0.8', false],
  ['*/*', false],
  [undefined, false],
])('a page for Accept: %s is Markdown: %s', (accept, expected) => {
  expect(prefersMarkdown({ headers: { accept } } as FastifyRequest)).toBe(expected);
});
