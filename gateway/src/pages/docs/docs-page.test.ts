import { errorCatalogue, errorCodes } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { createDocuments } from '../../documents/documents.js';
import { commonErrors, errorsOf, keywordsOf } from '../../protocol/operation.js';
import { allOperations } from '../../protocol/operations.js';
import { sitesAt } from '../../testing/stand-ins.js';
import { docsPage } from './docs-page.js';

const sites = sitesAt('https://example.org/io', 'https://example.org');
const whole = pageOf();

it.each(allOperations.map((operation) => [operation.id, operation] as const))(
  'shows %s under its anchor: call, fields, a command, answers and its own errors',
  (id, operation) => {
    const section = sectionOf(whole, id);
    expect(section).toContain(`<code class="verb">${operation.method}</code> <code>${operation.path}</code>`);
    expect(section).toContain('<pre class="command"><code>curl -s');
    const { params, query, headers, body, responses } = operation;
    const schemas = [params, query, headers, body, ...Object.values(responses)].flatMap((schema) => schema ?? []);
    for (const schema of schemas.flatMap((each) => keywordsOf(each).oneOf ?? [each])) {
      for (const name of Object.keys(keywordsOf(schema).properties ?? {})) {
        expect(section.toLowerCase()).toContain(`<code>${name}</code>`);
      }
    }
    for (const status of Object.keys(responses)) expect(section).toContain(`<h4>Answer ${status}</h4>`);
    const shown = [...section.matchAll(/<dt><code>(\w+)<\/code><\/dt><dd><span class="facts">(\d{3}), (retry|do)/g)];
    const own = errorsOf(operation).filter((code) => !commonErrors.includes(code));
    expect(shown.map(([, code, http, retry]) => [code, Number(http), retry === 'retry'])).toEqual(
      own.map((code) => [code, errorCatalogue[code].http, errorCatalogue[code].retryable]),
    );
  },
);

it('lists every error code with its status', () => {
  const section = sectionOf(whole, 'errors');
  for (const code of errorCodes) {
    expect(section).toContain(`<code>${code}</code></dt><dd><span class="facts">${errorCatalogue[code].http}`);
  }
});

it('leads nowhere that is not there, and shows each schema that it names', () => {
  const ids = [...whole.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const anchors = [...whole.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
  expect(anchors).toContain('schema-Article');
  expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
});

it('has no script and no style of its own, and its files below the base of the site', () => {
  expect(whole).not.toMatch(/<script|<style| style=| on\w+=|<img|<iframe/i);
  expect(pageOf('io')).toMatch(/<link rel="stylesheet" href="\/io\/assets\/docs-[0-9a-f]{12}\.css">/);
});

it('sets code off in what the descriptions say', () => {
  expect(whole).toContain('best match first with <code>q</code>');
  expect(whole.replace(/<pre[\s\S]*?<\/pre>/g, '')).not.toContain('`');
});

function pageOf(site: 'io' | 'org' = 'org'): string {
  const documents = createDocuments({ sites, pagesPerAddress: 120 });
  return docsPage(documents.service(site), () => undefined, sites);
}

function sectionOf(page: string, id: string): string {
  const from = page.indexOf(`<section class="operation" id="${id}"`);
  const start = from < 0 ? page.indexOf(`<section id="${id}"`) : from;
  return page.slice(start, page.indexOf('</section>', start));
}
