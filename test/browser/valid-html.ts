import { HtmlValidate } from 'html-validate';
import { expect } from 'vitest';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // HTML allows both cases.
    'doctype-style': 'off',
    // The title of an article is its author's, up to 160 characters.
    'long-title': 'off',
    // Every button stands in a form and submits it, which is the default.
    'no-implicit-button-type': 'off',
    // The buttons of a choice share its name; the rule knows a button by its type alone.
    'form-dup-name': 'off',
    // A head of a table in Markdown stands in its first row alone: its scope is the column by default.
    'wcag/h63': 'off',
  },
});

/** Checks that html-validate finds nothing in the HTML of a page. */
export async function expectValidHtml(html: string, of = 'page'): Promise<void> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) => messages);
  expect(
    found.map(({ ruleId, line, column, message }) => `${line}:${column} ${ruleId}: ${message}`),
    of,
  ).toEqual([]);
}
